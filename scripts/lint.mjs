/** `npm run lint`: formatting, lints and freshness, as CI runs them. */
import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { drift } from "./fuzz/drift.mjs";
import { runSteps } from "./steps.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A server for the tests, a package of its own. */
const server = ["--manifest-path", "__test__/integration/servers/rmcp/Cargo.toml"];
/** The fuzzer's targets, a workspace of its own; without libFuzzer, which needs a C++ compiler. */
const fuzz = ["--manifest-path", "fuzz/Cargo.toml"];
const { failed } = runSteps([
  { name: "cargo fmt", command: "cargo", args: ["fmt", "--check"] },
  { name: "cargo fmt, rmcp server", command: "cargo", args: ["fmt", "--check", ...server] },
  { name: "cargo fmt, fuzz targets", command: "cargo", args: ["fmt", "--check", ...fuzz] },
  {
    name: "clippy",
    command: "cargo",
    args: ["clippy", "--quiet", "--locked", "--all-targets", "--", "-D", "warnings"],
  },
  {
    name: "clippy, rmcp server",
    command: "cargo",
    args: ["clippy", "--quiet", "--locked", "--all-targets", ...server, "--", "-D", "warnings"],
  },
  {
    name: "clippy, fuzz targets",
    command: "cargo",
    args: ["clippy", "--quiet", "--locked", "--bins", "--no-default-features", ...fuzz, "--", "-D", "warnings"],
  },
  { name: "biome", command: "npx", args: ["--no-install", "biome", "ci", "--error-on-warnings", "."] },
  { name: "workflows", command: "node", args: ["scripts/workflows.mjs"] },
]);
const problems = [...napiOutsideItsRoom(), ...foreignPlaces(), ...drift(root)];
for (const problem of problems) console.error(`lint: ${problem}`);
process.exit(failed === 0 && problems.length === 0 ? 0 : 1);

/** @param {string[]} args */
function gitGrep(args) {
  try {
    return execFileSync("git", ["grep", "-nIE", ...args], { cwd: root, encoding: "utf8" })
      .trim()
      .split("\n");
  } catch {
    return [];
  }
}

/** Only `src/node/`, `lib.rs` and `build.rs` may know napi (architecture, point 1). */
function napiOutsideItsRoom() {
  return gitGrep(["\\bnapi(_derive)?::|#\\[napi", "--", "src/*.rs"])
    .filter((line) => !/^src\/(node\/|lib\.rs)/.test(line))
    .map((line) => `napi is named outside src/node/: ${line}`);
}

/** A registry's host or a path of somebody's machine works nowhere else. The patterns are written so that they do not find themselves. */
function foreignPlaces() {
  return gitGrep([
    "registry\\.npmj[s]\\.org|(index|static)\\.crates\\.i[o]|pythonhosted\\.or[g]|/wor[k]/|/hom[e]/[a-z]|/root[/]",
  ]).map((line) => `a registry's host or a machine's path: ${line.slice(0, 160)}`);
}
