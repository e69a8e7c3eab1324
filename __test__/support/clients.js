/** Clients for tests: facades that count what they are asked, and real ones over stdio. */
import { createRequire } from "node:module";
import process from "node:process";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

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

/** 1.x takes the schema of a request where 2.x takes the name of its method. */
const REQUESTS_OF_1 = {
  "roots/list": ListRootsRequestSchema,
  "sampling/createMessage": CreateMessageRequestSchema,
  "elicitation/create": ElicitRequestSchema,
};
/** @typedef {Partial<Record<keyof typeof REQUESTS_OF_1, (request: any) => any>>} Handlers */

export const generations = /** @type {const} */ (["sdk1", "sdk2"]);

/**
 * A connected client of either generation over stdio. The caller closes it.
 * @param {"sdk1" | "sdk2"} generation
 * @param {string[]} args of node: a script and its arguments
 * @param {string} [command]
 * @param {Handlers} [handlers] what the server may ask of the client; it is told what the client can do
 */
export async function connect(generation, args, command = process.execPath, handlers = {}) {
  const [Client, Transport] = generation === "sdk1" ? [Client1, Stdio1] : [Client2, Stdio2];
  const capabilities = {
    ...("roots/list" in handlers && { roots: {} }),
    ...("sampling/createMessage" in handlers && { sampling: {} }),
    ...("elicitation/create" in handlers && { elicitation: { form: {}, url: {} } }),
  };
  const client = new Client({ name: "adapter-mcp-tests", version: "1.0.0" }, { capabilities });
  for (const [method, handler] of Object.entries(handlers)) {
    const key = generation === "sdk1" ? REQUESTS_OF_1[/** @type {keyof Handlers} */ (method)] : method;
    /** @type {any} */ (client).setRequestHandler(key, handler);
  }
  await client.connect(/** @type {any} */ (new Transport({ command, args, stderr: "ignore" })));
  return client;
}
