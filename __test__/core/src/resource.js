import { requireContext, requireKey } from "./context.js";
import { ResourceNotFoundError } from "./errors.js";

/**
 * @typedef {import("./context.js").Run} Run
 * @typedef {object} ResourceEntry
 * @property {readonly unknown[]} deps
 * @property {boolean} expose
 * @property {((resource: any) => unknown) | undefined} destroy
 * @property {Promise<unknown>} created
 * @property {{ value: unknown } | undefined} ready
 */

/**
 * @template T
 * @param {string} key
 * @param {import("../index.js").ResourceOptions<T>} options
 * @returns {Promise<T>}
 */
export async function equipResource(key, { create, destroy, deps, expose = false }) {
  const { run } = requireContext("equipResource");
  requireKey("equipResource", key);
  if (!Array.isArray(deps)) throw new TypeError("equipResource: deps must be an array");
  // Nobody would destroy what is created from here on.
  if (run.ended) throw new Error(`equipResource: the run of agent "${run.agentId}" has ended`);

  const former = run.resources.get(key);
  if (former !== undefined && sameDeps(former.deps, deps)) {
    former.expose = expose;
    return /** @type {Promise<T>} */ (former.created);
  }

  const created = (async () => {
    if (former !== undefined) await destroyEntry(former);
    return create();
  })();
  /** @type {ResourceEntry} */
  const entry = { deps: [...deps], expose, destroy, created, ready: undefined };
  // Removed first, so that the order of the map stays the order of creation.
  run.resources.delete(key);
  run.resources.set(key, entry);
  try {
    const value = await created;
    entry.ready = { value };
    return value;
  } catch (error) {
    if (run.resources.get(key) === entry) run.resources.delete(key);
    throw error;
  }
}

/**
 * @template T
 * @param {string} key
 * @returns {T}
 */
export function expectResource(key) {
  for (let from = requireContext("expectResource").run.parent; from !== undefined; from = from.run.parent) {
    const entry = from.run.resources.get(key);
    if (entry?.expose && entry.ready !== undefined) return /** @type {T} */ (entry.ready.value);
  }
  throw new ResourceNotFoundError(key);
}

/**
 * Destroys all, the last created first: it may lean on the ones before. One failure does not spare the others.
 * @param {Run} run
 * @returns {Promise<unknown[]>} what went wrong
 */
export async function destroyResources(run) {
  /** @type {unknown[]} */
  const failures = [];
  for (const entry of [...run.resources.values()].reverse()) {
    try {
      await destroyEntry(entry);
    } catch (error) {
      failures.push(error);
    }
  }
  run.resources.clear();
  return failures;
}

/** @param {ResourceEntry} entry */
async function destroyEntry(entry) {
  let value;
  try {
    value = await entry.created;
  } catch {
    return; // never came to be; whoever asked for it was told
  }
  await entry.destroy?.(value);
}

/**
 * @param {readonly unknown[]} a
 * @param {readonly unknown[]} b
 */
function sameDeps(a, b) {
  return a.length === b.length && a.every((value, index) => Object.is(value, b[index]));
}
