/**
 * The list of one client's tools across the generations of one run (R10, R11, R13).
 *
 * Three slots of core's memory, by client: the list's epoch, which a forced refresh advances; the catalog's text, kept by `equipMemo`, which costs its
 * size to read; and a small entry beside it, with the digest of that text. A generation that finds its epoch in the entry, and the digest in
 * this process, reads nothing else.
 */
import { equipMemo, equipMemory } from "@rejelly/core";
import { native } from "./binding.js";
import { heldCatalog, hold } from "./catalog.js";

/** @typedef {{ tools: string[] | null; autoPaginate: boolean; maxItems: number; onInvalidTool: "throw" | "skip" }} ListIdentity */

/**
 * What makes two lists of one client different lists.
 * @param {import("./options.js").CheckedOptions} options
 * @returns {ListIdentity}
 */
function identityOf({ tools, autoPaginate, maxItems, onInvalidTool }) {
  return { tools: tools ? [...new Set(tools)].sort() : null, autoPaginate, maxItems, onInvalidTool };
}

/**
 * Tells apart the keys of lists with other options than the defaults, so that calls that alternate keep theirs.
 * @param {ListIdentity} identity
 */
function suffixOf({ tools, autoPaginate, maxItems, onInvalidTool }) {
  const isDefault = tools === null && autoPaginate && maxItems === 100 && onInvalidTool === "throw";
  return isDefault ? "" : `::${JSON.stringify([tools, autoPaginate, maxItems, onInvalidTool])}`;
}

/**
 * The catalog of `options`, from memory if it is there, else by `list`.
 * @param {import("./options.js").CheckedOptions} options
 * @param {() => Promise<import("./native.cjs").ToolCatalog>} list
 * @returns {Promise<import("./catalog.js").ListedCatalog>}
 */
export async function rememberedCatalog(options, list) {
  const identity = identityOf(options);
  const suffix = suffixOf(identity);
  const key = `__rejelly_internal_mcp__::${options.clientId}::`;
  const [epoch, setEpoch] = equipMemory(`${key}list_epoch`, 0);
  const [entry, setEntry] = equipMemory(`${key}list_entry${suffix}`, /** @type {Entry | null} */ (null));
  if (!options.forceRefresh && entry?.epoch === epoch) {
    const held = heldCatalog(entry.digest);
    if (held !== undefined) return held;
  }
  const read = async (/** @type {number} */ at) => {
    /** @type {import("./native.cjs").ToolCatalog | undefined} */
    let listed;
    const text = await equipMemo(
      `${key}tools_list${suffix}`,
      async () => {
        listed = await list();
        return listed.text;
      },
      { ...identity, epoch: at },
    );
    return { at, catalog: listed ?? native.restoreCatalog(text) };
  };
  let { at, catalog } = await read(options.forceRefresh ? epoch + 1 : epoch);
  // A snapshot that something has tampered with holds no catalog: the server does.
  if (catalog === null) ({ at, catalog } = await read(epoch + 1));
  if (catalog === null) throw new Error("The memory of this run keeps no catalog of tools");
  const { digest } = catalog;
  // Nothing is awaited from here on: an aborted run leaves all of it or none. A slower call never takes back what a refresh wrote meanwhile.
  setEpoch((now) => Math.max(now, at));
  setEntry((now) => (now !== null && now.epoch > at ? now : { epoch: at, digest }));
  return hold(catalog);
}

/** @typedef {{ epoch: number; digest: string }} Entry */
