import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equipMCP, loadMcpToolCatalog, McpProtocolError, normalizeMcpToolCatalog } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith, pagedClient } from "../support/clients.js";
import { casesOf } from "../support/shared.js";

/** @param {any} client @param {object} [options] */
const equip = (client, options) => inAgent(() => equipMCP(client, { clientId: "c", ...options }));
/** @param {any} client @param {object} [options] */
const names = async (client, options) => (await equip(client, options)).tools.map(({ name }) => name);
/** @param {...string} list */
const tools = (...list) => list.map((name) => ({ name, inputSchema: { type: "object" } }));

/** The answer of a case's server. @param {any} input */
function serverOf({ pages, always, byRequest }) {
  return pagedClient((cursor) => {
    if (always) return always;
    if (byRequest) return byRequest.find((/** @type {any} */ entry) => entry.cursor === (cursor ?? null)).result;
    const page = pages[cursor ?? ""];
    return page.error ? Object.assign(new Error(page.error.message), { code: page.error.code }) : page;
  });
}

/**
 * What each case comes to. P06 and P07: the specification (R3) ends a repeated cursor with `cursor_cycle`, so that a list that may be
 * half is never taken for whole.
 * @type {Record<string, (client: any) => Promise<void>>}
 */
const pagination = {
  "P01-first-page-only": async (client) => {
    expect(await names(client)).toEqual(["a", "b", "c"]);
    expect(client.asked).toEqual([undefined, "p2", "p3"]);
  },
  "P03-empty-string-forever": async (client) => {
    expect(await names(client)).toEqual(["a", "b"]);
    expect(client.asked.length).toBe(2);
    expect((await loadMcpToolCatalog(client)).length).toBe(2);
  },
  "P04-empty-string-is-a-cursor": async (client) => {
    expect(await names(client)).toEqual(["first", "second"]);
    expect(client.asked).toEqual([undefined, ""]);
  },
  "P06-non-advancing": async (client) => {
    await expect(equip(client)).rejects.toMatchObject({ name: "McpProtocolError", code: "cursor_cycle" });
    expect(client.asked).toEqual([undefined, "same"]);
  },
  "P07-cycle": async (client) => {
    await expect(equip(client)).rejects.toMatchObject({ code: "cursor_cycle" });
    expect(client.asked.length).toBeLessThanOrEqual(4);
  },
  "P09-empty-middle-page": async (client) => expect(await names(client)).toEqual(["a", "b"]),
  "P10-fails-mid-way": async (client) => {
    await expect(equip(client)).rejects.toMatchObject({ code: -32603, message: "boom" });
    expect(client.asked.length).toBe(2);
  },
};

describe("cases of pagination", () => {
  for (const { id, input } of casesOf("pagination")) {
    it(id, async () => {
      const check = pagination[id];
      if (!check) throw new Error(`The case ${id} has no expectation here yet`);
      await check(serverOf(input));
    });
  }
});

describe("cases of listing errors", () => {
  it("E09: a null in an optional field is an absent field", async () => {
    const client = clientWith("good", {
      name: "bad",
      inputSchema: { type: "object" },
      description: null,
      title: null,
      annotations: { readOnlyHint: null, title: null },
    });
    const kit = await equip(client);
    expect(kit.tools.map(({ name }) => name)).toEqual(["bad", "good"]);
    expect(kit.toolMap.bad?.mcp).toMatchObject({ name: "bad", annotations: {} });
    expect(kit.toolMap.bad?.mcp).not.toHaveProperty("title");
  });

  it("E10: one bad tool fails by default, and is left out when asked, the others usable", async () => {
    const client = clientWith(
      "good",
      { name: "nil", inputSchema: null },
      { name: "none" },
      { name: "str", inputSchema: { type: "string" } },
      { name: "propsArray", inputSchema: { type: "object", properties: [] } },
      { name: "unsat", inputSchema: { type: "object", properties: { a: { type: "nonsense" } } } },
      "good2",
    );
    await expect(equip(client)).rejects.toMatchObject({ code: "invalid_tool_schema", toolName: "nil" });
    const warnings = /** @type {string[]} */ ([]);
    const listen = (/** @type {Error} */ warning) => warnings.push(warning.message);
    process.on("warning", listen);
    expect(await names(client, { onInvalidTool: "skip" })).toEqual([
      "good",
      "good2",
      "none",
      "propsArray",
      "str",
      "unsat",
    ]);
    await new Promise(setImmediate);
    process.off("warning", listen);
    expect(warnings.filter((message) => message.includes('"nil"'))).toHaveLength(1);
  });
});

