/**
 * Prompts as code gets them, and as an instruction for the model (R28).
 */
import { native } from "../binding.js";
import { kindOf } from "../json.js";
import { copied, invalid } from "./call.js";
import { partsOf, textOf } from "./plan.js";
import { shapeOf, skeletonOf } from "./skeleton.js";

/**
 * @param {unknown} raw the answer to `prompts/get`
 * @returns {{ messages: readonly any[]; description?: string; asInstruction: () => import("@rejelly/core").MessageContent }}
 */
export function promptResult(raw) {
  const copy = copied(raw, { strict: false, frozen: true }) ?? null;
  const problem = native.promptProblem(shapeOf(copy));
  if (problem !== null) throw invalid(problem);
  const { messages, description } = copy;
  return {
    messages,
    ...(typeof description === "string" ? { description } : {}),
    asInstruction: () => instructionOf(messages),
  };
}

/**
 * @param {readonly unknown[]} messages
 * @returns {import("@rejelly/core").MessageContent}
 */
function instructionOf(messages) {
  const { text, strings } = skeletonOf({ messages });
  /** @type {import("./plan.js").Plan} */
  const plan = JSON.parse(native.planPrompt(text));
  if ("text" in plan) return textOf(plan.text, strings);
  if ("parts" in plan) return partsOf(plan.parts, strings);
  throw invalid("invalid" in plan ? plan.invalid : "expected content");
}

/**
 * The arguments of a prompt as MCP wants them: strings. What is absent (`undefined`, `null`) is left out; objects and arrays are sent as JSON.
 * @param {Record<string, unknown>} args
 * @returns {Record<string, string>}
 */
export function stringifyPromptArguments(args) {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError(`expected the arguments of a prompt (an object), got ${kindOf(args)}`);
  }
  /** @type {Record<string, string>} */
  const strings = {};
  for (const [name, value] of Object.entries(args)) {
    if (value === undefined || value === null) continue;
    Object.defineProperty(strings, name, {
      value: stringOf(name, value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return strings;
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function stringOf(name, value) {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    default: {
      // A Date and the like say themselves what they are as JSON; a string of theirs needs no quotes.
      const text = JSON.stringify(value);
      if (text === undefined)
        throw new TypeError(`argument ${JSON.stringify(name)}: expected JSON, got ${kindOf(value)}`);
      return value instanceof Date ? JSON.parse(text) : text;
    }
  }
}
