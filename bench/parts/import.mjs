/** What importing the package costs a process that has core already. */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { quantile } from "../support/measure.mjs";

export const title = "`import` in a new process";
export const note =
  "Each number is the time of the `import()` itself, median of 15 processes in turns; ours is with `@rejelly/core` and zod loaded already, since an application has both. " +
  "The peers load their own frameworks.";

const ROUNDS = 15;
const here = fileURLToPath(new URL("..", import.meta.url));

/** Milliseconds that `wanted` takes once `first` are there. @param {string[]} first @param {string} wanted */
function once(first, wanted) {
  const script = [
    ...first.map((name) => `await import(${JSON.stringify(name)});`),
    "const start = performance.now();",
    `await import(${JSON.stringify(wanted)});`,
    "process.stdout.write(String(performance.now() - start));",
  ].join("\n");
  const { stdout, status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: here,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const own = new URL("../../index.js", import.meta.url).href;
  /** @type {Record<string, () => number>} */
  const variants = {
    ours: () => once(["@rejelly/core"], own),
    "@rejelly/core alone": () => once([], "@rejelly/core"),
    "@langchain/mcp-adapters": () => once([], "@langchain/mcp-adapters"),
    "@ai-sdk/mcp": () => once([], "@ai-sdk/mcp"),
    "@openai/agents": () => once([], "@openai/agents"),
  };
  /** @type {Record<string, number[]>} */
  const samples = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, measure] of Object.entries(variants)) {
      const value = measure();
      samples[name] ??= [];
      samples[name].push(value);
    }
  }
  const times = Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, quantile(values, 0.5)]));
  return [{ name: "import", unit: "ms", target: 15, times }];
}
