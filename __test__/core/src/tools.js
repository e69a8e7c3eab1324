import { requireContext } from "./context.js";
import { AfterPromptAgentError, DuplicateToolNameError } from "./errors.js";

/**
 * @typedef {import("../index.js").ToolDefinition<any>} Tool
 * @typedef {import("../index.js").ToolMiddleware} ToolMiddleware
 */

/**
 * @param {Tool} tool
 * @param {{ middleware?: ToolMiddleware[] }} [options]
 * @returns {void}
 */
export function equipTool(tool, { middleware = [] } = {}) {
  const generation = requireContext("equipTool");
  if (generation.prompted) throw new AfterPromptAgentError("equipTool");
  // `parameters` is not looked at here: a tool may build it only when the model is first shown it.
  if (typeof tool?.name !== "string" || tool.name === "") throw new TypeError("equipTool: the tool has no name");
  if (typeof tool.handler !== "function") throw new TypeError(`equipTool: tool "${tool.name}" has no handler`);
  if (generation.tools.some((other) => other.name === tool.name)) throw new DuplicateToolNameError(tool.name);
  generation.tools.push(middleware.length > 0 ? withMiddleware(tool, middleware) : tool);
}

/**
 * @param {Tool} tool
 * @param {ToolMiddleware[]} dynamic
 * @returns {Tool}
 */
export function withMiddleware(tool, dynamic) {
  return { ...tool, middlewares: [...dynamic, ...(tool.middlewares ?? [])] };
}
