/** Other Node versions for tests: packages of the npm registry bring the binaries. They are installed on first use, apart from the project's own. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../runtimes/", import.meta.url));

/** The registry's packages are one for each platform; those of this one are listed in `__test__/runtimes/package.json`. */
export const hasRuntimes = process.platform === "linux" && process.arch === "x64";
if (!hasRuntimes) console.log("skipped: other Node versions are tried on linux-x64 only");

/**
 * The binary of a Node version; the one that runs the tests where it is that.
 * @param {number} major
 */
export async function nodeBinary(major) {
  if (Number(process.versions.node.split(".")[0]) === major) return process.execPath;
  const binary = `${folder}node_modules/node-v${major}/bin/node`;
  if (!existsSync(binary)) {
    const { status, stderr } = spawnSync("npm", ["ci", "--prefix", folder], {
      encoding: "utf8",
      shell: process.platform === "win32",
    });
    if (status !== 0) throw new Error(`npm ci of __test__/runtimes failed: ${stderr}`);
  }
  if (!existsSync(binary))
    throw new Error(`__test__/runtimes brings no Node ${major} for ${process.platform}-${process.arch}`);
  return binary;
}