describe("errors of the client (R4)", () => {
  it.each(["an error object", "a string", undefined, null])("passes on %s as it is", async (thrown) => {
    const error = thrown === "an error object" ? Object.assign(new Error("x"), { code: 7, data: {} }) : thrown;
    const client = {
      asked: 0,
      async listTools() {
        client.asked += 1;
        throw error;
      },
      callTool: async () => ({}),
    };
    const outcome = await equip(client).then(
      () => "resolved",
      (rejection) => ({ rejection }),
    );
    expect(outcome).toEqual({ rejection: error });
    if (error instanceof Error) expect(/** @type {any} */ (outcome).rejection).toBe(error);
    expect(client.asked).toBe(1);
  });

  it("passes on an error that listTools throws at once", async () => {
    const error = new RangeError("now");
    const client = {
      listTools() {
        throw error;
      },
      callTool: async () => ({}),
    };
    await expect(equip(client)).rejects.toBe(error);
  });
});

describe("limits and filters (R5, R6)", () => {
  it("collects at most maxItems, and fails a larger catalog", async () => {
    const client = clientWith("a", "b", "c");
    expect(await names(client, { maxItems: 2 })).toEqual(["a", "b"]);
    await expect(loadMcpToolCatalog(client, { maxItems: 2 })).rejects.toMatchObject({ code: "catalog_limit_exceeded" });
    expect(await loadMcpToolCatalog(client, { maxItems: 3 })).toHaveLength(3);
  });

  it("goes on until all tools of the filter are found, and stops there", async () => {
    const client = pagedClient((cursor) => ({
      tools: tools(`t${cursor ?? 0}`),
      nextCursor: String(Number(cursor ?? 0) + 1),
    }));
    expect(await names(client, { tools: ["t2", "t0", "t2"] })).toEqual(["t0", "t2"]);
    expect(client.asked).toEqual([undefined, "1", "2"]);
  });

  it("names every missing tool and the limit that was hit", async () => {
    const client = pagedClient((cursor) =>
      cursor ? { tools: tools("c") } : { tools: tools("a", "b"), nextCursor: "2" },
    );
    await expect(equip(client, { tools: ["x", "a", "y\n"] })).rejects.toThrow(/"x", "y\\n".*all 2 pages/);
    await expect(equip(client, { tools: ["c"], maxItems: 2 })).rejects.toThrow(/"c".*maxItems = 2/);
    await expect(equip(client, { tools: ["c"], autoPaginate: false })).rejects.toThrow(/"c".*autoPaginate: false/);
  });

  it("makes no request for an empty filter", async () => {
    const client = clientWith("a");
    expect(await names(client, { tools: [] })).toEqual([]);
    expect(client.asked).toEqual([]);
  });

  it("reads the first page only when asked", async () => {
    const client = pagedClient(() => ({ tools: tools("a"), nextCursor: "2" }));
    expect(await names(client, { autoPaginate: false })).toEqual(["a"]);
    expect(client.asked).toEqual([undefined]);
    expect(await loadMcpToolCatalog(client, { autoPaginate: false })).toHaveLength(1);
  });

  it("warns once when tools beyond maxItems are not used", async () => {
    const warnings = /** @type {any[]} */ ([]);
    const listen = (/** @type {Error} */ warning) => warnings.push(warning);
    process.on("warning", listen);
    for (let n = 0; n < 2; n += 1) await equip(clientWith("a", "b"), { clientId: "many", maxItems: 1 });
    await new Promise(setImmediate);
    process.off("warning", listen);
    expect(warnings.map(({ code, message }) => [code, message])).toEqual([
      ["REJELLY_MCP_TRUNCATED", 'The MCP server "many" has more than 1 tools; the first 1 are used (option maxItems)'],
    ]);
  });
});

