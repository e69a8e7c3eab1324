/**
 * From a client to a catalog: the face's half of the walk over `tools/list`. The native side decides where to go and when to stop; this side asks the
 * client, and keeps what cannot cross: error objects.
 */
import { AsyncResource } from "node:async_hooks";
import { native } from "./binding.js";
import { listPage } from "./client.js";
import { protocolError } from "./errors.js";
import { isJson, jsonText, kindOf } from "./json.js";
import { oneLine, quoted } from "./warnings.js";

/**
 * @typedef {object} WalkRequest
 * @property {readonly string[]} [filter]
 * @property {boolean} autoPaginate
 * @property {number} maxItems
 * @property {boolean} strict
 * @property {boolean} [skipInvalid]
 * @property {boolean} [fresh]
 * @property {AbortSignal} [signal]
 * @typedef {{ catalog: import("./native.cjs").ToolCatalog; skipped: import("./native.cjs").ProtocolFailure[]; truncated: boolean }} Listed
 */

/**
 * Walks the pages of the client's tools.
 * @param {import("./client.js").ClientKind} kind
 * @param {WalkRequest} request
 * @returns {Promise<Listed>}
 */
export async function listTools(kind, request) {
  const { signal, fresh } = request;
  const { outcome, causes, failed } = await runWalk(kind, "tools", { signal, fresh }, (fetch, settled) =>
    native.listTools(fetch, settled, {
      filter: request.filter && JSON.stringify(request.filter),
      autoPaginate: request.autoPaginate,
      maxItems: request.maxItems,
      strict: request.strict,
      skipInvalid: request.skipInvalid ?? false,
    }),
  );
  return outcomeOf(outcome, causes, failed);
}

/**
 * All prompts of the client's server, over all pages.
 * @param {import("./client.js").ClientKind} kind
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<any[]>}
 */
export async function listPrompts(kind, signal) {
  const { outcome, failed } = await runWalk(kind, "prompts", { signal }, native.listPrompts);
  throwFailure(outcome, [], failed);
  return JSON.parse(outcome.entries ?? "[]");
}

/**
 * @typedef {{ error: unknown } | undefined} Failed
 * @param {import("./client.js").ClientKind} kind
 * @param {"tools" | "prompts"} what
 * @param {{ signal?: AbortSignal; fresh?: boolean }} options
 * @param {(fetch: import("./native.cjs").PageFetcher, settled: import("./native.cjs").ListSettled) => void} start
 * @returns {Promise<{ outcome: import("./native.cjs").ListOutcome; causes: unknown[]; failed: Failed }>}
 */
function runWalk(kind, what, options, start) {
  /** @type {unknown[]} */
  const causes = [];
  /** @type {Failed} */
  let failed;
  // The native side's own handles keep no process alive, so that a client which never answers does not either. While the native side has the
  // turn, this timer does.
  const turn = setInterval(() => {}, 0x7fff_ffff);
  const fetchPage = async (/** @type {string | null | undefined} */ cursor) => {
    turn.unref();
    try {
      const page = await listPage(kind, what, cursor == null ? undefined : JSON.parse(cursor), options);
      return envelope(page, causes, what);
    } catch (error) {
      failed = { error };
      return null;
    } finally {
      turn.ref();
    }
  };
  return new Promise((resolve, reject) => {
    try {
      start(AsyncResource.bind(fetchPage), (outcome) => {
        clearInterval(turn);
        resolve({ outcome, causes, failed });
      });
    } catch (error) {
      clearInterval(turn);
      reject(error);
    }
  });
}

/**
 * @param {import("./native.cjs").ListOutcome} outcome
 * @param {readonly unknown[]} causes
 * @param {Failed} [failed]
 * @returns {Listed}
 */
export function outcomeOf(outcome, causes, failed) {
  throwFailure(outcome, causes, failed);
  const { catalog, skipped, truncated } = outcome;
  if (!catalog) throw new Error("The native side gave neither a catalog nor an error");
  return { catalog, skipped, truncated };
}

/**
 * @param {import("./native.cjs").ListOutcome} outcome
 * @param {readonly unknown[]} causes
 * @param {Failed} failed
 */
function throwFailure({ clientFailed, failure, notFound, limit }, causes, failed) {
  if (clientFailed) {
    if (failed) throw failed.error;
    throw new Error("The walk over the MCP server's list was cut off");
  }
  if (failure) throw protocolError(failure, causes);
  if (notFound) {
    const names = /** @type {string[]} */ (JSON.parse(notFound)).map(quoted);
    throw new Error(`equipMCP: the MCP server has no tool ${names.join(", ")} (option tools): ${limit}`);
  }
}

