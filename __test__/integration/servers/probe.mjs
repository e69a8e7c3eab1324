// A real server that tells what it was asked: tools/list in pages, calls counted, a slow call that notes its cancellation, errors of every kind.
// Arguments: number of pages, tools on each page. Built on the low-level server of the official SDK, which adds nothing of its own.
import process from "node:process";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from "@modelcontextprotocol/sdk/types.js";

const [pages = 1, perPage = 1] = process.argv.slice(2).map(Number);
const log = {
  lists: /** @type {(string | null)[]} */ ([]),
  calls: /** @type {Record<string, number>} */ ({}),
  cancelled: 0,
};
const server = new Server({ name: "probe", version: "1.0.0" }, { capabilities: { tools: {} } });

/** @param {string} name @param {object} [rest] */
const tool = (name, rest) => ({ name, description: name, inputSchema: { type: "object" }, ...rest });
const special = [
  tool("log", { annotations: { readOnlyHint: true } }),
  tool("fails", { annotations: { destructiveHint: true } }),
  tool("rejects"),
  tool("slow"),
  tool("odd", { title: null, outputSchema: { type: "object", properties: { s: { $ref: "#/$defs/Missing" } } } }),
];

server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
  log.lists.push(params?.cursor ?? null);
  const page = Number(params?.cursor ?? 0);
  const tools = Array.from({ length: perPage }, (_, index) => tool(`p${String(page).padStart(3, "0")}_${index}`));
  const answer = { tools: page === 0 ? [...special, ...tools] : tools };
  return page + 1 < pages ? { ...answer, nextCursor: String(page + 1) } : answer;
});

server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
  log.calls[params.name] = (log.calls[params.name] ?? 0) + 1;
  const text = (/** @type {string} */ value) => ({ content: [{ type: "text", text: value }] });
  switch (params.name) {
    case "log":
      return text(JSON.stringify(log));
    case "fails":
      return { ...text("already exists"), isError: true };
    case "rejects":
      throw new McpError(ErrorCode.InvalidParams, "rate limited", { retryAfter: 30 });
    case "slow":
      if (_meta?.progressToken !== undefined) {
        await sendNotification({
          method: "notifications/progress",
          params: { progressToken: _meta.progressToken, progress: 1, total: 2, message: "half" },
        });
      }
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 20_000);
        signal.addEventListener("abort", () => {
          log.cancelled += 1;
          clearTimeout(timer);
          resolve(undefined);
        });
      });
      return text("late");
    default:
      return text(JSON.stringify(params.arguments ?? null));
  }
});

await server.connect(new StdioServerTransport());
