/**
 * Tools that run as a task only (R30, protocol revision 2025-11-25): the call makes a task, the task is followed to its end, its result is the call's.
 */
import { AsyncResource } from "node:async_hooks";
import { resultSchema } from "./client.js";
import { quoted } from "./warnings.js";

/**
 * Calls a tool whose `execution.taskSupport` is `"required"`, through a client that can drive tasks.
 * @param {import("./client.js").ClientKind} kind
 * @param {string} name
 * @param {unknown} args
 * @param {{ signal?: AbortSignal; timeout?: number; onProgress?: (progress: unknown) => void }} options
 * @returns {Promise<unknown>} the raw result
 */
export async function callAsTask(kind, name, args, { signal, timeout, onProgress }) {
  const tasks = kind.client.experimental?.tasks;
  if (typeof tasks?.callToolStream !== "function") {
    throw new Error(
      `The MCP tool ${quoted(name)} runs as a task only (execution.taskSupport is "required"), and this client cannot drive tasks: ` +
        "it has no experimental.tasks.callToolStream. A client of @modelcontextprotocol/sdk 1.24 or later has.",
    );
  }
  signal?.throwIfAborted();
  const following = new AbortController();
  const schema = resultSchema(kind);
  const request = { signal: ofOneRequest(following.signal), ...(timeout !== undefined && { timeout }) };
  /** @type {string | undefined} */
  let taskId;
  /** Why nobody waits for the task any more. @type {{ reason: unknown } | undefined} */
  let given;
  const cancel = async () => {
    // Before its id is known the task cannot be cancelled: the stream goes on until then.
    if (taskId === undefined || following.signal.aborted) return;
    const asked = (async () => tasks.cancelTask?.(taskId))();
    following.abort(given?.reason);
    // The caller has its answer already, and a task that ended meanwhile cannot be cancelled.
    await asked.catch(() => {});
  };
  const tell = (/** @type {unknown} */ progress) => {
    try {
      onProgress?.(progress);
    } catch (error) {
      // As the client does with what its own progress callbacks throw: the call is none the worse.
      kind.client.onerror?.(error);
    }
  };
  /** @param {{ taskId: string }} task */
  const onTask = (task) => {
    taskId = task.taskId;
    if (given) cancel();
    else tell({ task });
  };
  const stream = tasks.callToolStream({ name, arguments: args }, schema, {
    task: {},
    ...request,
    ...(onProgress && { onprogress: AsyncResource.bind(onProgress) }),
  });
  const resultOf =
    typeof tasks.getTaskResult === "function"
      ? (/** @type {string} */ id) => tasks.getTaskResult(id, schema, request)
      : undefined;
  const followed = follow(stream, name, onTask, resultOf);
  if (signal === undefined && timeout === undefined) return await followed;
  return await new Promise((resolve, reject) => {
    const giveUp = (/** @type {unknown} */ reason) => {
      given = { reason };
      cancel();
      reject(reason);
    };
    const onAbort = () => giveUp(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    // The client bounds each of its requests by itself; a task is many of them.
    const timer =
      timeout === undefined
        ? undefined
        : setTimeout(
            () =>
              giveUp(
                new DOMException(
                  `The task of the MCP tool ${quoted(name)} did not end within ${timeout} ms`,
                  "TimeoutError",
                ),
              ),
            timeout,
          );
    const release = () => {
      signal?.removeEventListener("abort", onAbort);
      clearTimeout(timer);
    };
    followed.then(resolve, reject).finally(release);
  });
}

/**
 * @param {AsyncIterable<any>} stream
 * @param {string} name
 * @param {(task: { taskId: string; status: string; statusMessage?: string }) => void} onTask
 * @param {((taskId: string) => Promise<unknown>) | undefined} resultOf
 */
async function follow(stream, name, onTask, resultOf) {
  /** @type {{ taskId: string; status: string } | undefined} */
  let last;
  for await (const message of stream) {
    if (message.type === "taskCreated" || message.type === "taskStatus") {
      last = message.task;
      onTask(message.task);
    } else if (message.type === "result") return message.result;
    else if (message.type === "error") return await reasonOf(message.error, last, resultOf);
  }
  throw new Error(`The task of the MCP tool ${quoted(name)} ended without a result`);
}

/**
 * A task fails where its tool does: the tool's own words are its result, which the stream keeps to itself.
 * @param {unknown} error of the stream
 * @param {{ taskId: string; status: string } | undefined} task as last seen
 * @param {((taskId: string) => Promise<unknown>) | undefined} resultOf
 */
async function reasonOf(error, task, resultOf) {
  if (task?.status !== "failed" || resultOf === undefined) throw error;
  let result;
  try {
    result = await resultOf(task.taskId);
  } catch {
    throw error;
  }
  if (typeof result !== "object" || result === null || Reflect.get(result, "isError") !== true) throw error;
  return result;
}

/**
 * A signal that only the latest listener hears. A task is many requests, one after another, and a 1.x client never takes its listener off: an abort
 * would send a cancellation for each request that was answered long ago, and a long task would gather listeners without end.
 * @param {AbortSignal} signal
 */
function ofOneRequest(signal) {
  const { addEventListener } = signal;
  /** @type {any} */
  let latest;
  /** @type {(type: string, listener: any, options?: any) => void} */
  const add = (type, listener, options) => {
    if (type === "abort") {
      signal.removeEventListener(type, latest);
      latest = listener;
    }
    addEventListener.call(signal, type, listener, options);
  };
  return Object.defineProperty(signal, "addEventListener", { value: add });
}
