import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const script = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

// All runtimes run these in `npm run test:runtimes`; here it is the Node that runs the tests. Both end by themselves, or this does not.
it.each(["workers.mjs", "integration.mjs"])(
  "%s holds, and its process ends by itself",
  { timeout: 90_000 },
  async (name) => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script(name)], { timeout: 80_000 });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^(?:holds: .*\n)+$/);
  },
);
