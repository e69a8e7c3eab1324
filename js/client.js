/**
 * The application's client: which kind it is, how its methods take their arguments (R20), and where its request options go (R21).
 */
import { AsyncResource } from "node:async_hooks";
import { z } from "zod/v3";
import { kindOf } from "./json.js";

/**
 * @typedef {"sdk1" | "sdk2" | "facade"} Generation
 * @typedef {"params" | "positional"} Form
 * @typedef {object} ClientKind
 * @property {Generation} generation
 * @property {Form | undefined} form how `callTool` takes its arguments; undefined until a client without any mark has answered once
 * @property {Record<string, any>} client
 */

/** What is known of each client; it goes when the client does. @type {WeakMap<object, ClientKind>} */
const kinds = new WeakMap();

/** Takes any answer: what a result may look like is for the native side to say, and one odd tool must not cost the others. */
const anyResult = z.any();

/** As above for a call; 1.x takes an answer that says nothing at all as one without content, and so it stays. */
const anyCallResult = Object.assign(z.any(), {
  parse: readCallResult,
  // zod's own way through a transform takes longer than all else that a call needs here.
  safeParse: (/** @type {unknown} */ result) => ({ success: true, data: readCallResult(result) }),
});

/** @param {unknown} result */
function readCallResult(result) {
  if (!isRecord(result)) return result;
  for (const key in result) if (key !== "isError" && key !== "_meta") return result;
  return { ...result, content: [] };
}

/**
 * @param {unknown} client
 * @param {string} [caller] who wants it, for the message
 * @returns {asserts client is Record<string, any>}
 */
export function assertClient(client, caller = "equipMCP") {
  if ((typeof client !== "object" && typeof client !== "function") || client === null) {
    throw new TypeError(`${caller} expects a connected MCP client as its first argument, got ${kindOf(client)}`);
  }
}

/**
 * What kind of client this is, decided before its first call and remembered.
 * @param {object} client
 * @param {"auto" | Form} [callStyle]
 * @returns {ClientKind}
 */
export function clientKind(client, callStyle = "auto") {
  let kind = kinds.get(client);
  if (kind === undefined) {
    kind = classify(/** @type {Record<string, any>} */ (client));
    kinds.set(client, kind);
  }
  // A style that the application states holds for this use alone: another use of the client may state another.
  return callStyle === "auto" || callStyle === kind.form ? kind : { ...kind, form: callStyle };
}

/**
 * @param {Record<string, any>} client
 * @returns {ClientKind}
 */
function classify(client) {
  if (isFunction(client.getProtocolEra)) return { generation: "sdk2", form: "params", client };
  if (isFunction(client.request) && isFunction(client.getServerCapabilities) && isFunction(client.setRequestHandler)) {
    return { generation: "sdk1", form: "params", client };
  }
  return { generation: "facade", form: formByArity(client.callTool), client };
}

/**
 * A facade's own declaration: `callTool(params)` or `callTool(name, args)`. A function that declares nothing (rest parameters, a mock) says nothing.
 * @param {unknown} method
 * @returns {Form | undefined}
 */
function formByArity(method) {
  if (!isFunction(method) || method.length === 0) return undefined;
  return method.length === 1 ? "params" : "positional";
}

/** @param {unknown} value @returns {value is Function} */
function isFunction(value) {
  return typeof value === "function";
}

/**
 * A client of an SDK whose own list methods cannot give what this package needs: 1.x refuses a whole page for one `null` in one tool, and forgets
 * the tools of earlier pages; 2.x walks all pages, at most 64, and answers from a cache (R9). Its `request` asks for just one page. Where the
 * application has put a method of its own in place, that one is called.
 * @param {ClientKind} kind
 * @param {string} method e.g. `listTools`
 */
function asksByRequest({ generation, client }, method) {
  return generation !== "facade" && isFunction(client.request) && isSdkMethod(client, method);
}

/**
 * Whether a client's method is that of the SDK's class, not one that a subclass, a wrapper or a test has put in its place.
 * @param {Record<string, any>} client
 * @param {string} method
 */
function isSdkMethod(client, method) {
  for (let at = Object.getPrototypeOf(client); at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, method)) return Object.hasOwn(at, "getServerCapabilities") && at[method] === client[method];
  }
  return false;
}

/**
 * The schema that a 1.x client is to read a call's result with. Its own refuses the whole result for a block it does not know, a number in
 * `structuredContent`, a picture without its type; what of that is a result is this package's to say, and to a model most of it is (R24, R26).
 * @param {ClientKind} kind
 */
