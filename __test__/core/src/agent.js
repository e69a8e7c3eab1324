import { followSignals } from "./abort.js";
import { newGeneration, storage } from "./context.js";
import { memoryFrom, snapshotOf } from "./memory.js";
import { destroyResources } from "./resource.js";

/**
 * @typedef {import("../index.js").Reborn} Reborn
 * @typedef {import("../index.js").RunOptions} RunOptions
 * @typedef {import("./context.js").Run} Run
 */

const DEFAULT_MAX_REBORNS = 100;

/** @type {Reborn} */
const REBORN = Object.freeze({ $rejellyReborn: true });

/** @returns {Reborn} */
export function reborn() {
  return REBORN;
}

/**
 * @template P, R
 * @param {import("../index.js").AgentOptions<P, R>} options
 * @returns {import("../index.js").Agent<P, Exclude<R, Reborn>>}
 */
export function createAgent({ id, model, handler, maxReborns = DEFAULT_MAX_REBORNS }) {
  if (typeof id !== "string" || id === "") throw new TypeError("createAgent: id must be a non-empty string");
  if (typeof handler !== "function") throw new TypeError(`createAgent: agent "${id}" has no handler`);
  if (!Number.isSafeInteger(maxReborns) || maxReborns < 0) {
    throw new TypeError(`createAgent: maxReborns must be an integer from 0 up, not ${maxReborns}`);
  }

  /**
   * @param {P} [props]
   * @param {RunOptions} [options]
   */
  const agent = async (props, { signal: outer, snapshot, onSnapshot } = {}) => {
    const parent = storage.getStore();
    const memory = memoryFrom(snapshot);
    const { signal, unlink } = followSignals([outer, parent?.run.signal]);
    /** @type {Run} */
    const run = {
      agentId: id,
      model: model ?? parent?.run.model,
      signal,
      memory,
      resources: new Map(),
      parent,
      ended: false,
    };
    try {
      return await untilEnd(run, () =>
        generations(run, () => handler(/** @type {P} */ (props)), maxReborns, onSnapshot),
      );
    } finally {
      unlink();
    }
  };
  return /** @type {any} */ (Object.defineProperty(agent, "name", { value: id, configurable: true }));
}

/**
 * @param {Run} run
 * @param {() => unknown} pass runs the handler once
 * @param {number} maxReborns
 * @param {RunOptions["onSnapshot"]} onSnapshot
 */
async function generations(run, pass, maxReborns, onSnapshot) {
  for (let reborns = 0; ; reborns++) {
    let result;
    try {
      result = await storage.run(newGeneration(run), async () => pass());
    } finally {
      onSnapshot?.(snapshotOf(run));
    }
    if (result !== REBORN) return result;
    // A handler that never prompts would otherwise go on for ever after an abort.
    run.signal.throwIfAborted();
    if (reborns === maxReborns) {
      throw new Error(`Agent "${run.agentId}" was reborn more than ${maxReborns} times (maxReborns)`);
    }
  }
}

/**
 * Destroys the run's resources whichever way it ends. The error of the run itself comes first.
 * @param {Run} run
 * @param {() => Promise<unknown>} work
 */
async function untilEnd(run, work) {
  /** @type {unknown[]} */
  let failures = [];
  const destroyAll = async () => {
    run.ended = true;
    // In the agent's own context, so that what is traced or aborted there is here as well.
    failures = await storage.run(newGeneration(run), () => destroyResources(run));
  };
  let result;
  try {
    result = await work();
  } catch (error) {
    await destroyAll();
    throw error;
  }
  await destroyAll();
  if (failures.length === 1) throw failures[0];
  if (failures.length > 1) throw new AggregateError(failures, `Agent "${run.agentId}" could not destroy its resources`);
  return result;
}
