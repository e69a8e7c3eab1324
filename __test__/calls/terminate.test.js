import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { hasRuntimes, nodeBinary } from "../support/runtimes.js";

const script = fileURLToPath(new URL("./terminate.mjs", import.meta.url));
const majors = hasRuntimes ? [20, 22, 24, 26] : [Number(process.versions.node.split(".")[0])];

describe("a worker thread that is terminated during a call or a walk (R22)", () => {
  it.each(majors)("takes nothing down on Node %i", { timeout: 150_000 }, async (major) => {
    const { stdout } = await promisify(execFile)(await nodeBinary(major), [script], { timeout: 60_000 });
    expect(JSON.parse(stdout)).toEqual({ ended: 24, tools: 1, version: expect.stringContaining(`v${major}.`) });
  });
});
