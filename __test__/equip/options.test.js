import { describe, expect, it } from "vitest";
import { equipMCP, fromMCPTool, loadMcpToolCatalog } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith } from "../support/clients.js";

/** @type {[name: string, value: unknown, got: string][]} */
const bad = [
  ["clientId", undefined, "undefined"],
  ["clientId", "", '""'],
  ["clientId", 5, "5"],
  ["namespace", "", '""'],
  ["namespace", null, "null"],
  ["tools", "a", '"a"'],
  ["tools", ["a", 1], "an array"],
  ["tools", new Array(1), "an array"],
  ["maxItems", 0, "0"],
  ["maxItems", -1, "-1"],
  ["maxItems", 1.5, "1.5"],
  ["maxItems", Number.NaN, "NaN"],
  ["maxItems", 2 ** 53, "9007199254740992"],
  ["maxItems", "10", '"10"'],
  ["forceRefresh", 1, "1"],
  ["autoPaginate", "no", '"no"'],
  ["enableResources", null, "null"],
  ["middleware", {}, "an object"],
  ["middleware", [{ name: "m" }], "an array"],
  ["toolNames", "short", '"short"'],
  ["callTimeout", 0, "0"],
  ["callTimeout", Number.POSITIVE_INFINITY, "Infinity"],
  ["onProgress", "log", '"log"'],
  ["callStyle", "object", '"object"'],
  ["onInvalidTool", "ignore", '"ignore"'],
];

describe("bad options (R2)", () => {
  it.each(bad)("%s: %s", async (name, value, got) => {
    const client = clientWith("a");
    const equip = inAgent(() => equipMCP(client, /** @type {any} */ ({ clientId: "c", [name]: value })));
    await expect(equip).rejects.toThrow(TypeError);
    await expect(equip).rejects.toThrow(new RegExp(`option ${name} .*, got ${got.replace(/[".]/g, "\\$&")}$`));
    expect(client.asked).toEqual([]);
  });

  it.each([undefined, null, "options", 1])("no options at all: %s", async (options) => {
    await expect(equipMCP(clientWith("a"), /** @type {any} */ (options))).rejects.toThrow(/clientId/);
  });

  it.each([undefined, null, "client", 7])("a client that is no object: %s", async (client) => {
    const bad = /** @type {any} */ (client);
    await expect(equipMCP(bad, { clientId: "c" })).rejects.toThrow(/equipMCP expects a connected MCP client/);
    await expect(loadMcpToolCatalog(bad)).rejects.toThrow(/loadMcpToolCatalog expects a connected MCP client/);
    expect(() => fromMCPTool({ name: "a" }, bad)).toThrow(/fromMCPTool expects a connected MCP client/);
  });

  it("a client without a method to list says so", async () => {
    await expect(inAgent(() => equipMCP(/** @type {any} */ ({}), { clientId: "c" }))).rejects.toThrow(/listTools/);
  });

  it("a bad maxItems of loadMcpToolCatalog is an invalid_catalog_limit", async () => {
    for (const maxItems of [0, 1.5, "3", Number.NaN]) {
      const load = loadMcpToolCatalog(clientWith("a"), /** @type {any} */ ({ maxItems }));
      await expect(load).rejects.toMatchObject({ code: "invalid_catalog_limit" });
    }
  });

  it("outside of an agent core's own error comes through", async () => {
    await expect(equipMCP(clientWith("a"), { clientId: "c" })).rejects.toMatchObject({ name: "ContextNotFoundError" });
  });
});
