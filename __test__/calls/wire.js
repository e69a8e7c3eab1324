/** A real client of either generation on a transport that shows every message, with a server that is a function. */
import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";

/** @typedef {{ id?: number; method?: string; params?: any; result?: unknown; error?: unknown }} Message */

/**
 * @param {"sdk1" | "sdk2"} generation
 * @param {(request: Message & { method: string }, server: { send(message: object): void; close(): void }) => any} answer the result, `undefined` for
 * none (yet), or an error thrown as JSON-RPC has it: `{ code, message, data }`
 * @param {object} [capabilities] of the server
 */
export async function wired(generation, answer, capabilities = { tools: {} }) {
  /** @type {Message[]} */
  const sent = [];
  /** @type {any} */
  const transport = {
    async start() {},
    async close() {
      transport.onclose?.();
    },
    async send(/** @type {any} */ message) {
      sent.push(message);
      // As over a wire: the answer comes in a turn of its own.
      if (message.method !== undefined && message.id !== undefined) setImmediate(respond, message);
    },
  };
  const server = {
    send: (/** @type {object} */ message) => transport.onmessage?.({ jsonrpc: "2.0", ...message }),
    close: () => transport.onclose?.(),
  };
  const respond = async (/** @type {any} */ request) => {
    try {
      const result =
        request.method === "initialize"
          ? {
              protocolVersion: request.params.protocolVersion,
              capabilities,
              serverInfo: { name: "wired", version: "1.0.0" },
            }
          : await answer(request, server);
      if (result !== undefined) server.send({ id: request.id, result });
    } catch (error) {
      server.send({ id: request.id, error });
    }
  };
  const Client = generation === "sdk1" ? Client1 : Client2;
  /** @type {any} */
  const client = new Client({ name: "adapter-mcp-tests", version: "1.0.0" });
  await client.connect(transport);
  return {
    client,
    server,
    sent,
    /** Messages of one method that the client has sent. @param {string} method */
    of: (method) => sent.filter((message) => message.method === method),
  };
}

/**
 * The answers of a server with these tools; a call is answered by `call`.
 * @param {object[]} tools
 * @param {(params: any, request: any, server: any) => any} call
 */
export function serverOf(tools, call) {
  return (/** @type {any} */ request, /** @type {any} */ server) => {
    if (request.method === "tools/list") return { tools };
    if (request.method === "tools/call") return call(request.params, request, server);
    throw { code: -32601, message: `Method not found: ${request.method}` };
  };
}

/** @param {string} text */
export const textResult = (text) => ({ content: [{ type: "text", text }] });
