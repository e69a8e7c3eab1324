/**
 * What the answers of a server become (R23, R24, R26–R28). The decisions and the words are in `src/result/`; here values are copied and
 * pieces joined.
 */
import { native } from "../binding.js";
import { McpProtocolError, protocolError } from "../errors.js";
import { jsonText, kindOf } from "../json.js";
import { quoted } from "../warnings.js";
import { contentParts, joined } from "./plan.js";
import { frozen, skeletonOf } from "./skeleton.js";

/** Blocks up to which an answer of texts is read here; the native side has the bound for more. */
const MOST_PLAIN_BLOCKS = 10_000;

/** @typedef {{ toolContent: (parts: any[]) => unknown }} Core what is needed of `@rejelly/core` */

/**
 * Checks the answer to a call exactly, and copies it (`index.d.ts` has the contract).
 * @param {unknown} raw
 * @returns {import("../../index.js").McpNormalizedCallResult}
 * @throws {McpProtocolError} `invalid_call_result`
 */
export function normalizeMcpCallResult(raw) {
  const skeleton = callSkeleton(raw, true);
  const failure = native.checkCallResult(skeleton.text);
  if (failure !== null) throw protocolError(/** @type {any} */ (failure));
  return normalized(skeleton, false);
}

/**
 * What a tool's handler gives for the answer to a call.
 * @param {unknown} raw
 * @param {Core & { toolName?: string }} context
 * @returns {unknown}
 * @throws {Error} what the tool reports as its failure, with the normalised result as `cause`
 * @throws {McpProtocolError} `invalid_call_result`, where the answer is of unknown shape
 */
export function modelResult(raw, context) {
  return plainText(raw) ?? plannedResult(raw, context);
}

/**
 * The same by the native side's plan, whatever the answer is.
 * @type {typeof modelResult}
 */
export function plannedResult(raw, { toolName, toolContent }) {
  const skeleton = callSkeleton(raw, false, toolName);
  /** @type {import("./plan.js").Plan} */
  const plan = JSON.parse(native.planCallResult(skeleton.text));
  if (plan.text) return joined(plan.text, skeleton.strings);
  if (plan.parts) return toolContent(contentParts(plan.parts, skeleton.strings));
  if (plan.failed) throw new Error(joined(plan.failed, skeleton.strings), { cause: normalized(skeleton, true) });
  throw protocolError({ .../** @type {any} */ (plan.invalid), toolName });
}

/**
 * The text of an answer that is nothing but text blocks, the commonest one: it is what the native side would say, without the way there, which costs
 * most where the process has just waited for a pipe. A property test holds both together.
 * @param {any} raw
 * @returns {string | undefined} `undefined` where the native side has to look
 */
function plainText(raw) {
  try {
    if (Array.isArray(raw)) return undefined;
    const { content, structuredContent, isError } = raw;
    if (!Array.isArray(content) || content.length === 0 || content.length > MOST_PLAIN_BLOCKS) return undefined;
    if (structuredContent != null || (isError ?? false) !== false) return undefined;
    let text = "";
    for (let index = 0; index < content.length; index += 1) {
      const block = content[index];
      const words = block.text;
      if (block.type !== "text" || typeof words !== "string") return undefined;
      text = index === 0 ? words : `${text}\n${words}`;
    }
    return text;
  } catch {
    // A getter or a proxy that throws: the careful walk says what is to be said.
    return undefined;
  }
}

/**
 * The members of an answer to a call that mean something here; what else stands beside them is nobody's concern.
 * @param {any} raw
 * @param {boolean} strict
 * @param {string} [toolName]
 */
function callSkeleton(raw, strict, toolName) {
  try {
    if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
      // A value that JSON has no word for is reported as what it is.
      if (raw === undefined || typeof raw === "function" || typeof raw === "symbol" || typeof raw === "bigint") {
        throw new TypeError(`expected the result of a tool call (an object), got ${kindOf(raw)}`);
      }
      return skeletonOf(Array.isArray(raw) ? [] : raw);
    }
    const { content, structuredContent, isError } = raw;
    return strict
      ? skeletonOf({ content, structuredContent, isError }, { strict })
      : skeletonOf(
          { content, structuredContent, isError, toolResult: raw.toolResult },
          { compared: structuredContent !== undefined && structuredContent !== null },
        );
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new McpProtocolError(message, { code: "invalid_call_result", toolName, cause });
  }
}

