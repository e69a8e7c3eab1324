import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hasRuntimes, nodeBinary } from "../support/runtimes.js";

const script = fileURLToPath(new URL("./context.mjs", import.meta.url));

describe("the caller's async context inside the client (R22)", () => {
  // They differ: a threadsafe function has the context of its making up to 22, and none from 24 on.
  it.skipIf(!hasRuntimes).each([20, 22, 24, 26])("on Node %i", { timeout: 150_000 }, async (major) => {
    const { stdout } = await promisify(execFile)(await nodeBinary(major), [script]);
    const { version, seen, answers } = JSON.parse(stdout);
    expect(version).toMatch(new RegExp(`^v${major}\\.`));
    expect(answers).toEqual([
      ["u1", "u1", "u1"],
      ["u2", "u2", "u2"],
    ]);
    for (const [where, count] of Object.entries({
      listTools: 2,
      callTool: 2,
      afterAwait: 2,
      listPrompts: 2,
      getPrompt: 1,
      readResource: 1,
    })) {
      expect([where, seen[where].sort()]).toEqual([where, ["u1", "u2"].flatMap((user) => Array(count).fill(user))]);
    }
    expect(seen.inAgent).toEqual([true, true, true, true]);
  });

  it("a client that never answers keeps no process alive, and a slow native side does", async () => {
    const run = (/** @type {string} */ body) =>
      promisify(execFile)(process.execPath, ["--input-type=module", "-e", body], {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        timeout: 10_000,
      });
    const prelude = 'import { loadMcpToolCatalog } from "./index.js";';
    const silent = `${prelude} loadMcpToolCatalog({ listTools: () => new Promise(() => {}) }); console.log("started");`;
    expect((await run(silent)).stdout).toBe("started\n");
    const quick = `${prelude} console.log((await loadMcpToolCatalog({ listTools: async () => [{ name: "a" }] })).length);`;
    expect((await run(quick)).stdout).toBe("1\n");
  });
});
