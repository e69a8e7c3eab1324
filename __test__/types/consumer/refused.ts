/** What must not compile. An expectation that does not come true is an error itself. */
import {
  callMcpTool,
  equipMCP,
  fromMCPTool,
  loadMcpToolCatalog,
  type MCPClientAdapter,
  type MCPClientLike,
  type MCPKit,
  McpProtocolError,
  normalizeMcpCallResult,
  normalizeMcpToolCatalog,
  validateMcpToolArguments,
} from "@rejelly/adapter-mcp";
import type { ToolDefinition } from "@rejelly/core";

declare const client: MCPClientLike;
declare const kit: MCPKit;

// Clients that lack what is called.
const id = { clientId: "id" };
// @ts-expect-error no client
equipMCP(undefined, id);
// @ts-expect-error a promise of a client is none
equipMCP(Promise.resolve(client), id);
// @ts-expect-error no callTool
equipMCP({ listTools: async () => [] }, id);
// @ts-expect-error no listTools
equipMCP({ callTool: async () => ({}) }, id);
// @ts-expect-error listTools answers at once
equipMCP({ listTools: () => [], callTool: async () => ({}) }, id);
// @ts-expect-error readResource is no function
equipMCP({ listTools: async () => [], callTool: async () => ({}), readResource: "file:///a" }, id);
// @ts-expect-error only listTools is wanted, and it is not there
loadMcpToolCatalog({ callTool: async () => ({}) });
// @ts-expect-error only callTool is wanted, and it is not there
callMcpTool({ listTools: async () => [] }, "add");
// @ts-expect-error a facade's callTool gives a result
export const facade: MCPClientAdapter = { listTools: async () => [], callTool: async () => 1 };

// Options.
// @ts-expect-error options are required
equipMCP(client);
// @ts-expect-error clientId is required
equipMCP(client, {});
// @ts-expect-error an id is text
equipMCP(client, { clientId: 1 });
// @ts-expect-error a name that is misspelt
equipMCP(client, { clientId: "id", nameSpace: "fs" });
// @ts-expect-error tools are a list
equipMCP(client, { clientId: "id", tools: "read" });
// @ts-expect-error an unknown way of naming
equipMCP(client, { clientId: "id", toolNames: "short" });
// @ts-expect-error a function of names gives text
equipMCP(client, { clientId: "id", toolNames: () => 1 });
// @ts-expect-error no duration
equipMCP(client, { clientId: "id", callTimeout: "1s" });
// @ts-expect-error an unknown style
equipMCP(client, { clientId: "id", callStyle: "object" });
// @ts-expect-error an unknown choice
equipMCP(client, { clientId: "id", onInvalidTool: "ignore" });
// @ts-expect-error middleware has a name and a handler
equipMCP(client, { clientId: "id", middleware: [async () => 1] });
// @ts-expect-error loadMcpToolCatalog has no namespace
loadMcpToolCatalog(client, { namespace: "fs" });
// @ts-expect-error a limit is a number
loadMcpToolCatalog(client, { maxItems: "1" });
// @ts-expect-error a name is text
callMcpTool(client, 1);
// @ts-expect-error a controller is no signal
callMcpTool(client, "add", {}, { signal: new AbortController() });

// A kit is a snapshot.
// @ts-expect-error
kit.client = client;
// @ts-expect-error
kit.tools = [];
// @ts-expect-error a tool may be absent: undefined is to be looked at
kit.toolMap.anything.name;
// @ts-expect-error inject takes one object
kit.inject(true);
// @ts-expect-error a misspelt choice
kit.inject({ injectResourceTool: true });
// @ts-expect-error get needs a name
kit.prompts.get();
// @ts-expect-error server's data are read-only
for (const tool of kit.tools) tool.mcp.name = "other";

// Tools and results.
// @ts-expect-error a tool has a name
fromMCPTool({ inputSchema: {} }, client);
// @ts-expect-error a client is needed
fromMCPTool({ name: "add" });
// @ts-expect-error a tool of core is none of a server: `mcp` is not there
export const definition: typeof kit.tools = [] as ToolDefinition[];
// @ts-expect-error a list is wanted
normalizeMcpToolCatalog({ tools: [] });
// @ts-expect-error the copy is frozen
normalizeMcpToolCatalog([]).push({ name: "add", inputSchema: {} });
// @ts-expect-error the copy is frozen
normalizeMcpCallResult({ content: [] }).isError = true;
// @ts-expect-error issues are there only when something is wrong
validateMcpToolArguments({}, {}).issues;
// @ts-expect-error both are needed
validateMcpToolArguments({});

// Errors.
// @ts-expect-error an unknown code
new McpProtocolError("…", { code: "not_a_code" });
// @ts-expect-error a code is needed
new McpProtocolError("…");
// @ts-expect-error a code does not change
new McpProtocolError("…", { code: "cursor_cycle" }).code = "invalid_cursor";
