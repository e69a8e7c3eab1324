import { createAgent } from "@rejelly/core";

/**
 * Runs `handler` as the one generation of an agent.
 * @template T
 * @param {() => Promise<T>} handler
 * @param {import("@rejelly/core").RunOptions} [options]
 * @returns {Promise<T>}
 */
export function inAgent(handler, options) {
  const agent = createAgent({ id: "test", handler });
  return /** @type {Promise<any>} */ (agent(undefined, options));
}
