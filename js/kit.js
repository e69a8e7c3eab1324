/**
 * What `equipMCP` gives (R29).
 */
import { equipTool } from "@rejelly/core";
import { promptsKit } from "./prompts.js";
import { resourceTools } from "./resources.js";
import { toolDefinition } from "./tool.js";
import { quoted } from "./warnings.js";

/**
 * @param {object} client
 * @param {import("./client.js").ClientKind} kind
 * @param {import("./catalog.js").ListedCatalog | undefined} catalog undefined where no tool was asked for
 * @param {import("./options.js").CheckedOptions} options
 */
export function makeKit(client, kind, catalog, options) {
  const { clientId, namespace, callTimeout, onProgress } = options;
  const binding = { kind, clientId, timeout: callTimeout, onProgress };
  const tools = catalog === undefined ? [] : definitionsOf(catalog, options, binding);
  const resources = options.enableResources ? resourceTools(kind, namespace, binding) : [];
  return {
    client,
    tools,
    toolMap: mapByName(tools),
    resourceTools: resources,
    resourceToolMap: mapByName(resources),
    prompts: promptsKit(kind, binding),
    /** @param {{ injectTools?: boolean; injectResourceTools?: boolean; middleware?: any[] }} [choice] */
    inject({ injectTools = true, injectResourceTools = false, middleware = options.middleware } = {}) {
      if (injectTools) for (const tool of tools) equipTool(/** @type {any} */ (tool), { middleware });
      if (injectResourceTools) for (const tool of resources) equipTool(/** @type {any} */ (tool), { middleware });
    },
  };
}

/**
 * @param {import("./catalog.js").ListedCatalog} catalog
 * @param {import("./options.js").CheckedOptions} options
 * @param {import("./tool.js").Binding} binding
 */
function definitionsOf(catalog, { clientId, namespace, toolNames }, binding) {
  const names = catalog.registeredNames(namespace, toolNames);
  const infos = catalog.infos(clientId);
  return catalog.tools.map((tool, index) =>
    toolDefinition(
      tool,
      /** @type {string} */ (names[index]),
      binding,
      /** @type {import("../index.js").MCPToolInfo} */ (infos[index]),
    ),
  );
}

/**
 * Tools by registered name. Without a prototype, so that no name reaches anything but a tool.
 * @template {{ name: string; mcp?: { name: string } }} T
 * @param {readonly T[]} tools
 * @returns {Record<string, T>}
 */
function mapByName(tools) {
  /** @type {Record<string, T>} */
  const map = Object.create(null);
  for (const tool of tools) {
    const other = map[tool.name];
    if (other !== undefined) {
      throw new Error(
        `equipMCP: the tools ${quoted(other.mcp?.name ?? "")} and ${quoted(tool.mcp?.name ?? "")} would both be registered as ${quoted(tool.name)} (option toolNames)`,
      );
    }
    map[tool.name] = tool;
  }
  return map;
}