describe("the catalog (R7, R8)", () => {
  it("takes array answers and object answers", async () => {
    expect(await names(pagedClient(() => tools("b", "a")))).toEqual(["a", "b"]);
    expect(await names(pagedClient(() => ({ tools: tools("a"), nextCursor: null })))).toEqual(["a"]);
  });

  it("keeps the first of two tools of one name in a kit, and refuses them in a catalog", async () => {
    const client = clientWith({ name: "s", description: "v1" }, { name: "s", description: "v2" });
    expect((await equip(client)).tools.map(({ description }) => description)).toEqual(["v1"]);
    await expect(loadMcpToolCatalog(client)).rejects.toMatchObject({ code: "duplicate_tool_name", toolName: "s" });
    expect(() => normalizeMcpToolCatalog(tools("s", "s"))).toThrow(
      expect.objectContaining({ code: "duplicate_tool_name" }),
    );
  });

  it("gives a tool without a schema one that takes any object", () => {
    expect(normalizeMcpToolCatalog([{ name: "a" }])).toEqual([
      { name: "a", inputSchema: { type: "object", properties: {} } },
    ]);
  });

  it("is a deeply frozen copy", () => {
    const schema = { type: "object", properties: { a: { type: "string", enum: ["x"] } } };
    const [tool] = normalizeMcpToolCatalog([{ name: "a", description: "d", inputSchema: schema, extra: 1 }]);
    schema.properties.a.enum.push("later");
    expect(tool).toEqual({
      name: "a",
      description: "d",
      inputSchema: { type: "object", properties: { a: { type: "string", enum: ["x"] } } },
    });
    /** @param {any} value */
    const isDeeplyFrozen = (value) =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));
    expect(isDeeplyFrozen(tool)).toBe(true);
    expect(Object.isFrozen(normalizeMcpToolCatalog([]))).toBe(true);
  });

  it("keeps keys such as __proto__ and the order of properties", () => {
    const text = '{"type":"object","properties":{"z":{},"__proto__":{"type":"number"},"constructor":{},"a":{}}}';
    const [tool] = normalizeMcpToolCatalog([{ name: "a", inputSchema: JSON.parse(text) }]);
    expect(JSON.stringify(tool?.inputSchema)).toBe(text);
    expect(/** @type {any} */ ({}).type).toBeUndefined();
  });

  it("orders names as localeCompare does, over the characters that MCP names allow", () => {
    const name = fc.string({ unit: fc.constantFrom(..."abcxyzABCXYZ0189_-./"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), (list) => {
        const ordered = normalizeMcpToolCatalog(tools(...list)).map((tool) => tool.name);
        expect(ordered).toEqual([...list].sort((a, b) => a.localeCompare(b, "en")));
      }),
    );
  });

  it("orders every pair of printable ASCII as localeCompare does", () => {
    const characters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
    const ordered = normalizeMcpToolCatalog(tools(...characters.map((c) => `x${c}`))).map((tool) => tool.name);
    expect(ordered).toEqual(characters.map((c) => `x${c}`).sort((a, b) => a.localeCompare(b, "en")));
  });
});

describe("random pages", () => {
  it("the walk always ends, within its limits", async () => {
    const odd = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant(undefined), fc.constant({}));
    const tool = fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record({ name: fc.string({ maxLength: 3 }), inputSchema: fc.constant({ type: "object" }) }),
      },
      { weight: 1, arbitrary: odd },
    );
    const page = fc.record({
      tools: fc.oneof({ weight: 9, arbitrary: fc.array(tool, { maxLength: 4 }) }, { weight: 1, arbitrary: odd }),
      nextCursor: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom("", "a", "b", "c", "d") },
        { weight: 2, arbitrary: odd },
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom("first", "", "a", "b", "c", "d"), fc.oneof({ weight: 9, arbitrary: page }, odd)),
        fc.boolean(),
        async (pages, skip) => {
          const client = pagedClient((cursor) => pages[cursor ?? "first"]);
          const result = await equip(client, { onInvalidTool: skip ? "skip" : "throw" }).catch((error) => error);
          expect(client.asked.length).toBeLessThanOrEqual(7);
          if (result instanceof Error) expect(result).toBeInstanceOf(McpProtocolError);
          else expect(new Set(result.tools.map((/** @type {any} */ t) => t.name)).size).toBe(result.tools.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
