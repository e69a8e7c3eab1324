// Prints what is seen of the caller's AsyncLocalStorage with a real client that was connected outside of every run: in progress, in the handlers that
// a server's own requests reach, and in calls after calls. A script, so that no test runner stands between.
import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import process from "node:process";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { callTool, createAgent } from "@rejelly/core";
import { equipMCP } from "../../index.js";

const store = new AsyncLocalStorage();
const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
/** @type {{ progress: unknown[]; elicitation: unknown[]; calls: unknown[]; after: unknown[] }} */
const seen = { progress: [], elicitation: [], calls: [], after: [] };

const [Client, Transport, elicit] =
  process.argv[2] === "sdk1" ? [Client1, Stdio1, ElicitRequestSchema] : [Client2, Stdio2, "elicitation/create"];
/** @type {any} */
const client = new Client({ name: "context", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
client.setRequestHandler(elicit, () => {
  seen.elicitation.push(store.getStore() ?? null);
  return { action: "decline" };
});
const plain = client.callTool;
client.callTool = function (/** @type {any[]} */ ...args) {
  seen.calls.push(store.getStore() ?? null);
  return plain.apply(this, args);
};
await store.run("connect", () =>
  client.connect(new Transport({ command: process.execPath, args: [server], stderr: "ignore" })),
);

const agent = createAgent({
  id: "context",
  handler: async (/** @type {string} */ clientId) => {
    const kit = await equipMCP(client, { clientId, onProgress: () => seen.progress.push(store.getStore() ?? null) });
    const run = (/** @type {string} */ name, /** @type {object} */ args) =>
      callTool(/** @type {any} */ (kit.toolMap[name]), args);
    await run("trigger-long-running-operation", { duration: 0.2, steps: 2 });
    seen.after.push(store.getStore() ?? null);
    await run("trigger-elicitation-request", {});
    seen.after.push(store.getStore() ?? null);
  },
});
await Promise.all(["u1", "u2"].map((user) => store.run(user, () => agent(user))));
await client.close();
process.stdout.write(JSON.stringify(seen));
