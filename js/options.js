/**
 * The options of the exported functions: their defaults, and a TypeError that names the option and what it got (R2).
 */
import { kindOf } from "./json.js";

/** @typedef {import("../index.js").EquipMCPOptions} EquipMCPOptions */

/** @param {unknown} value what came, shown in a message: short values as they are, others by their kind */
function got(value) {
  if (typeof value === "string") return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  if (typeof value === "number" || typeof value === "boolean" || value == null) return String(value);
  return kindOf(value);
}

/**
 * @param {string} caller
 * @param {string} name
 * @param {string} expected
 * @param {unknown} value
 */
function refuse(caller, name, expected, value) {
  return new TypeError(`${caller}: expected the option ${name} to be ${expected}, got ${got(value)}`);
}

/** @param {unknown} value */
const isPositiveSafeInteger = (value) => Number.isSafeInteger(value) && /** @type {number} */ (value) > 0;
/** @param {unknown} value */
const isBoolean = (value) => typeof value === "boolean";
/** @param {unknown} value */
const isNonEmptyString = (value) => typeof value === "string" && value !== "";
/** @param {unknown} value */
const isFunction = (value) => typeof value === "function";

/** @type {Record<string, [expected: string, holds: (value: any) => boolean]>} */
const RULES = {
  clientId: ["a non-empty string", isNonEmptyString],
  namespace: ["a non-empty string", isNonEmptyString],
  tools: ["an array of strings", (value) => Array.isArray(value) && everyItem(value, isString)],
  forceRefresh: ["a boolean", isBoolean],
  autoPaginate: ["a boolean", isBoolean],
  maxItems: ["a positive safe integer", isPositiveSafeInteger],
  enableResources: ["a boolean", isBoolean],
  middleware: [
    "an array of middlewares ({ name, handler })",
    (value) => Array.isArray(value) && everyItem(value, (item) => isFunction(item?.handler)),
  ],
  toolNames: [
    '"native", "portable" or a function',
    (value) => value === "native" || value === "portable" || isFunction(value),
  ],
  callTimeout: ["a positive number of milliseconds", (value) => Number.isFinite(value) && value > 0],
  onProgress: ["a function", isFunction],
  callStyle: ['"auto", "params" or "positional"', (value) => ["auto", "params", "positional"].includes(value)],
  onInvalidTool: ['"throw" or "skip"', (value) => value === "throw" || value === "skip"],
};

/** @param {unknown} value */
function isString(value) {
  return typeof value === "string";
}

/**
 * Unlike `every`, holes in a sparse array count.
 * @param {readonly unknown[]} array
 * @param {(item: any) => boolean} holds
 */
function everyItem(array, holds) {
  for (let index = 0; index < array.length; index += 1) if (!holds(array[index])) return false;
  return true;
}

/**
 * The options of `equipMCP`, checked, with their defaults.
 * @param {unknown} options
 */
export function equipOptions(options) {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`equipMCP: expected options with a clientId as its second argument, got ${got(options)}`);
  }
  const given = /** @type {Record<string, unknown>} */ (options);
  for (const name of Object.keys(RULES)) {
    const value = given[name];
    const [expected, holds] = /** @type {(typeof RULES)[string]} */ (RULES[name]);
    if (value === undefined && name !== "clientId") continue;
    if (!holds(value)) throw refuse("equipMCP", name, expected, value);
  }
  const checked = /** @type {EquipMCPOptions} */ (options);
  return {
    clientId: checked.clientId,
    namespace: checked.namespace,
    tools: checked.tools,
    forceRefresh: checked.forceRefresh ?? false,
    autoPaginate: checked.autoPaginate ?? true,
    maxItems: checked.maxItems ?? 100,
    enableResources: checked.enableResources ?? false,
    middleware: checked.middleware ?? [],
    toolNames: checked.toolNames ?? "native",
    callTimeout: checked.callTimeout,
    onProgress: checked.onProgress,
    callStyle: checked.callStyle ?? "auto",
    onInvalidTool: checked.onInvalidTool ?? "throw",
  };
}

/** @typedef {ReturnType<typeof equipOptions>} CheckedOptions */

/**
 * A boolean option of another function.
 * @param {string} caller
 * @param {string} name
 * @param {unknown} value
 * @param {boolean} fallback
 */
export function booleanOption(caller, name, value, fallback) {
  if (value === undefined) return fallback;
  if (typeof value !== "boolean") throw refuse(caller, name, "a boolean", value);
  return value;
}

export { got, isPositiveSafeInteger, refuse };
