// Prints what the client sees of the caller's AsyncLocalStorage (R22). Runs on each Node version, as a script: no test runner stands between.
import { AsyncLocalStorage } from "node:async_hooks";
import { createAgent, getContextSignal } from "@rejelly/core";
import { equipMCP } from "../../index.js";

const store = new AsyncLocalStorage();
/** @type {Record<string, unknown[]>} */
const seen = {
  listTools: [],
  callTool: [],
  afterAwait: [],
  listPrompts: [],
  getPrompt: [],
  readResource: [],
  inAgent: [],
};
const see = (/** @type {string} */ where) => seen[where]?.push(store.getStore() ?? null);

const client = {
  async listTools(/** @type {{ cursor?: string }} */ { cursor }) {
    see("listTools");
    seen.inAgent?.push(getContextSignal() !== undefined);
    await new Promise((resolve) => setTimeout(resolve, 1));
    return cursor === undefined ? { tools: [{ name: "a" }], nextCursor: "2" } : { tools: [{ name: "b" }] };
  },
  async callTool(/** @type {string} */ _name, /** @type {unknown} */ _args) {
    see("callTool");
    await new Promise((resolve) => setTimeout(resolve, 1));
    see("afterAwait");
    return { content: [{ type: "text", text: String(store.getStore()) }] };
  },
  async listPrompts(/** @type {{ cursor?: string }} */ { cursor }) {
    see("listPrompts");
    return cursor === undefined ? { prompts: [], nextCursor: "2" } : { prompts: [] };
  },
  async getPrompt(/** @type {string} */ _name, /** @type {unknown} */ _args) {
    see("getPrompt");
    return { messages: [] };
  },
  async readResource(/** @type {string} */ _uri) {
    see("readResource");
    return { contents: [] };
  },
};

const agent = createAgent({
  id: "context",
  handler: async (/** @type {string} */ name) => {
    const kit = await equipMCP(client, { clientId: name, enableResources: true });
    await kit.prompts.list();
    await kit.prompts.get("p");
    await kit.resourceToolMap.mcp_read_resource?.handler({ uri: "x://y" });
    const answers = [await kit.toolMap.a?.handler({}), await kit.toolMap.b?.handler({})];
    return [...answers, store.getStore()];
  },
});
// Two interleaved runs must not mix.
const runs = ["u1", "u2"].map((user) => store.run(user, () => agent(user)));
const answers = await Promise.all(runs);
process.stdout.write(JSON.stringify({ version: process.version, seen, answers }));