export function resultSchema({ generation, client }) {
  return generation === "sdk1" && isSdkMethod(client, "callTool") ? anyCallResult : undefined;
}

/**
 * One page of a list, in whatever shape the client gives it.
 * @param {ClientKind} kind
 * @param {"tools" | "prompts" | "resources" | "resources/templates"} what
 * @param {string | undefined} cursor
 * @param {{ signal?: AbortSignal; fresh?: boolean }} [options] `fresh`: the answer must come from the server
 * @returns {Promise<unknown>}
 */
export async function listPage(kind, what, cursor, { signal, fresh = false } = {}) {
  const { client, generation } = kind;
  const method = LIST_METHODS[what];
  const params = cursor === undefined ? {} : { cursor };
  signal?.throwIfAborted();
  if (asksByRequest(kind, method) && advertises(kind, what)) {
    const request = cursor === undefined ? { method: `${what}/list` } : { method: `${what}/list`, params };
    return await untilAborted(signal, (own) => client.request(request, anyResult, own && { signal: own }));
  }
  if (!isFunction(client[method]))
    throw new TypeError(`expected the MCP client to have a method ${method}, got ${kindOf(client[method])}`);
  if (generation === "facade") return await untilAborted(signal, () => client[method](params));
  const options = generation === "sdk2" && fresh ? { cacheMode: "refresh" } : {};
  return await untilAborted(signal, (own) => client[method](params, own ? { ...options, signal: own } : options));
}

const LIST_METHODS = /** @type {const} */ ({
  tools: "listTools",
  prompts: "listPrompts",
  resources: "listResources",
  "resources/templates": "listResourceTemplates",
});

/**
 * Clients answer for a server that does not have the capability in their own way (2.x: an empty list), and so they are asked.
 * @param {ClientKind} kind
 * @param {string} what
 */
function advertises({ client }, what) {
  const capabilities = client.getServerCapabilities?.();
  return capabilities === undefined || capabilities[/** @type {string} */ (what.split("/")[0])] !== undefined;
}

/**
 * Runs `start` with a signal of its own that follows `signal`, and ends at once when that aborts: some clients take no signal, and some never let go
 * of the listener they put on one. What still comes from the client afterwards is dropped.
 * @template T
 * @param {AbortSignal | undefined} signal
 * @param {(own: AbortSignal | undefined) => T | PromiseLike<T>} start
 * @param {number} [timeout] milliseconds, for a client that takes no options
 * @returns {Promise<T>}
 */
export function untilAborted(signal, start, timeout) {
  if (signal === undefined && timeout === undefined) return Promise.resolve(start(undefined));
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const own = signal && new AbortController();
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const release = () => {
      signal?.removeEventListener("abort", onAbort);
      clearTimeout(timer);
    };
    const onAbort = () => {
      release();
      own?.abort(signal?.reason);
      // A client that heeds its signal rejects first, with its own error; this is for one that does not.
      setImmediate(reject, signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    if (timeout !== undefined) {
      timer = setTimeout(() => {
        release();
        reject(new DOMException(`The MCP client gave no answer within ${timeout} ms`, "TimeoutError"));
      }, timeout);
    }
    /** @type {(settle: (value: any) => void) => (value: any) => void} */
    const settled = (settle) => (value) => {
      release();
      settle(value);
    };
    try {
      Promise.resolve(start(own?.signal)).then(settled(resolve), settled(reject));
    } catch (error) {
      settled(reject)(error);
    }
  });
}

/**
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal]
 * @property {number} [timeout] milliseconds
 * @property {(progress: unknown) => void} [onProgress]
 * @property {{ name: string; inputSchema: unknown }} [tool] the tool as listed; spares a 2.x client its own list
 */

/**
 * Calls a tool once. The answer is the client's, whatever it is. What the client throws is thrown or rejects.
 * @param {ClientKind} kind
 * @param {string} name the native name
 * @param {unknown} args
 * @param {CallOptions} [options]
 * @returns {Promise<unknown>}
 */
