import { requireContext, requireKey } from "./context.js";
import { readSlot, writeSlot } from "./memory.js";
import { cloneStrict, deepEqual } from "./strict-json.js";

const PREFIX = "__rejelly_internal_memo__::";

/**
 * @template T
 * @param {string} key
 * @param {() => T | Promise<T>} factory
 * @param {unknown} deps
 * @returns {Promise<T>}
 */
export async function equipMemo(key, factory, deps) {
  const { run } = requireContext("equipMemo");
  requireKey("equipMemo", key);
  const slot = PREFIX + key;
  // Copied before the factory runs: deps that the caller edits meanwhile must not be stored.
  const wanted = cloneStrict(deps, `Deps of memo ${JSON.stringify(key)}`);
  // The slot is not made beforehand, so a factory that throws leaves no trace in a snapshot.
  if (run.memory.has(slot)) {
    const stored = /** @type {{ deps?: unknown, value?: unknown } | null} */ (readSlot(run, slot));
    if (isEntry(stored) && deepEqual(stored.deps, wanted)) return /** @type {T} */ (stored.value);
  }
  const value = await factory();
  writeSlot(run, slot, { deps: wanted, value });
  return value;
}

/**
 * @param {unknown} stored
 * @returns {stored is { deps: unknown, value: unknown }}
 */
function isEntry(stored) {
  return (
    typeof stored === "object" && stored !== null && Object.hasOwn(stored, "deps") && Object.hasOwn(stored, "value")
  );
}
