/** Inputs: what real servers list, repeated under other names up to the number of tools that a row wants. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = join(root, "..", "shared", "catalogs");
const require = createRequire(import.meta.url);

/** Where the tools come from, for the report. */
export const source = existsSync(folder)
  ? "recorded catalogs of 22 public servers"
  : "the everything and filesystem servers of the dev dependencies";

/** @returns {Promise<any[]>} every tool there is, as listed */
async function listed() {
  if (existsSync(folder)) {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .sort()
      .flatMap((file) => {
        const content = JSON.parse(readFileSync(join(folder, file), "utf8"));
        return Array.isArray(content) ? content : content.tools;
      });
  }
  const lists = [];
  for (const server of ["everything", "filesystem"]) {
    const client = await connect(server);
    lists.push(...(await client.listTools()).tools);
    await client.close();
  }
  return lists;
}

/**
 * A client of SDK 1.x, connected over stdio to a server of the dev dependencies.
 * @param {string} server
 */
export async function connect(server) {
  const script = require.resolve(`@modelcontextprotocol/server-${server}/dist/index.js`);
  const client = new Client({ name: "adapter-mcp-bench", version: "1.0.0" });
  const args = server === "filesystem" ? [script, root] : [script];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }));
  return client;
}

/** @type {Promise<any[]> | undefined} */
let all;

/**
 * `count` tools of different names: those listed, dealt out so that few tools are a cross-section of all, and again with a number in the name.
 * @param {number} count
 * @returns {Promise<any[]>}
 */
export async function tools(count) {
  all ??= listed();
  const real = await all;
  // A step that shares no divisor with the length visits every tool.
  let step = Math.max(1, Math.floor(real.length * 0.618));
  while (gcd(step, real.length) !== 1) step += 1;
  return Array.from({ length: count }, (_, index) => {
    const tool = real[(index * step) % real.length];
    return { ...structuredClone(tool), name: `${tool.name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 50)}_${index}` };
  });
}

/** @param {number} a @param {number} b @returns {number} */
const gcd = (a, b) => (b === 0 ? a : gcd(b, a % b));

/**
 * A client in memory that lists `list` in one page and answers every call with a line of text.
 * @param {any[]} list
 */
export function memoryClient(list) {
  const answer = { content: [{ type: "text", text: "done" }] };
  return {
    listTools: async (/** @type {unknown} */ _params) => ({ tools: list }),
    callTool: async (/** @type {string} */ _name, /** @type {unknown} */ _args) => answer,
  };
}
