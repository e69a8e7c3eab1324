/** Registered names through `equipMCP` (section 2 of the spec, option `toolNames`), with what is known of real servers' names. */
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith } from "../support/clients.js";
import { caseOf } from "./cases.js";

const PORTABLE = /^[A-Za-z0-9_-]{1,64}$/;

/** @param {object[]} tools @param {object} [options] @returns {Promise<any>} */
const kitOf = (tools, options) => inAgent(() => equipMCP(clientWith(...tools), { clientId: "names", ...options }));

/** The native name that the server is called by. @param {any} tool */
const called = async (tool) => JSON.parse(await tool.handler({})).name;

/** @param {any} kit */
const byNative = (kit) => new Map(kit.tools.map((/** @type {any} */ tool) => [tool.mcp.name, tool.name]));

describe("shared cases", () => {
  it("N01-dots", async () => {
    const { tools, call } = caseOf("N01-dots");
    const kit = await kitOf(tools, { toolNames: "portable" });
    expect(Object.keys(kit.toolMap)).toEqual(["calendar_updateEvent", "docs_create"]);
    expect(await called(kit.toolMap.calendar_updateEvent)).toBe(call);
  });

  it("N03-too-long", async () => {
    const { serverName, tools } = caseOf("N03-too-long");
    const options = { namespace: serverName, toolNames: "portable" };
    const [first, second] = [await kitOf(tools, options), await kitOf(tools, options)];
    expect(first.tools[0].name).toMatch(PORTABLE);
    expect(first.tools[0].name).toBe(second.tools[0].name);
    expect(first.tools[0].mcp.name).toBe(tools[0].name);
    expect(await called(first.tools[0])).toBe(tools[0].name);
  });

  it("N04-truncation-collision", async () => {
    const { serverName, tools } = caseOf("N04-truncation-collision");
    const options = { namespace: serverName, toolNames: "portable" };
    const kit = await kitOf(tools, options);
    expect(new Set(kit.tools.map((/** @type {any} */ { name }) => name)).size).toBe(2);
    for (const tool of kit.tools) {
      expect(tool.name).toMatch(PORTABLE);
      expect(await called(tool)).toBe(tool.mcp.name);
    }
    expect(byNative(await kitOf(tools.toReversed(), options))).toEqual(byNative(kit));
    // A name that is long by itself is cut the same way whether its rival is there or not.
    expect(byNative(await kitOf([tools[1]], options)).get(tools[1].name)).toBe(byNative(kit).get(tools[1].name));
  });

  it("N06-same-name-two-servers", async () => {
    const { servers } = caseOf("N06-same-name-two-servers");
    const clients = Object.entries(servers).map(([id, { tools }]) => {
      const callTool = vi.fn(async (/** @type {any} */ _name, /** @type {any} */ _args) => ({
        content: [{ type: "text", text: id }],
      }));
      return { id, client: { listTools: async () => ({ tools }), callTool } };
    });
    await inAgent(async () => {
      const kits = [];
      for (const { id, client } of clients) {
        kits.push(/** @type {any} */ (await equipMCP(client, { clientId: id, namespace: id })));
      }
      for (const kit of kits) kit.inject();
      expect(await Promise.all([kits[0].toolMap.a_query.handler({}), kits[1].toolMap.b_query.handler({})])).toEqual([
        "a",
        "b",
      ]);
    });
    for (const { client } of clients) expect(client.callTool.mock.calls).toEqual([["query", {}]]);
    // Without namespaces core's own error says so: nothing is overwritten.
    const both = inAgent(async () => {
      for (const { id, client } of clients) (await equipMCP(client, { clientId: id })).inject();
    });
    await expect(both).rejects.toMatchObject({ name: "DuplicateToolNameError" });
  });

  it("N07-empty-after-sanitising", async () => {
    const { tools } = caseOf("N07-empty-after-sanitising");
    const kit = await kitOf(tools, { toolNames: "portable" });
    const names = kit.tools.map((/** @type {any} */ { name }) => name);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(PORTABLE);
    for (const tool of kit.tools) expect(await called(tool)).toBe(tool.mcp.name);
  });

  it("N09-duplicate-in-one-server", async () => {
    const { tools } = caseOf("N09-duplicate-in-one-server");
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const kit = await kitOf(tools);
    const messages = warned.mock.calls.map(([message]) => String(message));
    warned.mockRestore();
    expect(kit.tools.map((/** @type {any} */ tool) => [tool.name, tool.description])).toEqual([["search", "v1"]]);
    expect(messages).toEqual([expect.stringContaining('"search"')]);
  });

  it("N10-prototype-names", async () => {
    const { tools } = caseOf("N10-prototype-names");
    for (const toolNames of ["native", "portable"]) {
      const kit = await kitOf(tools, { toolNames });
      expect(Object.keys(kit.toolMap).sort()).toEqual(["__proto__", "constructor", "then", "toString"]);
      for (const { name } of tools) expect(await called(kit.toolMap[name])).toBe(name);
      expect(kit.toolMap.valueOf).toBeUndefined();
      expect(await kit.toolMap).toBe(kit.toolMap);
    }
  });
});