/**
 * @param {import("./skeleton.js").Skeleton} skeleton
 * @param {boolean} failed whether the result counts as a failure however it says so
 */
function normalized(skeleton, failed) {
  const copy = frozen(skeleton);
  // One level of protocol revision 2024-10-07 is unwrapped, as the native side does.
  const old =
    (copy.content ?? undefined) === undefined &&
    copy.structuredContent === undefined &&
    Array.isArray(copy.toolResult?.content);
  const { content, structuredContent } = old ? copy.toolResult : copy;
  return Object.freeze({
    content: Array.isArray(content) ? content : Object.freeze([]),
    isError: failed || copy.isError === true,
    ...(structuredContent !== undefined && { structuredContent }),
  });
}

/**
 * What the model reads of the answer to `resources/read`: a string, or core's content where an image is among it.
 * @param {unknown} raw
 * @param {Core} core
 * @throws {Error} where nothing of it can be read
 */
export function readResourceResult(raw, { toolContent }) {
  const skeleton = skeletonOf(raw);
  /** @type {import("./plan.js").Plan} */
  const plan = JSON.parse(native.planResourceResult(skeleton.text));
  if (plan.text) return joined(plan.text, skeleton.strings);
  if (plan.parts) return toolContent(contentParts(plan.parts, skeleton.strings));
  throw new Error(plan.unreadable);
}

/**
 * The JSON text of a page of resources, and of the templates where they were asked for.
 * @param {unknown} resources a list, or `{ resources, nextCursor? }`
 * @param {unknown} [templates] a list, or `{ resourceTemplates }`
 * @returns {string}
 * @throws {Error} where the resources are no page
 */
export function listResourcesResult(resources, templates) {
  const { text, strings } = skeletonOf({ resources, templates });
  /** @type {import("./plan.js").Plan} */
  const plan = JSON.parse(native.planResourceListing(text));
  if (plan.text) return joined(plan.text, strings);
  throw new Error(plan.unreadable);
}

/**
 * The answer to `prompts/get`, copied, and its instruction when it is asked for.
 * @param {unknown} raw
 * @returns {import("../../index.js").MCPPrompt}
 * @throws {Error} where it is no prompt
 */
export function promptResult(raw) {
  const skeleton = skeletonOf(raw);
  const problem = native.checkPromptResult(skeleton.text);
  if (problem !== null) throw new Error(problem);
  const { messages, description } = frozen(skeleton);
  /** @type {import("./plan.js").Plan | undefined} */
  let plan;
  return Object.freeze({
    messages,
    ...(typeof description === "string" && { description }),
    /** A new value each time: the caller may change it. */
    asInstruction: () => {
      plan ??= /** @type {import("./plan.js").Plan} */ (JSON.parse(native.planPromptResult(skeleton.text)));
      return plan.parts ? contentParts(plan.parts, skeleton.strings) : joined(plan.text ?? [], skeleton.strings);
    },
  });
}

/**
 * Arguments of a prompt as MCP sends them: strings. What is undefined or null is left out.
 * @param {Record<string, unknown>} args
 * @returns {Record<string, string>}
 * @throws {TypeError} where a value is none that JSON can say
 */
export function stringifyPromptArguments(args) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError(`prompts.get: expected the arguments as an object, got ${kindOf(args)}`);
  }
  /** @type {Record<string, string>} */
  const strings = {};
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue;
    Object.defineProperty(strings, name, {
      value: argumentText(name, value),
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return strings;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function argumentText(name, value) {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  try {
    return value instanceof Date ? value.toISOString() : jsonText(value);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`prompts.get: the argument ${quoted(name)} cannot be sent as a string: ${reason}`, { cause });
  }
}
