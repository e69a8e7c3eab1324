import { setMaxListeners } from "node:events";

/**
 * A signal that follows several others. (`AbortSignal.any` is newer than Node 18.)
 * @param {(AbortSignal | undefined)[]} sources
 * @returns {{ signal: AbortSignal, unlink: () => void }}
 */
export function followSignals(sources) {
  const controller = new AbortController();
  // Every running child agent and tool call may listen here; that many is no leak.
  setMaxListeners(0, controller.signal);
  /** @type {(() => void)[]} */
  const links = [];
  for (const source of sources) {
    if (source === undefined) continue;
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    else {
      source.addEventListener("abort", abort, { once: true });
      links.push(() => source.removeEventListener("abort", abort));
    }
  }
  return {
    signal: controller.signal,
    unlink: () => {
      for (const unlink of links) unlink();
    },
  };
}

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it is aborted, whatever `work` still does.
 * @template T
 * @param {Promise<T>} work
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
export function raceAbort(work, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", onAbort);
    });
  });
}
