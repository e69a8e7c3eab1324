/** `npm test`: the Rust tests, the integration tests, the types. Ends with a line `N passed, N failed`. */
import process from "node:process";
import { runSteps } from "./steps.mjs";

/** @param {RegExp} pattern @param {string} output */
const sum = (pattern, output) => [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);

/** @type {(output: string) => { passed: number; failed: number }} */
const cargoCounts = (output) => ({
  passed: sum(/test result: \w+\. (\d+) passed/g, output),
  failed: sum(/test result: \w+\. \d+ passed; (\d+) failed/g, output),
});

/** @type {(output: string) => { passed: number; failed: number }} */
const vitestCounts = (output) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: vitest colours its summary
  const summary = output.replace(/\u001b\[[\d;]*m/g, "").match(/^\s*Tests\s+.*$/m)?.[0] ?? "";
  return { passed: sum(/(\d+) passed/g, summary), failed: sum(/(\d+) failed/g, summary) };
};

const { passed, failed } = runSteps([
  { name: "cargo test", command: "cargo", args: ["test", "--quiet", "--locked"], tests: cargoCounts },
  { name: "tsc", command: "npx", args: ["--no-install", "tsc", "-p", "."] },
  { name: "vitest", command: "npx", args: ["--no-install", "vitest", "run"], tests: vitestCounts },
]);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
