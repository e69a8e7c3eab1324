/**
 * Everything a fresh clone needs before the demo or the tests: npm packages and the native addon. Uses nothing but Node, and does only what is not
 * done yet: cargo itself knows when the addon is fresh.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @param {string} message */
function fail(message) {
  console.error(`\nsetup: ${message}`);
  process.exit(1);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} advice what to do when it fails
 */
function run(command, args, advice) {
  console.log(`setup: ${command} ${args.join(" ")}`);
  // npm is a script on Windows, which only a shell runs.
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error || status !== 0)
    fail(`\`${command} ${args.join(" ")}\` failed${error ? ` (${error.message})` : ""}. ${advice}`);
}

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 17)) {
  fail(
    `building and testing needs Node 20.17 or later, this is ${process.version}. (The package itself runs on Node 18.)`,
  );
}
if (spawnSync("cargo", ["--version"], { cwd: root }).status !== 0) {
  fail(
    "no Rust toolchain: `cargo --version` does not run. The native addon is built from source here; install Rust 1.88 or later with rustup " +
      "and run this again. (Applications that install the published package need no Rust.)",
  );
}

// npm's own check reads every package; a digest of the lockfile tells in a millisecond that nothing changed.
const lock = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .digest("hex");
const marker = join(root, "node_modules", ".rejelly-setup");
if (!existsSync(marker) || readFileSync(marker, "utf8") !== lock) {
  run("npm", ["ci"], "Is the npm registry reachable?");
  writeFileSync(marker, lock);
}

// A build that fails must not leave an older binary to be tested in its place.
const binaries = readdirSync(join(root, "js")).filter((name) => name.endsWith(".node"));
console.log("setup: npm run build");
const built = spawnSync("npm", ["run", "--silent", "build"], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
});
if (built.status !== 0) {
  for (const name of binaries) rmSync(join(root, "js", name));
  fail(
    "the native addon did not build; the compiler's message stands above. Rust 1.88 or later and a C linker are needed.",
  );
}
