/** Other Node versions for tests: packages of the npm registry bring the binaries. They are installed on first use, apart from the project's own. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

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
  if (!existsSync(binary)) await install(binary);
  if (!existsSync(binary))
    throw new Error(`__test__/runtimes brings no Node ${major} for ${process.platform}-${process.arch}`);
  return binary;
}

/**
 * Test files run side by side, and two `npm ci` in one folder would take each other's files away: one installs, the others wait for it.
 * @param {string} wanted
 */
async function install(wanted) {
  const lock = `${folder}.installing`;
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await sleep(200)) {
    try {
      mkdirSync(lock);
    } catch {
      continue;
    }
    try {
      if (existsSync(wanted)) return;
      await promisify(execFile)("npm", ["ci", "--prefix", folder]);
      return;
    } finally {
      rmSync(lock, { recursive: true });
    }
  }
  throw new Error(`another test has been installing for two minutes; if none is, remove ${lock}`);
}