export function callClientTool(kind, name, args, options = {}) {
  const { client, generation } = kind;
  if (!isFunction(client.callTool)) {
    throw new TypeError(`expected the MCP client to have a method callTool, got ${kindOf(client.callTool)}`);
  }
  const params = { name, arguments: args };
  const { signal, timeout, onProgress, tool } = options;
  signal?.throwIfAborted();
  if (generation === "facade") {
    return untilAborted(signal, () => callFacade(kind, "callTool", params, [name, args], isCallResult), timeout);
  }
  return untilAborted(signal, (own) => {
    const request = requestOptions(own, timeout, onProgress);
    // 1.x takes the schema of the result before the options, and runs the tool before it finds out that it got something else there.
    if (generation === "sdk1") {
      const schema = resultSchema(kind);
      if (request) return client.callTool(params, schema, request);
      return schema ? client.callTool(params, schema) : client.callTool(params);
    }
    return tool === undefined && request === undefined
      ? client.callTool(params)
      : client.callTool(params, { ...request, ...(tool && { toolDefinition: tool }) });
  });
}

/**
 * @param {AbortSignal | undefined} signal
 * @param {number | undefined} timeout
 * @param {((progress: unknown) => void) | undefined} onProgress
 */
function requestOptions(signal, timeout, onProgress) {
  if (signal === undefined && timeout === undefined && onProgress === undefined) return undefined;
  return {
    ...(signal && { signal }),
    ...(timeout !== undefined && { timeout }),
    // Progress arrives in the transport's context; the caller's is the one that tracing wants.
    ...(onProgress && { onprogress: AsyncResource.bind(onProgress) }),
  };
}

/**
 * Reads a resource, `readResource({ uri })` or `readResource(uri)`.
 * @param {ClientKind} kind
 * @param {string} uri
 * @param {{ signal?: AbortSignal; timeout?: number }} [options]
 */
export function readClientResource(kind, uri, { signal, timeout } = {}) {
  return callMethod(kind, "readResource", { uri }, [uri], hasList("contents"), signal, timeout);
}

/**
 * Fetches a prompt, `getPrompt({ name, arguments })` or `getPrompt(name, args)`.
 * @param {ClientKind} kind
 * @param {string} name
 * @param {Record<string, string> | undefined} args
 * @param {{ signal?: AbortSignal; timeout?: number }} [options]
 */
export function getClientPrompt(kind, name, args, { signal, timeout } = {}) {
  const params = args === undefined ? { name } : { name, arguments: args };
  return callMethod(kind, "getPrompt", params, [name, args], hasList("messages"), signal, timeout);
}

/**
 * @param {ClientKind} kind
 * @param {string} method
 * @param {object} params
 * @param {unknown[]} positional
 * @param {(value: unknown) => boolean} isResult
 * @param {AbortSignal | undefined} signal
 * @param {number | undefined} timeout
 * @returns {Promise<unknown>}
 */
async function callMethod(kind, method, params, positional, isResult, signal, timeout) {
  const { client, generation } = kind;
  if (!isFunction(client[method])) {
    throw new Error(`expected the MCP client to have a method ${method}, got ${kindOf(client[method])}`);
  }
  if (generation === "facade") {
    return await untilAborted(signal, () => callFacade(kind, method, params, positional, isResult), timeout);
  }
  return await untilAborted(signal, (own) => {
    const request = requestOptions(own, timeout, undefined);
    return request ? client[method](params, request) : client[method](params);
  });
}

/**
 * Calls a method of a facade client in the form it takes. Only for a client that bears no mark at all, and only until it has answered once, a second
 * form is tried where the first one came to nothing (R20).
 * @param {ClientKind} kind
 * @param {string} method
 * @param {object} params
 * @param {unknown[]} positional
 * @param {(value: unknown) => boolean} isResult
 * @returns {unknown}
 */
function callFacade(kind, method, params, positional, isResult) {
  const { client, form } = kind;
  if (form === "params") return client[method](params);
  if (form === "positional") return client[method](...positional);
  return tryForms(kind, method, params, positional, isResult);
}

/** @type {typeof callFacade} */
async function tryForms(kind, method, params, positional, isResult) {
  const { client } = kind;
  // Remembered before the call: a second call that starts meanwhile must not try forms of its own.
  kind.form = "params";
  try {
    const answer = await client[method](params);
    if (isResult(answer)) return answer;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  kind.form = "positional";
  return await client[method](...positional);
}

/** @param {unknown} value */
function isCallResult(value) {
  return (
    isRecord(value) &&
    (Array.isArray(value.content) ||
      value.structuredContent !== undefined ||
      value.toolResult !== undefined ||
      typeof value.isError === "boolean")
  );
}

/** @param {string} key */
function hasList(key) {
  return (/** @type {unknown} */ value) => Array.isArray(value) || (isRecord(value) && Array.isArray(value[key]));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return typeof value === "object" && value !== null;
}
