import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const script = `
  import { fromMCPTool } from "./index.js";
  import { zodToJsonSchema } from "zod-to-json-schema";
  import * as zod from "zod";
  import { z } from "zod/v3";
  import { toJSONSchema } from "zod/v4";
  const inputSchema = { type: "object", properties: { path: { type: "string", description: "where it is" } }, required: ["path"] };
  const { parameters } = fromMCPTool({ name: "t", inputSchema }, { callTool: async () => ({}) });
  console.log(JSON.stringify({
    isZod4: "toJSONSchema" in zod,
    isObject: parameters instanceof z.ZodObject,
    shown: zodToJsonSchema(parameters, { $refStrategy: "none" }).properties.path,
    exact: toJSONSchema(parameters).properties,
    valid: [{ path: "a" }, { path: 1 }].map((args) => parameters.safeParse(args).success),
  }));
`;

describe("the model is shown a parameter's description (R1, R14)", () => {
  it.each([
    ["zod 4", [], true],
    ["zod 3.25", ["--import", "./scripts/zod3.mjs"], false],
  ])("in an application with %s", async (_, flags, isZod4) => {
    const args = [...flags, "--input-type=module", "-e", script];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: root });
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      isZod4,
      isObject: true,
      shown: { type: "string", description: "where it is" },
      exact: { path: { type: "string", description: "where it is" } },
      valid: [true, false],
    });
  });
});
