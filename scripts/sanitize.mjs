/**
 * `npm run sanitize [-- --stable]`: the Rust unit tests under AddressSanitizer and LeakSanitizer, and under Miri what Miri can run, where it is
 * installed.
 */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { asanOptions, toolchain } from "./fuzz/toolchain.mjs";

/** Modules that neither call C, nor start threads with stacks of megabytes, nor hash or parse by the megabyte: Miri is some 1,000 times slower. */
const FOR_MIRI = [
  "names::",
  "result::base64::",
  "result::carried::",
  "result::label::",
  "result::template::",
  "catalog::collation::",
  "cache::",
];

const root = fileURLToPath(new URL("..", import.meta.url));
if (process.platform !== "linux") {
  console.log("skipped: the sanitizers are tried on Linux only");
  process.exit(0);
}
const { name, cargo, env } = toolchain(process.argv.includes("--stable"));
const host = spawnSync("rustc", ["-vV"], { cwd: root, encoding: "utf8" }).stdout.match(/^host: (.+)$/m)?.[1] ?? "";
console.log(`sanitize: ${name}, ${host}`);

const asan = spawnSync(
  "cargo",
  [...cargo, "test", "--lib", "--locked", "--target", host, "--target-dir", "target/asan"],
  {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      ...env,
      RUSTFLAGS: "-Zsanitizer=address -Cforce-frame-pointers=yes",
      ASAN_OPTIONS: asanOptions("detect_leaks=1"),
      // The sanitizer's frames are several times as large as others, and the product's own threads have the size that a release build needs.
      CARGO_PROFILE_DEV_OPT_LEVEL: "1",
      // The tests' own threads, where they read what they compare.
      RUST_MIN_STACK: String(1 << 26),
      // Random tests have their full number of cases in `npm test`.
      PROPTEST_CASES: process.env.PROPTEST_CASES ?? "64",
    },
  },
);
process.stdout.write(asan.stdout);
const results = [...asan.stdout.matchAll(/test result: (\w+)\. (\d+) passed; (\d+) failed/g)];
const [passed, failed] = [2, 3].map((group) => results.reduce((sum, match) => sum + Number(match[group]), 0));
const clean = asan.status === 0 && passed !== undefined && passed > 0;

const miri = spawnSync("cargo", ["+nightly", "miri", "--version"], { cwd: root, encoding: "utf8" });
let interpreted = "Miri skipped: it is not installed (rustup component add miri --toolchain nightly)";
let sound = true;
if (miri.status === 0) {
  const { status } = spawnSync(
    "cargo",
    ["+nightly", "miri", "test", "--lib", "--target-dir", "target/miri", "--", ...FOR_MIRI],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      // The limits of Miri, not of the product: proptest reads a file of former failures, the cache tests the clock.
      env: { ...process.env, MIRIFLAGS: "-Zmiri-disable-isolation", PROPTEST_CASES: "4" },
    },
  );
  sound = status === 0;
  interpreted = `Miri (${miri.stdout.trim()}): ${sound ? "clean" : "a fault; see above"}`;
}
console.log(
  `AddressSanitizer, LeakSanitizer: ${passed} passed, ${failed} failed${clean ? "" : "; a fault, see above"}`,
);
console.log(interpreted);
process.exit(clean && sound ? 0 : 1);
