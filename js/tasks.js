/**
 * Tools that run as a task only (R30, protocol revision 2025-11-25): the call makes a task, the task is followed to its end, its result is the call's.
 */
import { AsyncResource } from "node:async_hooks";
import { quoted } from "./warnings.js";

/**
 * Calls a tool whose `execution.taskSupport` is `"required"`, through a client that can drive tasks.
 * @param {import("./client.js").ClientKind} kind
 * @param {string} name
 * @param {unknown} args
 * @param {{ signal?: AbortSignal; timeout?: number; onProgress?: (progress: unknown) => void }} options
 * @returns {Promise<unknown>} the raw result
 */
export async function callAsTask({ client }, name, args, { signal, timeout, onProgress }) {
  const tasks = client.experimental?.tasks;
  if (typeof tasks?.callToolStream !== "function") {
    throw new Error(
      `The MCP tool ${quoted(name)} runs as a task only (execution.taskSupport is "required"), and this client cannot drive tasks: ` +
        "it has no experimental.tasks.callToolStream. A client of @modelcontextprotocol/sdk 1.24 or later has.",
    );
  }
  signal?.throwIfAborted();
  const following = new AbortController();
  /** @type {string | undefined} */
  let taskId;
  const cancel = () => {
    // Before its id is known the task cannot be cancelled: the stream goes on until then.
    if (taskId === undefined || following.signal.aborted) return;
    Promise.resolve(tasks.cancelTask(taskId)).catch(() => {});
    following.abort(signal?.reason);
  };
  /** @param {{ taskId: string }} task */
  const onTask = (task) => {
    taskId = task.taskId;
    if (signal?.aborted) cancel();
    else onProgress?.({ task });
  };
  const stream = tasks.callToolStream({ name, arguments: args }, undefined, {
    task: {},
    signal: following.signal,
    ...(timeout !== undefined && { timeout }),
    ...(onProgress && { onprogress: AsyncResource.bind(onProgress) }),
  });
  const followed = follow(stream, name, onTask);
  if (signal === undefined) return await followed;
  return await new Promise((resolve, reject) => {
    const onAbort = () => {
      cancel();
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    followed.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * @param {AsyncIterable<any>} stream
 * @param {string} name
 * @param {(task: { taskId: string; status: string; statusMessage?: string }) => void} onTask
 */
async function follow(stream, name, onTask) {
  for await (const message of stream) {
    if (message.type === "taskCreated" || message.type === "taskStatus") onTask(message.task);
    else if (message.type === "result") return message.result;
    else if (message.type === "error") throw message.error;
  }
  throw new Error(`The task of the MCP tool ${quoted(name)} ended without a result`);
}
