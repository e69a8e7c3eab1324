/**
 * Everything a fresh clone needs before the demo or the tests: npm packages and the native addon. Uses nothing but Node, and does only what is not
 * done yet.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
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

// napi's command line has cargo compile this crate anew whenever it is asked: a digest of all that goes in, and of what came out, tells that it need not be.
const built = join(root, "target", ".rejelly-built");
const binaries = () => readdirSync(join(root, "js")).filter((name) => name.endsWith(".node"));
if (!existsSync(built) || readFileSync(built, "utf8") !== buildDigest()) {
  // A build that fails must not leave an older binary to be tested in its place.
  const older = binaries();
  console.log("setup: npm run build");
  const { status } = spawnSync("npm", ["run", "--silent", "build"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) {
    for (const name of older) rmSync(join(root, "js", name));
    fail(
      "the native addon did not build; the compiler's message stands above. Rust 1.88 or later and a C linker are needed.",
    );
  }
  mkdirSync(join(root, "target"), { recursive: true });
  writeFileSync(built, buildDigest());
}
// The face costs a tenth of a second, and its bundler was not there before.
const bundle = await import("./bundle.mjs");
await bundle.setup();

/** Everything that decides what the build makes, and what it made. */
function buildDigest() {
  const hash = createHash("sha256");
  const rustc = spawnSync("rustc", ["-vV"], { cwd: root, encoding: "utf8" }).stdout;
  const flags = Object.entries(process.env).filter(([name]) => /^(?:CARGO|RUST)/.test(name) && name !== "RUST_LOG");
  hash.update(JSON.stringify([rustc, flags.sort(), process.platform, process.arch]));
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).map((name) =>
    join("src", name),
  );
  const made = [...binaries(), "native.cjs", "native.d.cts"].map((name) => join("js", name));
  const fixed = ["Cargo.toml", "Cargo.lock", "build.rs", "rust-toolchain.toml", "package.json", "package-lock.json"];
  for (const name of [...sources, ...fixed, ...made].sort()) {
    const file = join(root, name);
    if (!existsSync(file) || statSync(file).isDirectory()) continue;
    hash.update(JSON.stringify([name, createHash("sha256").update(readFileSync(file)).digest("hex")]));
  }
  return hash.digest("hex");
}