/** Entries of one page. Its text has a bound of its own; this one is for a list whose length is a lie. */
const MOST_ENTRIES = 1_000_000;

/**
 * A page as the native side takes it (`src/catalog/page.rs`).
 * @param {unknown} page
 * @param {unknown[]} causes takes the errors of what is no JSON
 * @param {"tools" | "prompts"} [key] where the list stands in an answer that is an object
 */
export function envelope(page, causes, key = "tools") {
  const isList = Array.isArray(page);
  const isObject = typeof page === "object" && page !== null;
  const entries = isList || !isObject ? page : Reflect.get(page, key);
  if (!Array.isArray(entries)) {
    return JSON.stringify({ shape: isObject ? `an object whose ${key} is ${kindOf(entries)}` : kindOf(page) });
  }
  if (entries.length > MOST_ENTRIES) {
    return JSON.stringify({ shape: `a list of ${entries.length} entries, of which at most ${MOST_ENTRIES} are read` });
  }
  const cursor = isList ? "" : cursorText(Reflect.get(/** @type {object} */ (page), "nextCursor"));
  return `{"tools":${entriesText(entries, key, causes)}${cursor}}`;
}

/**
 * The entries of a page as one JSON array.
 * @param {readonly unknown[]} entries
 * @param {"tools" | "prompts"} key
 * @param {unknown[]} causes
 */
function entriesText(entries, key, causes) {
  const list = Array.from(entries);
  try {
    // In one piece where all is well, as it nearly always is: entry by entry costs half as much again.
    if (isJson(list)) return JSON.stringify(list);
  } catch {
    // A getter threw: which entry's, the walk below finds out.
  }
  return `[${list.map(key === "tools" ? (tool) => toolText(tool, causes) : jsonText).join(",")}]`;
}

/** @param {unknown} cursor */
function cursorText(cursor) {
  if (cursor === undefined || cursor === null) return "";
  if (typeof cursor === "string") return `,"nextCursor":${JSON.stringify(cursor)}`;
  return `,"cursorType":${JSON.stringify(kindOf(cursor))}`;
}

/** Fields of a tool that the catalog keeps, besides its input schema. */
const KEPT = ["name", "title", "description", "outputSchema", "annotations", "execution", "icons", "_meta"];

/**
 * One tool as JSON text. A schema that is no JSON is handed over as a note of why, so that the walk can name the tool; a part besides it that is none
 * counts as malformed in its own right.
 * @param {unknown} tool
 * @param {unknown[]} causes
 */
function toolText(tool, causes) {
  if (typeof tool !== "object" || tool === null || Array.isArray(tool)) return jsonOr(tool, "null");
  try {
    return jsonText(tool);
  } catch (error) {
    return partsText(tool, error, causes);
  }
}

/**
 * @param {object} tool
 * @param {unknown} error why the tool as a whole is no JSON
 * @param {unknown[]} causes
 */
function partsText(tool, error, causes) {
  const parts = [];
  for (const key of KEPT) {
    const text = memberText(tool, key);
    if (text !== undefined) parts.push(`${JSON.stringify(key)}:${text}`);
  }
  try {
    const schema = Reflect.get(tool, "inputSchema");
    if (schema !== undefined) parts.push(`"inputSchema":${jsonText(schema)}`);
  } catch (schemaError) {
    const message = schemaError instanceof Error ? schemaError.message : String(schemaError ?? error);
    parts.push(
      `"unserialisable":${JSON.stringify({ message: oneLine(message), cause: causes.push(schemaError) - 1 })}`,
    );
  }
  return `{${parts.join(",")}}`;
}

/**
 * @param {object} tool
 * @param {string} key
 */
function memberText(tool, key) {
  try {
    const value = Reflect.get(tool, key);
    // Not JSON, yet there: `[]` is a value that is wrong for each of these fields, which the native side then says.
    return value === undefined ? undefined : jsonOr(value, key === "name" || key === "description" ? "[]" : "null");
  } catch {
    return "null";
  }
}

/**
 * @param {unknown} value
 * @param {string} otherwise
 */
function jsonOr(value, otherwise) {
  try {
    return jsonText(value);
  } catch {
    return otherwise;
  }
}
