/**
 * An MCP server over stdio that misbehaves as its script says. Raw JSON-RPC lines, since an SDK would not let it.
 *
 * Arguments: a log file, and the script as JSON: method → what the first request of it is answered with, the second, …; the last holds for all later
 * ones. An answer is a list of steps:
 *
 * - `{ result }`, `{ error }`: an answer as JSON-RPC has it
 * - `{ page: n, tools?, next? }`: page n of a list of n pages, told apart by their cursor; `next` is sent instead of the right cursor (`"$n"` in it
 *   is the number of the request)
 * - `{ line }`: these characters and a line end, `$id` replaced by the request's; `{ text }`: without a line end
 * - `{ big: { kind, bytes, next? } }`: a result of that size
 * - `{ notify: method, times }`, `{ wait: milliseconds }`, `{ did: note }` (into the log), `{ exit: code }`, `{ kill: true }`
 */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const [log = "", json = "{}"] = process.argv.slice(2);
/** @type {Record<string, object[][]>} */
const script = JSON.parse(json);
/** @type {Record<string, number>} */
const asked = {};

/** @param {object} entry */
const note = (entry) => appendFileSync(log, `${JSON.stringify(entry)}\n`);
/** @param {string} text */
const write = (text) => process.stdout.write(text);
/** @param {object} message */
const send = (message) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

/** What a list holds under its method. @type {Record<string, [key: string, entry: (name: string) => object]>} */
const LISTS = {
  "tools/list": ["tools", (name) => ({ name, inputSchema: { type: "object" } })],
  "prompts/list": ["prompts", (name) => ({ name })],
  "resources/list": ["resources", (name) => ({ name, uri: `fault://${name}` })],
  "resources/templates/list": ["resourceTemplates", (name) => ({ name, uriTemplate: `fault://${name}/{id}` })],
};

/**
 * @param {string} method
 * @param {any} params
 * @param {{ page: number; tools?: number; next?: string }} step
 */
function page(method, params, { page: pages, tools = 2, next }) {
  const [key, entry] = /** @type {(typeof LISTS)[string]} */ (LISTS[method]);
  const number = Number.parseInt(params?.cursor ?? "0", 10) || 0;
  const list = Array.from({ length: tools }, (_, index) => entry(`p${number}_${index}`));
  // What calls are tried with stands on the first page of every list.
  if (number === 0) list.unshift(entry("echo"));
  const honest = number + 1 < pages ? String(number + 1) : undefined;
  const cursor = next === undefined ? honest : next.replace("$n", String(asked[method]));
  return { [key]: list, ...(cursor !== undefined && { nextCursor: cursor }) };
}

/** @param {{ kind: string; bytes: number; next?: string }} size */
function big({ kind, bytes, next }) {
  const much = "A".repeat(bytes);
  const inputSchema = { type: "object" };
  if (kind === "text") return { content: [{ type: "text", text: much }] };
  if (kind === "image") return { content: [{ type: "image", data: much, mimeType: "image/png" }] };
  if (kind === "structured") return { content: [], structuredContent: { much } };
  if (kind === "description") {
    return { tools: [{ name: next ?? "echo", description: much, inputSchema }], nextCursor: next };
  }
  const count = Math.ceil(bytes / 1000);
  return {
    tools: Array.from({ length: count }, (_, index) => ({
      name: `t${index}`,
      description: "d".repeat(900),
      inputSchema,
    })),
  };
}

/** @param {{ notify: string; times: number }} step */
function flood({ notify: method, times }) {
  const line = `${JSON.stringify({ jsonrpc: "2.0", method })}\n`;
  // As fast as a pipe takes them: no reader keeps up with this.
  for (let left = times; left > 0; left -= 1000) write(line.repeat(Math.min(left, 1000)));
}

/** @type {Record<string, (params: any) => object>} */
const healthy = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
    serverInfo: { name: "faults", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/call": (params) => ({ content: [{ type: "text", text: JSON.stringify(params.arguments ?? {}) }] }),
  "prompts/get": ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: name } }] }),
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "content" }] }),
};

/** @param {{ id: number; method: string; params?: any }} request */
async function answer({ id, method, params }) {
  asked[method] = (asked[method] ?? 0) + 1;
  const answers = script[method] ?? [];
  const steps = answers[Math.min(asked[method], answers.length) - 1];
  if (steps === undefined) {
    const result = LISTS[method] ? page(method, params, { page: 1 }) : healthy[method]?.(params);
    return send(result ? { id, result } : { id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
  for (const step of /** @type {any[]} */ (steps)) {
    if ("result" in step) send({ id: step.id ?? id, result: step.result });
    if ("error" in step) send({ id, error: step.error });
    if ("page" in step) send({ id, result: page(method, params, step) });
    if ("big" in step) send({ id, result: big(step.big) });
    if ("text" in step) write(step.text.replaceAll("$id", String(id)));
    if ("line" in step) write(`${step.line.replaceAll("$id", String(id))}\n`);
    if ("notify" in step) flood(step);
    if ("wait" in step) await sleep(step.wait);
    if ("did" in step) note({ did: step.did });
    if ("exit" in step) process.exit(step.exit);
    if ("kill" in step) process.kill(process.pid, "SIGKILL");
  }
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const message = JSON.parse(line);
    note({ method: message.method, id: message.id, params: message.params });
    if (message.id !== undefined && message.method !== undefined) answer(message);
  }
});
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
