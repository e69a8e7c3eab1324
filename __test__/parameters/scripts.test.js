import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { compare } from "../../scripts/facts.mjs";
import { hasShared } from "../support/shared.js";

const cwd = fileURLToPath(new URL("../..", import.meta.url));
const run = (/** @type {string} */ script) =>
  promisify(execFile)(process.execPath, [script], { cwd, timeout: 120_000 });

describe("the measures of issue and contract", () => {
  it.skipIf(!hasShared)("the official suite passes in all five dialects (R17)", async () => {
    const { stdout } = await run("scripts/conformance.mjs");
    const lines = stdout.trim().split("\n");
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatch(/^draft\S+: (\d+)\/\1 passed, \d+ need a remote document$/);
  });

  it.skipIf(!hasShared)(
    "every fact of real catalogs is kept, none invented (R14, R15)",
    async () => {
      const { stdout } = await run("scripts/fidelity.mjs");
      const totals = stdout.split("\n").filter((line) => line.startsWith("| all |"));
      expect(totals).toHaveLength(2);
      for (const line of totals) expect(line).toMatch(/\| 100\.000 % \| 0 \| 100\.000 % \| 0 \|$/);
    },
    120_000,
  );

  it("the measure of fidelity sees what is lost and what is invented", () => {
    const sent = {
      type: "object",
      properties: { a: { type: "string", description: "d", minLength: 1, enum: ["x"], default: "x" } },
      required: ["a"],
      additionalProperties: false,
    };
    expect(compare(sent, sent)).toMatchObject({ lost: [], invented: [] });
    expect(compare(sent, { type: "object" }).lost).toHaveLength(8);
    expect(compare({ type: "object" }, sent).invented).toHaveLength(8);
    const changed = structuredClone(sent);
    changed.properties.a.minLength = 2;
    expect(compare(sent, changed)).toMatchObject({
      lost: [{ keyword: "minLength", value: 1 }],
      invented: [{ keyword: "minLength", value: 2 }],
    });
  });
});
