/** The server written with rmcp: built by cargo on first use, from its own lockfile. */
import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = fileURLToPath(new URL("./rmcp/", import.meta.url));

/** A first build compiles the SDK, on a machine that may be busy. */
export const BUILD_TIMEOUT = 600_000;

/** @returns {Promise<string>} the binary */
export async function rmcpServer() {
  const args = [
    "build",
    "--locked",
    "--message-format=json-render-diagnostics",
    "--manifest-path",
    `${folder}Cargo.toml`,
  ];
  const { stdout } = await promisify(execFile)("cargo", args, { maxBuffer: 1 << 26 });
  for (const line of stdout.split("\n")) {
    const message = line === "" ? {} : JSON.parse(line);
    if (message.reason === "compiler-artifact" && message.executable) return message.executable;
  }
  throw new Error(`cargo ${args.join(" ")} named no binary (${process.platform})`);
}
