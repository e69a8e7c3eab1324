/**
 * `npm run demo`: an agent with two real MCP servers, and a model that follows a script. No API key, no network.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { equipMCP } from "@rejelly/adapter-mcp";
import { createAgent, equipInstruction, promptAgent, reborn } from "@rejelly/core";
import { z } from "zod";
import { scriptedModel } from "./scripted-model.mjs";

const require = createRequire(import.meta.url);

/** @param {string[]} args a script and its arguments */
async function connect(args) {
  const client = new Client({ name: "adapter-mcp-demo", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  return client;
}

const heading = (/** @type {string} */ text) => console.log(`\n── ${text}`);
const milliseconds = (/** @type {number} */ from) => `${(performance.now() - from).toFixed(2)} ms`;

/** What the model reads of a message, images by their length. @param {any} content */
function shown(content) {
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts
    .map((/** @type {any} */ part) =>
      part.type === "text"
        ? part.text
        : `[${part.type}: ${part.image?.url.slice(0, 40)}… ${part.image?.url.length} characters]`,
    )
    .join("\n");
}

const folder = await mkdtemp(join(tmpdir(), "adapter-mcp-demo-"));
// The smallest picture that shows something: one red pixel.
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
await writeFile(join(folder, "hello.txt"), "Hello from a real file.\n");
await writeFile(join(folder, "pixel.png"), Buffer.from(pixel, "base64"));

const files = await connect([require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), folder]);
const everything = await connect([require.resolve("@modelcontextprotocol/server-everything/dist/index.js")]);

/** The answers to the model's last calls. @param {any[]} messages */
const answers = (messages) => messages.filter(({ role }) => role === "tool").map(({ content }) => shown(content));

const model = scriptedModel([
  (_, tools) => {
    const tool = tools.find(({ name }) => name === "fs_read_text_file");
    heading("the JSON Schema that the model is shown for fs_read_text_file");
    console.log(JSON.stringify(tool.parameters, null, 2));
    return { calls: [{ name: "fs_read_text_file", arguments: { path: join(folder, "hello.txt"), head: 1 } }] };
  },
  (messages) => {
    heading("a text result (fs_read_text_file)");
    console.log(answers(messages).at(-1));
    return { calls: [{ name: "fs_read_media_file", arguments: { path: join(folder, "pixel.png") } }] };
  },
  (messages) => {
    heading("an image result (fs_read_media_file)");
    console.log(answers(messages).at(-1));
    return { calls: [{ name: "fs_read_text_file", arguments: { file: "hello.txt", head: "one" } }] };
  },
  (messages) => {
    heading("a call that is refused before it is sent: what the model reads");
    console.log(answers(messages).at(-1));
    return { calls: [{ name: "all_echo", arguments: { message: "done" } }] };
  },
  (messages) => ({ text: answers(messages).at(-1) ?? "" }),
]);

let generation = 0;
const agent = createAgent({
  id: "demo",
  model,
  handler: async () => {
    generation += 1;
    const started = performance.now();
    const fs = await equipMCP(files, { clientId: "files", namespace: "fs" });
    const took = milliseconds(started);
    if (generation === 1) {
      const all = await equipMCP(everything, { clientId: "everything", namespace: "all" });
      for (const kit of [fs, all]) {
        heading(`${kit.tools.length} tools of ${kit.tools[0]?.mcp.server}`);
        console.log(kit.tools.map(({ name }) => name).join(", "));
      }
      heading("equipMCP of the filesystem server");
      console.log(`cold: ${took} (the server's answer included)`);
      return reborn();
    }
    console.log(`memo hit, next generation: ${took}, no request`);
    const all = await equipMCP(everything, { clientId: "everything", namespace: "all" });
    fs.inject();
    all.inject();
    equipInstruction("Read the text, look at the picture, make a mistake, say something.");
    return await promptAgent(z.string());
  },
});

try {
  const answer = await agent();
  heading("the agent's answer");
  console.log(answer);
} finally {
  await Promise.all([files.close(), everything.close()]);
  await rm(folder, { recursive: true });
}
