import { requireContext, requireKey } from "./context.js";
import { cloneStrict } from "./strict-json.js";

/** @typedef {import("./context.js").Run} Run */

const SNAPSHOT_VERSION = 1;

/**
 * @template T
 * @param {string} key
 * @param {T} initial
 * @returns {[T, (next: T | ((previous: T) => T)) => void]}
 */
export function equipMemory(key, initial) {
  const { run } = requireContext("equipMemory");
  requireKey("equipMemory", key);
  if (!run.memory.has(key)) writeSlot(run, key, initial);
  return [
    /** @type {T} */ (readSlot(run, key)),
    (next) => {
      const value =
        typeof next === "function"
          ? /** @type {(previous: T) => T} */ (next)(/** @type {T} */ (readSlot(run, key)))
          : next;
      writeSlot(run, key, value);
    },
  ];
}

/** @returns {string} */
export function snapshotMemory() {
  return snapshotOf(requireContext("snapshotMemory").run);
}

/**
 * @param {Run} run
 * @returns {string}
 */
export function snapshotOf(run) {
  // fromEntries defines its properties, so a slot called "__proto__" is kept.
  return JSON.stringify({ version: SNAPSHOT_VERSION, memory: Object.fromEntries(run.memory) });
}

/**
 * @param {unknown} snapshot
 * @returns {Map<string, unknown>}
 */
export function memoryFrom(snapshot) {
  if (snapshot === undefined) return new Map();
  if (typeof snapshot !== "string") throw new TypeError(`snapshot must be JSON text, not ${typeof snapshot}`);
  let parsed;
  try {
    parsed = JSON.parse(snapshot);
  } catch (cause) {
    throw new TypeError("snapshot is not valid JSON", { cause });
  }
  const memory = parsed?.version === SNAPSHOT_VERSION ? parsed.memory : undefined;
  if (typeof memory !== "object" || memory === null || Array.isArray(memory)) {
    throw new TypeError(`snapshot is no memory snapshot of version ${SNAPSHOT_VERSION}`);
  }
  return new Map(Object.entries(memory));
}

/**
 * @param {Run} run
 * @param {string} key
 * @returns {unknown}
 */
export function readSlot(run, key) {
  return cloneStrict(run.memory.get(key), labelOf(key));
}

/**
 * @param {Run} run
 * @param {string} key
 * @param {unknown} value
 */
export function writeSlot(run, key, value) {
  // The check comes first: a value that is refused leaves the slot as it was.
  run.memory.set(key, cloneStrict(value, labelOf(key)));
}

/** @param {string} key */
function labelOf(key) {
  return `Memory ${JSON.stringify(key)}`;
}
