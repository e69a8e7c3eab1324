/** What middleware can read on a tool (R25), also where core has spread the tool into a new object. */
import { callTool, createAgent, equipTool, promptAgent } from "@rejelly/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../../examples/scripted-model.mjs";
import { equipMCP, fromMCPTool } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith } from "../support/clients.js";

const listed = {
  name: "drop.table",
  title: "Drop",
  description: "Drops a table",
  inputSchema: {
    type: "object",
    properties: { table: { type: "string" } },
    required: ["table"],
    "x-own": { deep: [1] },
  },
  outputSchema: { type: "object", properties: { dropped: { type: "boolean" } } },
  annotations: { title: "Drop a table", destructiveHint: true, readOnlyHint: false, "x-own": 1 },
  _meta: { "vendor/scope": ["a"] },
};
const { description: _, ...said } = listed;

/** @param {any[]} seen */
const looking = (seen) => ({
  name: "look",
  handler: async (/** @type {any} */ ctx, /** @type {() => Promise<unknown>} */ next) => {
    seen.push(ctx.tool);
    return ctx.tool.mcp?.annotations?.destructiveHint ? "refused" : await next();
  },
});

describe("mcp on a tool", () => {
  it("says what the server said, frozen, and survives the spread of equipTool", async () => {
    /** @type {any[]} */
    const seen = [];
    const client = clientWith(listed, "plain");
    const model = scriptedModel([
      () => ({
        calls: [
          { name: "db_drop.table", arguments: { table: "users" } },
          { name: "db_plain", arguments: {} },
        ],
      }),
      (messages) => ({
        text: JSON.stringify(messages.filter(({ role }) => role === "tool").map(({ content }) => content)),
      }),
    ]);
    const agent = createAgent({
      id: "middleware",
      model,
      handler: async () => {
        const kit = await equipMCP(client, { clientId: "db", namespace: "db", middleware: [looking(seen)] });
        kit.inject();
        return await promptAgent(z.any());
      },
    });
    expect(JSON.stringify(await agent())).toContain("refused");
    const drop = seen.find(({ name }) => name === "db_drop.table");
    expect({ ...drop.mcp }).toEqual({ server: "db", ...said });
    expect(Object.keys(drop)).toEqual(expect.arrayContaining(["mcp", "middlewares"]));
    for (const part of [
      drop.mcp,
      drop.mcp.annotations,
      drop.mcp.inputSchema,
      drop.mcp.inputSchema.properties,
      drop.mcp._meta,
    ]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    const plain = seen.find(({ name }) => name === "db_plain");
    expect({ ...plain.mcp }).toEqual({ server: "db", name: "plain", inputSchema: { type: "object" } });
  });

  it("middleware given to inject replaces that of the options, and an empty list is none", async () => {
    /** @type {any[]} */
    const [first, second] = [[], []];
    const client = clientWith("plain");
    const run = (/** @type {any} */ choice) => {
      const model = scriptedModel([() => ({ calls: [{ name: "plain", arguments: {} }] }), () => ({ text: "1" })]);
      const handler = async () => {
        const kit = await equipMCP(client, { clientId: "x", middleware: [looking(first)] });
        kit.inject(choice);
        return await promptAgent(z.any());
      };
      return createAgent({ id: "inject", model, handler })();
    };
    await run(undefined);
    await run({ middleware: [looking(second)] });
    await run({ middleware: [] });
    expect([first.length, second.length]).toEqual([1, 1]);
  });

  it("fromMCPTool carries it without a server; the registered name is the caller's to choose", async () => {
    const tool = fromMCPTool(listed, clientWith(listed), { name: "drop" });
    expect([tool.name, tool.description]).toEqual(["drop", "Drops a table"]);
    expect({ ...tool.mcp }).toEqual(said);
    expect(JSON.parse(/** @type {string} */ (await callTool(/** @type {any} */ (tool), { table: "t" })))).toEqual({
      name: "drop.table",
      args: { table: "t" },
    });
  });

  it("resource tools take middleware as well", async () => {
    /** @type {any[]} */
    const seen = [];
    const client = { ...clientWith(), listResources: async () => ({ resources: [] }) };
    await inAgent(async () => {
      const kit = await equipMCP(client, { clientId: "x", tools: [], enableResources: true });
      const list = /** @type {any} */ (kit.resourceToolMap.mcp_list_resources);
      equipTool(list, { middleware: [looking(seen)] });
      expect(await callTool(list, {}, { middleware: [looking(seen)] })).toBe('{"resources":[]}');
    });
    expect(seen.map(({ name }) => name)).toEqual(["mcp_list_resources"]);
  });
});
