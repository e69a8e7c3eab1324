/**
 * Tools as the agent has them: schema, handler, and what middleware can read (section 5 of the spec).
 */
import { getContextSignal, toolContent } from "@rejelly/core";
import { catalogOf, hold } from "./catalog.js";
import { assertClient, callClientTool, clientKind } from "./client.js";
import { kindOf } from "./json.js";
import { refuse } from "./options.js";
import { modelResult } from "./result/index.js";
import { callAsTask } from "./tasks.js";

/**
 * How the tools of one kit reach their server.
 * @typedef {object} Binding
 * @property {import("./client.js").ClientKind} kind
 * @property {string} [clientId]
 * @property {number} [timeout] milliseconds
 * @property {(progress: any, context: { tool: string }) => void} [onProgress]
 */

/**
 * A tool definition of its own for each call: callers may edit theirs (R12).
 * @param {import("./catalog.js").ListedTool} tool
 * @param {string} name the registered name
 * @param {Binding} binding
 * @param {import("../index.js").MCPToolInfo} mcp what middleware can read on it
 */
export function toolDefinition(tool, name, binding, mcp) {
  return {
    name,
    description: tool.description,
    parameters: tool.parameters,
    handler: (/** @type {unknown} */ args) => invoke(tool, binding, args),
    mcp,
  };
}

/**
 * Calls the tool, once, in the caller's async context, and gives what the model is to read.
 * @param {import("./catalog.js").ListedTool} tool
 * @param {Binding} binding
 * @param {unknown} args
 */
async function invoke(tool, binding, args = {}) {
  const { kind, timeout, onProgress } = binding;
  const { name } = tool;
  const options = {
    signal: getContextSignal(),
    timeout,
    onProgress: onProgress && ((/** @type {unknown} */ progress) => onProgress(progress, { tool: name })),
    // A 2.x client looks tools up in a list of its own, which listing through this package does not fill.
    tool: kind.generation === "sdk2" ? { name, inputSchema: tool.inputSchema } : undefined,
  };
  const raw = await (tool.needsTask ? callAsTask : callClientTool)(kind, name, args, options);
  return modelResult(raw, { toolName: name, toolContent });
}

/**
 * One tool of a server as a tool of an agent (`index.d.ts` has the contract).
 * @param {unknown} tool
 * @param {unknown} client
 * @param {{ name?: string }} [options]
 * @returns {any}
 */
export function fromMCPTool(tool, client, options = {}) {
  assertClient(client, "fromMCPTool");
  if (typeof tool !== "object" || tool === null) {
    throw new TypeError(`fromMCPTool: expected an MCP tool as its first argument, got ${kindOf(tool)}`);
  }
  const name = options?.name;
  if (name !== undefined && (typeof name !== "string" || name === "")) {
    throw refuse("fromMCPTool", "name", "a non-empty string", name);
  }
  const listed = /** @type {import("./catalog.js").ListedTool} */ (hold(catalogOf([tool])).tools[0]);
  return toolDefinition(listed, name ?? listed.name, { kind: clientKind(client) }, listed.info(undefined));
}
