import { formatIssues } from "./call.js";
import { requireContext } from "./context.js";
import { cloneStrict } from "./strict-json.js";

/**
 * @param {Record<string, unknown>} data
 * @returns {void}
 */
export function equipScope(data) {
  const { scope } = requireContext("equipScope");
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw new TypeError("equipScope: the data must be a plain object");
  }
  for (const [key, value] of Object.entries(cloneStrict(data, "equipScope"))) scope.set(key, value);
}

/**
 * @template T
 * @param {import("../index.js").SchemaLike<T>} schema
 * @returns {T}
 */
export function expectScope(schema) {
  /** @type {Map<string, unknown>} */
  const merged = new Map();
  // From the nearest parent outwards, so that the nearest one that names a key decides.
  for (let from = requireContext("expectScope").run.parent; from !== undefined; from = from.run.parent) {
    for (const [key, value] of from.scope) if (!merged.has(key)) merged.set(key, value);
  }
  const parsed = schema.safeParse(cloneStrict(Object.fromEntries(merged), "expectScope"));
  if (!parsed.success) throw new Error(`The scope is not what was expected: ${formatIssues(parsed.error)}`);
  return /** @type {T} */ (parsed.data);
}
