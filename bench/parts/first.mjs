/** What laziness saves: showing one tool of a large catalog, and validating one call of it, right after equipping. */
import { createAgent } from "@rejelly/core";
import { zodToJsonSchema } from "zod-to-json-schema";
import { equipMCP, normalizeMcpToolCatalog } from "../../index.js";
import { definitions } from "../bridge.mjs";
import { memoryClient, tools } from "../support/catalogs.mjs";
import { medians } from "../support/measure.mjs";

export const title = "First use of one tool of 1,000";
export const note =
  "A catalog that this process has never seen is there; one of its tools is shown to the model and one call of it validated, for the first time. The loop has converted " +
  "all 1,000 by then (row 2 is what that cost it, and what ours costs without any use).";

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const list = await tools(1000);
  let seen = 0;
  const renamed = () => {
    seen += 1;
    return [{ ...list[0], description: `first ${seen}` }, ...list.slice(1)];
  };
  /** @param {any} tool */
  const use = (tool) => {
    zodToJsonSchema(tool.parameters, { $refStrategy: "none" });
    tool.parameters.safeParse({});
  };
  const rows = [];
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const theirs = [];
  for (let round = 0; round < 12; round += 1) {
    const fresh = renamed();
    const kit = await createAgent({
      id: "first",
      handler: () => equipMCP(memoryClient(fresh), { clientId: "bench", maxItems: 1000 }),
    })();
    const loop = definitions(fresh, memoryClient(fresh));
    // Another tool each time: what one tool made is kept for its like.
    const index = round * 37;
    ours.push(elapsed(() => use(kit.tools[index])));
    theirs.push(elapsed(() => use(loop.find(({ name }) => name === kit.tools[index]?.mcp?.name))));
  }
  const middle = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  rows.push({
    name: "show and validate one",
    unit: /** @type {const} */ ("µs"),
    times: { ours: middle(ours), "TypeScript loop": middle(theirs) },
  });
  const client = memoryClient(list);
  const building = await medians(
    { ours: () => normalizeMcpToolCatalog(renamed()).length, "TypeScript loop": () => definitions(renamed(), client) },
    { budget: 1500 },
  );
  rows.push({
    name: "all 1,000 made ready",
    remark: "ours through `normalizeMcpToolCatalog`, schemas parsed and frozen",
    unit: /** @type {const} */ ("µs"),
    times: building,
  });
  return rows;
}

/** @param {() => void} work @returns {number} microseconds */
function elapsed(work) {
  const start = performance.now();
  work();
  return (performance.now() - start) * 1000;
}
