/**
 * Results of tool calls: as code gets them (R26), and as the model reads them (R23, R24).
 */
import { native } from "../binding.js";
import { McpProtocolError } from "../errors.js";
import { partsOf, textOf } from "./plan.js";
import { FAR, FAR_COMPARED, plainCopy, shapeOf, skeletonOf } from "./skeleton.js";

/**
 * @param {string} message
 * @param {{ toolName?: string; cause?: unknown }} [about]
 */
export function invalid(message, { toolName, cause } = {}) {
  return new McpProtocolError(message, { code: "invalid_call_result", toolName, cause });
}

/**
 * A plain copy, or the error that says why there is none.
 * @param {unknown} raw
 * @param {{ strict: boolean; frozen?: boolean }} how
 * @param {string} [toolName]
 * @returns {any}
 */
export function copied(raw, how, toolName) {
  try {
    return plainCopy(raw, how);
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : "a getter threw", { toolName, cause });
  }
}

/**
 * A call's result as MCP says it is, deeply frozen (`index.d.ts` has the contract).
 * @param {any} raw
 * @returns {import("../../index.js").McpNormalizedCallResult}
 */
export function normalizeMcpCallResult(raw) {
  // What else the result holds (`_meta` and the like) is not copied.
  const copy = copied(isObject(raw) ? wanted(raw) : raw, { strict: true, frozen: true });
  const shape = isObject(copy) && "structuredContent" in copy ? { ...copy, structuredContent: null } : copy;
  const problem = native.callResultProblem(shapeOf(shape) ?? "null");
  if (problem !== null) throw invalid(problem);
  return normalized(copy, copy.isError ?? false);
}

/**
 * @param {any} copy
 * @param {boolean} isError
 */
function normalized({ content = Object.freeze([]), structuredContent }, isError) {
  return Object.freeze(
    structuredContent === undefined ? { content, isError } : { content, isError, structuredContent },
  );
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param {Record<string, unknown>} raw */
function wanted(raw) {
  try {
    const { content, isError, structuredContent } = raw;
    return { content, isError, structuredContent };
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : "a getter threw", { cause });
  }
}

/**
 * What the model is to read of a call's result.
 * @param {unknown} raw
 * @param {{ toolName?: string; toolContent: (parts: any[]) => any }} how
 * @returns {any} a string, or content parts
 * @throws the tool's failure as an `Error`, with the normalised result as its cause
 */
export function modelResult(raw, { toolName, toolContent }) {
  const copy = copied(raw, { strict: false }, toolName);
  let { text, strings } = skeletonOf(copy ?? null, FAR);
  /** @type {import("./plan.js").Plan | "closer"} */
  let plan = JSON.parse(native.planCallResult(text, false));
  if (plan === "closer") {
    ({ text, strings } = skeletonOf(copy, FAR_COMPARED));
    plan = /** @type {import("./plan.js").Plan} */ (JSON.parse(native.planCallResult(text, true)));
  }
  if ("text" in plan) return textOf(plan.text, strings);
  if ("parts" in plan) return toolContent(partsOf(plan.parts, strings));
  if ("failed" in plan) throw new Error(textOf(plan.failed, strings), { cause: failure(copy) });
  throw invalid(plan.invalid, { toolName });
}

/**
 * The normalised result of a failure, also where the server kept less to MCP than `normalizeMcpCallResult` asks for.
 * @param {any} copy
 */
function failure(copy) {
  const result = isObject(copy.toolResult) && copy.content === undefined ? copy.toolResult : copy;
  const content = Array.isArray(result.content) ? result.content : [];
  const { structuredContent } = result;
  return normalized(plainCopy({ content, structuredContent }, { strict: false, frozen: true }), true);
}
