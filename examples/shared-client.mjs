/**
 * One connection for a parent agent and its children. The parent holds the client as a resource of its run and exposes it; children expect it. The
 * connection is opened once, used by all, and closed when the parent's run ends, however it ends.
 *
 * `node examples/shared-client.mjs`
 */
import { createRequire } from "node:module";
import process from "node:process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { equipMCP } from "@rejelly/adapter-mcp";
import { createAgent, equipInstruction, equipResource, expectResource, promptAgent } from "@rejelly/core";
import { z } from "zod";
import { scriptedModel } from "./scripted-model.mjs";

const KEY = "everything-client";
const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

async function connect() {
  const client = new Client({ name: "shared-client", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server], stderr: "ignore" }));
  console.log("connected");
  return client;
}

/** @param {Client} client */
async function disconnect(client) {
  await client.close();
  console.log("closed");
}

/** What the model reads of its last call. @param {any[]} messages */
const lastAnswer = (messages) => String(messages.filter(({ role }) => role === "tool").at(-1)?.content);

/** A child: it opens no connection, and would fail where no parent exposes one. */
const adder = createAgent({
  id: "adder",
  handler: async (/** @type {{ a: number; b: number }} */ numbers) => {
    const client = expectResource(KEY);
    // A run of its own, so a list of its own: only the tool it needs.
    const kit = await equipMCP(/** @type {Client} */ (client), { clientId: "everything", tools: ["get-sum"] });
    kit.inject();
    equipInstruction(`Add ${numbers.a} and ${numbers.b}.`);
    console.log(`child: ${kit.tools.map(({ name }) => name).join(", ")}`);
    return await promptAgent(z.string());
  },
  model: scriptedModel([
    (messages) => {
      const [a, b] = String(messages[0].content).match(/\d+/g)?.map(Number) ?? [];
      return { calls: [{ name: "get-sum", arguments: { a, b } }] };
    },
    (messages) => ({ text: lastAnswer(messages) }),
  ]),
});

const parent = createAgent({
  id: "parent",
  handler: async () => {
    const client = await equipResource(KEY, { create: connect, destroy: disconnect, deps: [], expose: true });
    const kit = await equipMCP(client, { clientId: "everything" });
    kit.inject();
    console.log(`parent: ${kit.tools.length} tools`);
    // Children one after another here: a scripted model keeps one conversation. Agents side by side share the client just as well.
    const sums = [await adder({ a: 2, b: 3 })];
    equipInstruction(`Say: ${sums[0]}`);
    return await promptAgent(z.string());
  },
  model: scriptedModel([
    (messages) => ({ calls: [{ name: "echo", arguments: { message: String(messages[0].content).slice(5) } }] }),
    (messages) => ({ text: lastAnswer(messages) }),
  ]),
});

console.log(`answer: ${await parent()}`);
