/** Clients of both SDK generations, and facades, are passed without a cast; the kit knows which one it was. */
import { Client as Client2 } from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import {
  callMcpTool,
  equipMCP,
  fromMCPTool,
  loadMcpToolCatalog,
  type MCPClientAdapter,
  type MCPClientLike,
  type MCPKit,
  type MCPPrompt,
  type MCPToolDefinition,
  type McpNativeToolDescriptor,
  type McpNormalizedCallResult,
} from "@rejelly/adapter-mcp";
import { type Equal, type Expect, holds } from "./equal.js";

const client1 = new Client1({ name: "app", version: "1.0.0" });
const client2 = new Client2({ name: "app", version: "1.0.0" });

/** What an application writes that hides its client. */
class Facade implements MCPClientAdapter {
  readonly calls: string[] = [];
  async listTools() {
    return [{ name: "add", inputSchema: { type: "object" } }];
  }
  async callTool(name: string, args: Record<string, unknown>) {
    this.calls.push(name);
    return { content: [{ type: "text", text: JSON.stringify(args) }] };
  }
}

/** The least there can be, not declared to be anything. */
const bare = {
  listTools: async () => ({ tools: [{ name: "add", inputSchema: { type: "object" } as const }] }),
  callTool: async (call: { name: string; arguments: { a: number } }) => ({ content: [], echo: call }),
};

export async function equipped() {
  const kit1 = await equipMCP(client1, { clientId: "one" });
  const kit2 = await equipMCP(client2, { clientId: "two" });
  const kit3 = await equipMCP(new Facade(), { clientId: "three" });
  const kit4 = await equipMCP(bare, { clientId: "four" });
  holds<Expect<Equal<typeof kit1, MCPKit<typeof client1>>>>();
  holds<Expect<Equal<typeof kit1.client, typeof client1>>>();
  holds<Expect<Equal<typeof kit2.client, typeof client2>>>();
  holds<Expect<Equal<typeof kit3.client, Facade>>>();
  holds<Expect<Equal<typeof kit4.client, typeof bare>>>();
  // The client's own methods are at hand, with their own types.
  const version: string | undefined = kit1.client.getServerVersion()?.version;
  const calls: string[] = kit3.client.calls;
  // A kit of any client is a kit.
  const kits: MCPKit[] = [kit1, kit2, kit3, kit4];
  return { version, calls, kits };
}

/** Code that is generic over its client keeps the type. */
export async function generic<C extends MCPClientLike>(client: C): Promise<C> {
  return (await equipMCP(client, { clientId: "any" })).client;
}

export async function clientOfEither(client: Client1 | Client2) {
  const kit = await equipMCP(client, { clientId: "either" });
  holds<Expect<Equal<typeof kit.client, Client1 | Client2>>>();
}

export async function withoutAgent() {
  for (const client of [client1, client2, new Facade(), bare]) {
    const tools = await loadMcpToolCatalog(client, { maxItems: 10 });
    holds<Expect<Equal<typeof tools, readonly McpNativeToolDescriptor[]>>>();
    const result = await callMcpTool(client, "add", { a: 1 }, { signal: AbortSignal.timeout(100), timeout: 50 });
    holds<Expect<Equal<typeof result, McpNormalizedCallResult>>>();
  }
}

/** What an SDK's own list gives is a tool to `fromMCPTool`. */
export async function listed(): Promise<MCPToolDefinition[]> {
  const [one] = (await client1.listTools()).tools;
  const [two] = (await client2.listTools()).tools;
  if (one === undefined || two === undefined) return [];
  return [fromMCPTool(one, client1), fromMCPTool(two, client2, { name: "other" })];
}

export async function prompts(kit: MCPKit) {
  const [first] = await kit.prompts.list();
  const name: string | undefined = first?.name;
  const prompt = await kit.prompts.get("summarise", { lines: 5, deep: { a: true } });
  holds<Expect<Equal<typeof prompt, MCPPrompt>>>();
  return { name, text: prompt.asInstruction() };
}
