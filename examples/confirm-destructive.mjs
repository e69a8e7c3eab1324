/**
 * A middleware that asks before destructive tools. What a server says of a tool (`destructiveHint`, `readOnlyHint`) stands on the tool as `mcp`, so one
 * middleware decides for every tool of every server. Hints of a server that you do not trust are hints: this one asks unless a tool claims to be harmless.
 *
 * `node examples/confirm-destructive.mjs` asks on the terminal; with `--yes` or `--no` it answers itself.
 */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { equipMCP } from "@rejelly/adapter-mcp";
import { createAgent, equipInstruction, promptAgent } from "@rejelly/core";
import { z } from "zod";
import { scriptedModel } from "./scripted-model.mjs";

/**
 * MCP's defaults: a tool that says nothing may change things, and destructively so.
 * @param {import("@rejelly/adapter-mcp").MCPToolAnnotations} [annotations]
 */
const isDestructive = ({ readOnlyHint = false, destructiveHint = true } = {}) => !readOnlyHint && destructiveHint;

/**
 * @param {(question: string) => Promise<boolean>} ask
 * @returns {import("@rejelly/core").ToolMiddleware}
 */
function confirmDestructive(ask) {
  return {
    name: "confirm-destructive",
    handler: async ({ tool, args }, next) => {
      const { mcp } = /** @type {import("@rejelly/adapter-mcp").MCPToolDefinition} */ (tool);
      // Tools that are not of an MCP server carry no `mcp`; they are the application's own.
      if (mcp === undefined || !isDestructive(mcp.annotations)) return await next();
      const allowed = await ask(
        `${mcp.server ?? "a server"} wants to run ${mcp.title ?? mcp.name} ${JSON.stringify(args)}`,
      );
      // An answer, not an error: the model reads it and goes on.
      return allowed ? await next() : "The user did not allow this call.";
    },
  };
}

/** @param {string} question */
async function askOnTerminal(question) {
  const answer = process.argv.includes("--yes") ? "y" : process.argv.includes("--no") ? "n" : undefined;
  if (answer !== undefined) {
    console.log(`${question} [y/N] ${answer}`);
    return answer === "y";
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test(await terminal.question(`${question} [y/N] `));
  } finally {
    terminal.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), "confirm-destructive-"));
await writeFile(join(folder, "draft.txt"), "first draft\n");
const server = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const client = new Client({ name: "confirm-destructive", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, folder], stderr: "ignore" }));

/** What the model reads of its last call. @param {any[]} messages */
const lastAnswer = (messages) => String(messages.filter(({ role }) => role === "tool").at(-1)?.content);
const draft = join(folder, "draft.txt");
const model = scriptedModel([
  () => ({ calls: [{ name: "read_text_file", arguments: { path: draft } }] }),
  (messages) => {
    console.log(`read without a question: ${lastAnswer(messages).trim()}`);
    return { calls: [{ name: "move_file", arguments: { source: draft, destination: join(folder, "final.txt") } }] };
  },
  (messages) => ({ text: lastAnswer(messages).replaceAll(folder, "") }),
]);

const agent = createAgent({
  id: "editor",
  model,
  handler: async () => {
    const kit = await equipMCP(client, { clientId: "files", middleware: [confirmDestructive(askOnTerminal)] });
    kit.inject();
    equipInstruction("Read the draft, then rename it.");
    return await promptAgent(z.string());
  },
});

try {
  console.log(`the model's answer: ${await agent()}`);
  console.log(`the folder: ${(await readdir(folder)).join(", ")}`);
} finally {
  await client.close();
  await rm(folder, { recursive: true });
}
