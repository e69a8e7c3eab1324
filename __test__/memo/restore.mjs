// Runs in a process or thread of its own: what `equipMCP` gives from the snapshot in argv, with a client that must not be asked.
import process from "node:process";
import { createAgent } from "@rejelly/core";
import { equipMCP } from "../../index.js";

const client = {
  asked: 0,
  async listTools() {
    client.asked += 1;
    return { tools: [] };
  },
  callTool: async () => ({ content: [] }),
};
const agent = createAgent({ id: "restored", handler: async () => await equipMCP(client, { clientId: "c" }) });
const kit = await /** @type {Promise<import("../../index.js").MCPKit>} */ (
  agent(undefined, { snapshot: /** @type {string} */ (process.argv[2]) })
);
const tools = kit.tools.map(({ name, description, mcp }) => ({ name, description, mcp }));
const parameters = kit.tools[0]?.parameters;
const valid = parameters?.safeParse({ q: "x" }).success;
const invalid = parameters?.safeParse({ q: 1 }).success;
process.stdout.write(JSON.stringify({ asked: client.asked, tools, valid, invalid }));
