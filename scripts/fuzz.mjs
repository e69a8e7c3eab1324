/**
 * `npm run fuzz [-- <target>…] [--seconds N] [--stable]`: every target of `fuzz/`, or those named, for N seconds each (60), under AddressSanitizer.
 *
 * Sets itself up: cargo-fuzz is built once where it is not installed. The corpus stays in `fuzz/corpus/`, so a later run goes on from where this one
 * ended. Ends with an error where an input crashes a target, takes more than ten seconds or more than 2 GB, and names the file that holds it.
 */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { drift } from "./fuzz/drift.mjs";
import { writeSeeds } from "./fuzz/seeds.mjs";
import { asanOptions, toolchain } from "./fuzz/toolchain.mjs";

/** The longest input of each target, in bytes: where the work grows faster than its size, shorter ones are tried more often. */
const TARGETS = {
  page: 16_384,
  walk: 8_192,
  descriptor: 8_192,
  validate: 8_192,
  call_result: 16_384,
  prompt: 8_192,
  resource: 8_192,
};
const TIMEOUT_SECONDS = 10;
const RSS_LIMIT_MB = 2_048;
const CARGO_FUZZ = "0.13.2";

const root = fileURLToPath(new URL("..", import.meta.url));
const fuzz = join(root, "fuzz");
const tools = join(fuzz, "target", "tools");
const { targets, seconds, stable } = options(process.argv.slice(2));

if (process.platform === "win32") {
  console.log("skipped: libFuzzer with AddressSanitizer is tried on Linux and macOS only");
  process.exit(0);
}
const problems = drift(root);
if (problems.length > 0) fail(problems.join("\nfuzz: "));
const { name, cargo, env } = toolchain(stable);
console.log(`fuzz: ${name}`);
const PATH = `${join(tools, "bin")}:${process.env.PATH}`;
const environment = { ...process.env, ...env, PATH, ASAN_OPTIONS: asanOptions() };
if (spawnSync("cargo-fuzz", ["--version"], { env: environment }).status !== 0) {
  console.log(`fuzz: cargo install cargo-fuzz, into ${relative(root, tools)}`);
  const args = ["install", "--locked", "--version", CARGO_FUZZ, "--root", tools, "cargo-fuzz"];
  // Its own build needs nothing of a nightly compiler.
  const { status } = spawnSync("cargo", args, {
    cwd: root,
    stdio: "inherit",
    env: withoutTargetDir(),
  });
  if (status !== 0) fail("cargo-fuzz does not build. Is the crates registry reachable?");
}
const seeds = join(fuzz, "target", "seeds");
writeSeeds(root, seeds);

console.log("fuzz: building the targets");
const build = ["fuzz", "build", ...(targets.length === 1 ? targets : [])];
if (
  spawnSync("cargo", [...cargo, ...build], { cwd: root, stdio: ["ignore", "inherit", "inherit"], env: environment })
    .status !== 0
) {
  fail("the targets do not build; the compiler's message stands above. A C++ compiler is needed besides Rust.");
}

let [tried, crashes] = [0, 0];
for (const target of targets) {
  const run = fuzzed(target);
  tried += run.tried;
  if (run.crash) crashes += 1;
  console.log(
    `${target}: ${run.tried} inputs tried, ${run.speed}/s, corpus of ${run.corpus}, ${run.crash ? `1 crash: ${run.crash}` : "0 crashes"}`,
  );
}
console.log(`${targets.length} targets, ${tried} inputs tried, ${crashes} crashes`);
process.exit(crashes === 0 ? 0 : 1);

/** One target for its time. @param {string} target */
function fuzzed(target) {
  const corpus = join(fuzz, "corpus", target);
  const artifacts = join(fuzz, "artifacts", target);
  const logs = join(fuzz, "target", "logs");
  for (const folder of [corpus, artifacts, logs]) mkdirSync(folder, { recursive: true });
  const before = new Set(readdirSync(artifacts));
  const committed = join(fuzz, "seeds", target);
  const inputs = [corpus, join(seeds, target), ...(existsSync(committed) ? [committed] : [])];
  const log = join(logs, `${target}.log`);
  const output = openSync(log, "w");
  const { status } = spawnSync(
    "cargo",
    [
      ...cargo,
      "fuzz",
      "run",
      target,
      ...inputs,
      "--",
      `-max_total_time=${seconds}`,
      `-timeout=${TIMEOUT_SECONDS}`,
      `-rss_limit_mb=${RSS_LIMIT_MB}`,
      `-max_len=${TARGETS[/** @type {keyof typeof TARGETS} */ (target)]}`,
      `-dict=${join(fuzz, "json.dict")}`,
      "-print_final_stats=1",
    ],
    { cwd: root, stdio: ["ignore", output, output], env: environment },
  );
  closeSync(output);
  const text = readFileSync(log, "latin1");
  /** @param {RegExp} pattern */
  const number = (pattern) => Number([...text.matchAll(pattern)].at(-1)?.[1] ?? 0);
  const tried = number(/^stat::number_of_executed_units:\s*(\d+)/gm);
  let crash = "";
  if (status !== 0) {
    const artifact = readdirSync(artifacts).find(
      (file) => !before.has(file) && /^(crash|timeout|oom|leak)-/.test(file),
    );
    const why = text.match(/panicked at [^\n]*\n[^\n]*|ERROR: [^\n]*/)?.[0].replace("\n", " ") ?? "it ended";
    crash = `${artifact ? relative(root, join(artifacts, artifact)) : "no input"} (${why}); see ${relative(root, log)}`;
  } else if (tried === 0) {
    crash = `nothing was tried; see ${relative(root, log)}`;
  }
  const corpusSize = number(/ corp: (\d+)\//g);
  return { tried, speed: number(/^stat::average_exec_per_sec:\s*(\d+)/gm), corpus: corpusSize, crash };
}

/** @param {string[]} args */
function options(args) {
  const named = [];
  let seconds = 60;
  let stable = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? "";
    if (arg === "--stable") stable = true;
    else if (arg === "--seconds") seconds = Number(args[++at]);
    else if (arg.startsWith("--seconds=")) seconds = Number(arg.slice("--seconds=".length));
    else if (arg in TARGETS) named.push(arg);
    else fail(`no target ${JSON.stringify(arg)}; there are ${Object.keys(TARGETS).join(", ")}`);
  }
  if (!(Number.isInteger(seconds) && seconds > 0)) fail("--seconds wants a positive integer");
  return { targets: named.length > 0 ? named : Object.keys(TARGETS), seconds, stable };
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(`fuzz: ${message}`);
  process.exit(1);
}

/** The tool is built in a folder of its own, wherever the caller has cargo build. */
function withoutTargetDir() {
  const { CARGO_TARGET_DIR: _, ...env } = process.env;
  return env;
}
