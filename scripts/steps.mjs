/** Runs named commands one after the other and counts what passes, for `npm test` and `npm run lint`. */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {{ name: string; command: string; args: string[]; env?: Record<string, string>; tests?: (output: string) => { passed: number; failed: number } }} StepCommand
 * @param {StepCommand[]} steps
 * @returns {{ passed: number; failed: number }} tests where a step counts its own, else 1 for the step
 */
export function runSteps(steps) {
  let [passed, failed] = [0, 0];
  for (const { name, command, args, env, tests } of steps) {
    console.log(`\n── ${name}`);
    const { status, stdout = "" } = spawnSync(command, args, {
      cwd: root,
      stdio: ["inherit", tests ? "pipe" : "inherit", "inherit"],
      encoding: "utf8",
      maxBuffer: 1 << 28,
      env: { ...process.env, ...env },
      shell: process.platform === "win32",
    });
    if (tests) process.stdout.write(stdout);
    const counted = tests?.(stdout) ?? { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1 };
    passed += counted.passed;
    failed += counted.failed;
    // A runner that fails without a failed test (it did not compile, it crashed) has failed all the same.
    if (status !== 0 && counted.failed === 0) failed += 1;
  }
  return { passed, failed };
}
