/** The peers' conversion of a listed catalog into tools, through what they document. */
import process from "node:process";

// Its spans are for a service, and would be timed with the rest.
process.env.OPENAI_AGENTS_DISABLE_TRACING = "1";
// It tells of every schema that it cannot make strict, on every conversion.
const { error } = console;
console.error = (/** @type {unknown[]} */ ...texts) => {
  if (!String(texts[0]).startsWith("Error converting MCP schema")) error(...texts);
};

/**
 * What converts `list` in one call: each peer as its users would have it once the server has answered.
 * @param {any[]} list
 * @returns {Promise<Record<string, () => unknown>>}
 */
export async function conversions(list) {
  const [{ loadMcpTools }, { createMCPClient }, agents] = await Promise.all([
    import("@langchain/mcp-adapters"),
    import("@ai-sdk/mcp"),
    import("@openai/agents"),
  ]);
  const facade = /** @type {any} */ ({
    listTools: async () => ({ tools: list }),
    callTool: async () => ({ content: [] }),
    getServerCapabilities: () => ({ tools: {} }),
  });
  const aiSdk = await createMCPClient({ transport: silentTransport() });
  const server = serverOf(list);
  return {
    "@langchain/mcp-adapters": () => loadMcpTools("bench", facade, { throwOnLoadError: true }),
    "@ai-sdk/mcp": () => aiSdk.toolsFromDefinitions({ tools: list }),
    "@openai/agents": () => list.map((tool) => agents.mcpToFunctionTool(tool, server, false)),
  };
}

/**
 * `@openai/agents` with its own cache of listed tools, which it keeps by the server's name.
 * @param {any[]} list
 */
export async function cachedAgents(list) {
  const { getAllMcpTools } = await import("@openai/agents");
  const server = serverOf(list);
  return () => getAllMcpTools({ mcpServers: [server] });
}

/** A server as `@openai/agents` takes it. @param {any[]} list @returns {any} */
function serverOf(list) {
  return {
    name: `bench-${list.length}`,
    cacheToolsList: true,
    connect: async () => {},
    close: async () => {},
    listTools: async () => list,
    callTool: async () => [],
    invalidateToolsCache: async () => {},
  };
}

/** A transport to a server that answers the handshake and has tools. @returns {any} */
function silentTransport() {
  return {
    async start() {},
    async close() {},
    async send(/** @type {any} */ message) {
      if (message.id === undefined) return;
      const result = {
        protocolVersion: message.params?.protocolVersion ?? "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "bench", version: "1.0.0" },
      };
      queueMicrotask(() => this.onmessage?.({ jsonrpc: "2.0", id: message.id, result }));
    },
  };
}
