import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { loadMcpToolCatalog, McpProtocolError, normalizeMcpCallResult, normalizeMcpToolCatalog } from "../../index.js";
import { native } from "../../js/binding.js";
import { clientWith, pagedClient } from "../support/clients.js";

const tool = (/** @type {object} */ rest) => ({ name: "t", ...rest });

/** What produces each code. @type {Record<string, () => unknown>} */
const produced = {
  invalid_catalog_shape: () => loadMcpToolCatalog(pagedClient(() => 7)),
  invalid_tool_name: () => normalizeMcpToolCatalog([{ name: "" }]),
  invalid_tool_description: () => normalizeMcpToolCatalog([tool({ description: 5 })]),
  invalid_tool_schema: () => normalizeMcpToolCatalog([tool({ inputSchema: [] })]),
  duplicate_tool_name: () => normalizeMcpToolCatalog([tool({}), tool({})]),
  invalid_cursor: () => loadMcpToolCatalog(pagedClient(() => ({ tools: [], nextCursor: 5 }))),
  invalid_catalog_limit: () => loadMcpToolCatalog(clientWith("a"), { maxItems: 0 }),
  catalog_limit_exceeded: () => loadMcpToolCatalog(clientWith("a", "b"), { maxItems: 1 }),
  cursor_cycle: () => loadMcpToolCatalog(pagedClient(() => ({ tools: [], nextCursor: "again" }))),
  invalid_call_result: () => normalizeMcpCallResult({ content: [{ type: "text" }] }),
};

describe("the table of error codes", () => {
  it.each(native.protocolErrorCodes())("%s is produced, and documented in index.d.ts", async (code) => {
    const error = await Promise.resolve()
      .then(produced[code])
      .catch((/** @type {unknown} */ e) => e);
    expect(error).toBeInstanceOf(McpProtocolError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: "McpProtocolError", code });
    expect(/** @type {Error} */ (error).message).toMatch(/expected|got|comes twice/);
    const types = await readFile(new URL("../../index.d.ts", import.meta.url), "utf8");
    expect(types).toContain(`- \`${code}\`: `);
    expect(types).toContain(`| "${code}"`);
  });

  it("names every code that the types name", async () => {
    const types = await readFile(new URL("../../index.d.ts", import.meta.url), "utf8");
    const [, union = ""] = types.match(/type McpProtocolErrorCode =(.*?);/s) ?? [];
    expect([...union.matchAll(/"(\w+)"/g)].map(([, code]) => code)).toEqual(native.protocolErrorCodes());
  });
});

describe("McpProtocolError", () => {
  it("has what it is given", () => {
    const cause = new TypeError("why");
    const error = new McpProtocolError("message", { code: "invalid_tool_schema", toolName: "t", cause });
    expect(error).toMatchObject({ message: "message", code: "invalid_tool_schema", toolName: "t", cause });
    expect(String(error)).toBe("McpProtocolError: message");
    expect(Object.hasOwn(new McpProtocolError("m", { code: "cursor_cycle" }), "cause")).toBe(false);
    expect("toolName" in new McpProtocolError("m", { code: "cursor_cycle" })).toBe(false);
  });

  it.each([
    ["a function", () => {}],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
    ["NaN", Number.NaN],
    [
      "a cycle",
      (() => {
        const cycle = /** @type {any} */ ({});
        cycle.self = cycle;
        return cycle;
      })(),
    ],
  ])("a schema that holds %s has the underlying error as its cause, and names the tool (R7)", (_, part) => {
    const bad = { name: "bad", inputSchema: { type: "object", properties: { p: part } } };
    const error = (() => {
      try {
        return normalizeMcpToolCatalog([tool({}), bad]);
      } catch (e) {
        return e;
      }
    })();
    expect(error).toMatchObject({ code: "invalid_tool_schema", toolName: "bad", cause: expect.any(TypeError) });
  });
});
