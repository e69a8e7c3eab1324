/** Clients for tests: facades that count what they are asked, and real ones over stdio. */
import { createRequire } from "node:module";
import process from "node:process";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";

const require = createRequire(import.meta.url);

/**
 * A facade whose pages come by cursor.
 * @param {(cursor: string | undefined) => unknown} answer
 */
export function pagedClient(answer) {
  /** @type {(string | undefined)[]} */
  const asked = [];
  return {
    asked,
    async listTools(/** @type {{ cursor?: string } | undefined} */ params) {
      asked.push(params?.cursor);
      const page = answer(params?.cursor);
      if (page instanceof Error) throw page;
      return page;
    },
    async callTool(/** @type {string} */ name, /** @type {unknown} */ args) {
      return { content: [{ type: "text", text: JSON.stringify({ name, args }) }] };
    },
  };
}

/**
 * A facade with one page of tools.
 * @param {...(string | object)} tools names, or whole tools
 */
export function clientWith(...tools) {
  const listed = tools.map((tool) =>
    typeof tool === "string" ? { name: tool, inputSchema: { type: "object" } } : tool,
  );
  return pagedClient(() => ({ tools: listed }));
}

/** Scripts of the official servers, from the dev dependencies. */
export const servers = {
  everything: [require.resolve("@modelcontextprotocol/server-everything/dist/index.js")],
  filesystem: [require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js")],
};

export const generations = /** @type {const} */ (["sdk1", "sdk2"]);

/**
 * A connected client of either generation over stdio. The caller closes it.
 * @param {"sdk1" | "sdk2"} generation
 * @param {string[]} args of node: a script and its arguments
 * @param {string} [command]
 */
export async function connect(generation, args, command = process.execPath) {
  const [Client, Transport] = generation === "sdk1" ? [Client1, Stdio1] : [Client2, Stdio2];
  const client = new Client({ name: "adapter-mcp-tests", version: "1.0.0" });
  await client.connect(/** @type {any} */ (new Transport({ command, args, stderr: "ignore" })));
  return client;
}
