import { AsyncLocalStorage } from "node:async_hooks";
import { ContextNotFoundError } from "./errors.js";

/**
 * @typedef {import("../index.js").Model} Model
 * @typedef {import("../index.js").MessageContent} MessageContent
 * @typedef {import("../index.js").ToolDefinition<any>} Tool
 * @typedef {import("./resource.js").ResourceEntry} ResourceEntry
 */

/**
 * @typedef {object} Run what lives as long as one run of one agent
 * @property {string} agentId
 * @property {Model | undefined} model
 * @property {AbortSignal} signal
 * @property {Map<string, unknown>} memory
 * @property {Map<string, ResourceEntry>} resources
 * @property {Generation | undefined} parent where the agent was called from
 * @property {boolean} ended
 */

/**
 * @typedef {object} Generation what one pass of the handler equips; the context that hooks read
 * @property {Run} run
 * @property {Tool[]} tools
 * @property {string[]} system
 * @property {MessageContent[]} instructions
 * @property {Map<string, unknown>} scope
 * @property {boolean} prompted
 */

/** @type {AsyncLocalStorage<Generation>} */
export const storage = new AsyncLocalStorage();

/**
 * @param {Run} run
 * @returns {Generation}
 */
export function newGeneration(run) {
  return { run, tools: [], system: [], instructions: [], scope: new Map(), prompted: false };
}

/**
 * @param {string} hook
 * @returns {Generation}
 */
export function requireContext(hook) {
  const generation = storage.getStore();
  if (generation === undefined) throw new ContextNotFoundError(hook);
  return generation;
}

/** @returns {AbortSignal | undefined} */
export function getContextSignal() {
  return storage.getStore()?.run.signal;
}

/**
 * @param {string} hook
 * @param {unknown} key
 */
export function requireKey(hook, key) {
  if (typeof key !== "string" || key === "") {
    throw new TypeError(`${hook}: the key must be a non-empty string, not ${key === "" ? "an empty one" : typeof key}`);
  }
}
