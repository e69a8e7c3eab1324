/**
 * Catalogs as the face holds them, and the two exported functions that give one away (R3–R9).
 */
import { native } from "./binding.js";
import { assertClient, clientKind } from "./client.js";
import { rememberCompiled } from "./compiled.js";
import { McpProtocolError } from "./errors.js";
import { deepFreeze, kindOf } from "./json.js";
import { envelope, listTools, outcomeOf } from "./listing.js";
import { booleanOption, got, isPositiveSafeInteger } from "./options.js";
import { createParameters } from "./parameters/index.js";
import { quoted, warnOnce } from "./warnings.js";

/** @typedef {import("../index.js").McpNativeToolDescriptor} McpNativeToolDescriptor */

/**
 * A tool of a catalog, with what was made of it so far. Immutable as seen from outside, and shared by every kit.
 */
export class ListedTool {
  #catalog;
  #index;
  #head;
  /** @type {Record<string, unknown> | undefined} */
  #inputSchema;
  #hasOutputSchema;
  /** @type {unknown} */
  #outputSchema;

  /**
   * @param {import("./native.cjs").ToolCatalog} catalog
   * @param {number} index
   * @param {{ name: string; description?: string; title?: string; annotations?: { title?: string }; execution?: { taskSupport?: string }; _meta?: Record<string, unknown> }} head
   * @param {boolean} hasOutputSchema
   */
  constructor(catalog, index, head, hasOutputSchema) {
    this.#hasOutputSchema = hasOutputSchema;
    this.#catalog = catalog;
    this.#index = index;
    this.#head = head;
    this.name = head.name;
    // Models choose tools by their description; a server that wrote only a title meant that.
    this.description = head.description ?? head.title ?? head.annotations?.title ?? "";
    this.needsTask = head.execution?.taskSupport === "required";
    this.parameters = createParameters(this);
  }

  /** The native schema: what `parameters` validates with and is built from. */
  schema() {
    const schema = this.#catalog.inputSchema(this.#index);
    if (schema === null) throw new Error(`No tool ${this.#index} in the catalog`);
    return schema;
  }

  /** @param {string} reason why the schema cannot be compiled as the server sent it (R18) */
  onProblem(reason) {
    warnOnce(
      "REJELLY_MCP_SCHEMA",
      `The input schema of the MCP tool ${quoted(this.name)} is broken, and the broken part is not checked before a call: ${reason}`,
    );
  }

