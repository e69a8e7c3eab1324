/** The Rust toolchain for what only a nightly compiler does: sanitizers, coverage for a fuzzer, Miri. */
import { spawnSync } from "node:child_process";
import process from "node:process";

/**
 * Nightly where it is installed; else the stable one, which has the sanitizers' runtimes too, told to let them be used.
 * @param {boolean} stable the stable one in any case
 * @returns {{ name: string, cargo: string[], env: Record<string, string> }} `cargo` goes before the other arguments of cargo
 */
export function toolchain(stable) {
  const nightly = !stable && spawnSync("cargo", ["+nightly", "--version"], { encoding: "utf8" });
  if (nightly && nightly.status === 0) return { name: nightly.stdout.trim(), cargo: ["+nightly"], env: {} };
  const { status, stdout } = spawnSync("cargo", ["--version"], { encoding: "utf8" });
  if (status !== 0) {
    console.error("no Rust toolchain: `cargo --version` does not run. Install Rust 1.88 or later and run this again.");
    process.exit(1);
  }
  return { name: `${stdout.trim()}, with RUSTC_BOOTSTRAP`, cargo: [], env: { RUSTC_BOOTSTRAP: "1" } };
}

/**
 * Sanitizers' options: what the caller says comes last and wins. The meter of a validation measures the stack by the address of a variable
 * (`src/schema/metered.rs`), which must not be moved to the heap.
 * @param {string[]} options
 */
export function asanOptions(...options) {
  const said = process.env.ASAN_OPTIONS;
  return ["detect_stack_use_after_return=0", ...options, ...(said ? [said] : [])].join(":");
}