describe("native names", () => {
  it("are the server's, after the namespace; the filter and the call take the server's", async () => {
    const client = clientWith("a.b", "c");
    const kit = /** @type {any} */ (
      await inAgent(() => equipMCP(client, { clientId: "x", namespace: "ns", tools: ["a.b"] }))
    );
    expect(Object.keys(kit.toolMap)).toEqual(["ns_a.b"]);
    expect(await called(kit.toolMap["ns_a.b"])).toBe("a.b");
  });
});

describe("portable names", () => {
  it("hold for every list and every order of it", async () => {
    const name = fc.string({ minLength: 1, maxLength: 90, unit: "grapheme" }).filter((text) => text.isWellFormed());
    const list = fc.uniqueArray(name, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(list, fc.option(name, { nil: undefined }), async (natives, namespace) => {
        const tools = natives.map((native) => ({ name: native }));
        const kit = await kitOf(tools, { namespace, toolNames: "portable" });
        const names = byNative(kit);
        for (const registered of names.values()) expect(registered).toMatch(PORTABLE);
        expect(new Set(names.values()).size).toBe(natives.length);
        const reversed = await kitOf(tools.toReversed(), { namespace, toolNames: "portable" });
        expect(byNative(reversed)).toEqual(names);
        for (const tool of kit.tools) expect(await called(tool)).toBe(tool.mcp.name);
      }),
      { numRuns: 60 },
    );
  });

  it("leave a good name as it is", async () => {
    const kit = await kitOf([{ name: "read_file-2" }], { namespace: "fs", toolNames: "portable" });
    expect(Object.keys(kit.toolMap)).toEqual(["fs_read_file-2"]);
  });

  it("a suffix is eight digits of the native name's hash", async () => {
    const kit = await kitOf([{ name: "a.b" }, { name: "a/b" }], { toolNames: "portable" });
    for (const [, registered] of byNative(kit)) expect(registered).toMatch(/^a_b_[0-9a-f]{8}$/);
  });
});

describe("names by a function", () => {
  it("get the native name and the namespace", async () => {
    const toolNames = vi.fn(
      (/** @type {string} */ native, /** @type {string | undefined} */ namespace) => `${namespace}/${native}`,
    );
    const kit = await kitOf([{ name: "a" }, { name: "b" }], { namespace: "n", toolNames });
    expect(Object.keys(kit.toolMap)).toEqual(["n/a", "n/b"]);
    expect(toolNames.mock.calls).toEqual([
      ["a", "n"],
      ["b", "n"],
    ]);
    expect(await called(kit.toolMap["n/b"])).toBe("b");
  });

  it("that collide, or are no names, are refused with the tools named", async () => {
    await expect(kitOf([{ name: "a" }, { name: "b" }], { toolNames: () => "same" })).rejects.toThrow(
      'equipMCP: the tools "a" and "b" would both be registered as "same" (option toolNames)',
    );
    await expect(kitOf([{ name: "a" }], { toolNames: () => "" })).rejects.toThrow(
      'equipMCP: expected the option toolNames to give a non-empty string for "a", got ""',
    );
    await expect(kitOf([{ name: "a" }], { toolNames: () => 7 })).rejects.toThrow(TypeError);
  });
});
