/**
 * `equipMCP`: from a connected client to a kit.
 */
import { getContextSignal } from "@rejelly/core";
import { assertClient, clientKind } from "./client.js";
import { makeKit } from "./kit.js";
import { listTools } from "./listing.js";
import { rememberedCatalog } from "./memo.js";
import { equipOptions } from "./options.js";
import { quoted, warnOnce } from "./warnings.js";

/**
 * Gives an agent the tools, resources and prompts of an MCP server (`index.d.ts` has the contract).
 * @param {any} client
 * @param {any} options
 * @returns {Promise<any>}
 */
export async function equipMCP(client, options) {
  assertClient(client);
  const checked = equipOptions(options);
  const kind = clientKind(client, checked.callStyle);
  const wantsTools = checked.tools === undefined || checked.tools.length > 0;
  const catalog = wantsTools ? await rememberedCatalog(checked, () => list(kind, checked)) : undefined;
  return makeKit(client, kind, catalog, checked);
}

/**
 * @param {import("./client.js").ClientKind} kind
 * @param {import("./options.js").CheckedOptions} options
 */
async function list(kind, { clientId, tools, autoPaginate, maxItems, forceRefresh, onInvalidTool }) {
  const { catalog, skipped, truncated } = await listTools(kind, {
    filter: tools,
    autoPaginate,
    maxItems,
    strict: false,
    skipInvalid: onInvalidTool === "skip",
    fresh: forceRefresh,
    signal: getContextSignal(),
  });
  for (const { message, code } of skipped) {
    warnOnce("REJELLY_MCP_TOOL", `A tool of the MCP server ${quoted(clientId)} was left out (${code}): ${message}`);
  }
  if (truncated && tools === undefined) {
    warnOnce(
      "REJELLY_MCP_TRUNCATED",
      `The MCP server ${quoted(clientId)} has more than ${maxItems} tools; the first ${maxItems} are used (option maxItems)`,
    );
  }
  return catalog;
}
