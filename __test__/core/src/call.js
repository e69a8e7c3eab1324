import { findPartsFlaw, isToolContent } from "./content.js";
import { getContextSignal } from "./context.js";
import { InvalidToolOutputError } from "./errors.js";
import { findFlaw } from "./strict-json.js";
import { withMiddleware } from "./tools.js";

/**
 * @typedef {import("../index.js").ToolDefinition<any>} Tool
 * @typedef {import("../index.js").ToolContext} ToolContext
 * @typedef {import("../index.js").ToolMiddleware} ToolMiddleware
 */

/**
 * @param {Tool} tool
 * @param {unknown} args
 * @param {{ middleware?: ToolMiddleware[] }} [options]
 * @returns {Promise<unknown>}
 */
export async function callTool(tool, args, { middleware = [] } = {}) {
  const checked = checkArguments(tool, args);
  if (!checked.ok) throw new Error(checked.message);
  return runTool(middleware.length > 0 ? withMiddleware(tool, middleware) : tool, checked.data);
}

/**
 * @param {Tool} tool
 * @param {unknown} args
 * @returns {{ ok: true, data: any } | { ok: false, message: string }}
 */
export function checkArguments(tool, args) {
  const parsed = tool.parameters.safeParse(args);
  if (parsed.success) return { ok: true, data: parsed.data };
  return { ok: false, message: `Invalid arguments for tool "${tool.name}": ${formatIssues(parsed.error)}` };
}

/**
 * Zod 3 and zod 4 errors both carry `issues`.
 * @param {any} error
 * @returns {string}
 */
export function formatIssues(error) {
  /** @type {{ path: PropertyKey[], message: string }[]} */
  const issues = error.issues;
  return issues.map((issue) => `${issue.path.map(String).join(".")}: ${issue.message}`).join("; ");
}

/**
 * Runs the chain around a tool whose arguments were checked, and checks what comes out of it.
 * @param {Tool} tool
 * @param {any} args
 * @param {string} [callId]
 * @returns {Promise<unknown>}
 */
export async function runTool(tool, args, callId) {
  const chain = tool.middlewares ?? [];
  /** @type {ToolContext} */
  const context = { tool, toolName: tool.name, args, callId, signal: getContextSignal() };

  /**
   * @param {number} position
   * @returns {Promise<unknown>}
   */
  const runFrom = async (position) => {
    const middleware = chain[position];
    if (middleware === undefined) return tool.handler(args);
    let called = false;
    return middleware.handler(context, async () => {
      // A second pass would run the tool twice.
      if (called) throw new Error(`Middleware "${middleware.name}" called next() more than once`);
      called = true;
      return runFrom(position + 1);
    });
  };

  const result = await runFrom(0);
  const flaw = isToolContent(result)
    ? findPartsFlaw(result.$rejellyContent, "result.$rejellyContent")
    : findFlaw(result, "result");
  if (flaw !== undefined) throw new InvalidToolOutputError(tool.name, flaw.path, flaw.found);
  return result;
}