  /** The server's schema, deeply frozen. @returns {Record<string, unknown>} */
  get inputSchema() {
    if (this.#inputSchema === undefined) {
      const schema = this.schema();
      this.#inputSchema = /** @type {Record<string, unknown>} */ (deepFreeze(JSON.parse(schema.text)));
      rememberCompiled(this.#inputSchema, schema);
    }
    return this.#inputSchema;
  }

  /**
   * What middleware can read on the tool (R25).
   * @param {string | undefined} server
   * @returns {import("../index.js").MCPToolInfo}
   */
  info(server) {
    const { name, title, annotations, _meta } = this.#head;
    /** @type {Record<string, unknown>} */
    const info = server === undefined ? { name } : { server, name };
    if (title !== undefined) info.title = title;
    if (annotations !== undefined) info.annotations = deepFreeze(annotations);
    // Large, and few middlewares look: parsed when one does.
    Object.defineProperty(info, "inputSchema", { enumerable: true, get: () => this.inputSchema });
    if (this.#hasOutputSchema) {
      Object.defineProperty(info, "outputSchema", { enumerable: true, get: () => this.#parsedOutputSchema() });
    }
    if (_meta !== undefined) info._meta = deepFreeze(_meta);
    return /** @type {any} */ (Object.freeze(info));
  }

  #parsedOutputSchema() {
    this.#outputSchema ??= deepFreeze(JSON.parse(this.#catalog.outputSchema(this.#index) ?? "null"));
    return this.#outputSchema;
  }

  /** @returns {McpNativeToolDescriptor} */
  descriptor() {
    const { name, description } = this.#head;
    return Object.freeze({
      name,
      ...(description !== undefined && { description }),
      inputSchema: this.inputSchema,
    });
  }
}

/** A catalog of tools in this isolate: what the native one holds, as JavaScript objects, each made once. */
export class ListedCatalog {
  /** @type {Map<string, readonly string[]>} */
  #portable = new Map();
  /** @type {Map<string | undefined, readonly import("../index.js").MCPToolInfo[]>} */
  #infos = new Map();

  /** @param {import("./native.cjs").ToolCatalog} catalog */
  constructor(catalog) {
    this.digest = catalog.digest;
    this.size = catalog.size;
    const withOutput = new Set(catalog.withOutputSchema());
    /** @type {readonly ListedTool[]} */
    this.tools = JSON.parse(catalog.heads()).map(
      (/** @type {any} */ head, /** @type {number} */ index) =>
        new ListedTool(catalog, index, head, withOutput.has(index)),
    );
  }

  /**
   * What middleware can read on each tool, in their order: the same objects in every generation. Several clients may share a catalog.
   * @param {string | undefined} server
   */
  infos(server) {
    let infos = this.#infos.get(server);
    if (infos === undefined) {
      infos = this.tools.map((tool) => tool.info(server));
      if (this.#infos.size >= 16) this.#infos.clear();
      this.#infos.set(server, infos);
    }
    return infos;
  }

  /**
   * The registered names of the tools, in their order (section 2 of the spec).
   * @param {string | undefined} namespace
   * @param {"native" | "portable" | ((nativeName: string, namespace?: string) => string)} style
   * @returns {readonly string[]}
   */
  registeredNames(namespace, style) {
    if (typeof style === "function") return this.tools.map(({ name }) => namedBy(style, name, namespace));
    if (style === "native") {
      return this.tools.map(namespace === undefined ? ({ name }) => name : ({ name }) => `${namespace}_${name}`);
    }
    const key = namespace ?? "";
    let names = this.#portable.get(key);
    if (names === undefined) {
      const natives = JSON.stringify(this.tools.map(({ name }) => name));
      names = /** @type {string[]} */ (JSON.parse(native.portableNames(natives, namespace)));
      if (this.#portable.size >= 16) this.#portable.clear();
      this.#portable.set(key, names);
    }
    return names;
  }
}

/**
 * @param {(nativeName: string, namespace?: string) => string} style
 * @param {string} name
 * @param {string | undefined} namespace
 */
function namedBy(style, name, namespace) {
  const registered = style(name, namespace);
  if (typeof registered === "string" && registered !== "") return registered;
  throw new TypeError(
    `equipMCP: expected the option toolNames to give a non-empty string for ${quoted(name)}, got ${got(registered)}`,
  );
}

/** Catalogs of this isolate by digest, the one used longest ago first. @type {Map<string, ListedCatalog>} */
const catalogs = new Map();
/** As much as the native cache holds, since each of these holds its native catalog. */
const MOST = native.catalogLimits();
/** Bytes of the catalogs in `catalogs`. */
let heldBytes = 0;

/**
 * The catalog of `digest`, if this process still holds it.
 * @param {string} digest
 */
export function heldCatalog(digest) {
  const held = catalogs.get(digest);
  if (held !== undefined) {
    if (catalogs.size > 1) {
      catalogs.delete(digest);
      catalogs.set(digest, held);
    }
    return held;
  }
  const shared = native.findCatalog(digest);
  return shared === null ? undefined : hold(shared);
}

/** @param {import("./native.cjs").ToolCatalog} shared */
export function hold(shared) {
  const held = catalogs.get(shared.digest);
  if (held !== undefined) return held;
  const catalog = new ListedCatalog(shared);
  // One that is heavier than all that may be held is for its kit alone.
  if (catalog.size > MOST.bytes) return catalog;
  for (const [digest, { size }] of catalogs) {
    if (catalogs.size < MOST.entries && heldBytes + catalog.size <= MOST.bytes) break;
    catalogs.delete(digest);
    heldBytes -= size;
  }
  catalogs.set(catalog.digest, catalog);
  heldBytes += catalog.size;
  return catalog;
}

/**
 * Lists all tools of a server (`index.d.ts` has the contract).
 * @param {import("../index.js").McpCatalogClient} client
 * @param {import("../index.js").LoadMcpToolCatalogOptions} [options]
 * @returns {Promise<readonly McpNativeToolDescriptor[]>}
 */
export async function loadMcpToolCatalog(client, options = {}) {
  assertClient(client, "loadMcpToolCatalog");
  const autoPaginate = booleanOption("loadMcpToolCatalog", "autoPaginate", options?.autoPaginate, true);
  const maxItems = options?.maxItems ?? 1000;
  if (!isPositiveSafeInteger(maxItems)) {
    throw new McpProtocolError(
      `loadMcpToolCatalog: expected the option maxItems to be a positive safe integer, got ${got(maxItems)}`,
      { code: "invalid_catalog_limit" },
    );
  }
  const { catalog } = await listTools(clientKind(client), { autoPaginate, maxItems, strict: true, fresh: true });
  return descriptors(catalog);
}

/**
 * Checks, orders and copies tools that were listed by other means (`index.d.ts` has the contract).
 * @param {readonly unknown[]} tools
 * @returns {readonly McpNativeToolDescriptor[]}
 */
export function normalizeMcpToolCatalog(tools) {
  if (!Array.isArray(tools)) {
    throw new McpProtocolError(`normalizeMcpToolCatalog: expected an array of tools, got ${kindOf(tools)}`, {
      code: "invalid_catalog_shape",
    });
  }
  return descriptors(catalogOf(tools));
}

/**
 * A native catalog of `tools`, none malformed or named twice.
 * @param {readonly unknown[]} tools
 */
export function catalogOf(tools) {
  /** @type {unknown[]} */
  const causes = [];
  return outcomeOf(native.normalizeTools(envelope(tools, causes)), causes).catalog;
}

/** @param {import("./native.cjs").ToolCatalog} catalog */
function descriptors(catalog) {
  return Object.freeze(hold(catalog).tools.map((tool) => tool.descriptor()));
}
