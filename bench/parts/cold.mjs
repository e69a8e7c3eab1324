/** `equipMCP` that lists: a run's first generation, with a catalog that this process has not seen. */
import { createAgent } from "@rejelly/core";
import { equipMCP } from "../../index.js";
import { bridge } from "../bridge.mjs";
import { memoryClient, tools } from "../support/catalogs.mjs";
import { medians } from "../support/measure.mjs";
import { conversions } from "../support/peers.mjs";

export const title = "`equipMCP` cold (in-memory client)";
export const note =
  "A run of an agent that lists a catalog which this process has never seen: one description changes each time. It builds no zod object; the next part shows what " +
  "that saves and what the first use then costs. The peers convert an array that is already there, and check, order and copy nothing.";

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const rows = [];
  for (const count of [1, 10, 100, 1000]) {
    const list = await tools(count);
    let seen = 0;
    /** Another catalog, as large. */
    const fresh = () => {
      seen += 1;
      return memoryClient([{ ...list[0], description: `${list[0].description} ${seen}` }, ...list.slice(1)]);
    };
    const inRun = (/** @type {(client: any) => Promise<unknown>} */ work) => () =>
      createAgent({ id: "cold", handler: () => work(fresh()) })();
    const times = await medians(
      {
        ours: inRun((client) => equipMCP(client, { clientId: "bench", maxItems: 1000 })),
        "TypeScript loop": inRun((client) => bridge(client, "bench")),
        ...(await conversions(list)),
      },
      { budget: 2500 },
    );
    const target = count === 1000 ? 20_000 : undefined;
    rows.push({
      name: `${count} tool${count === 1 ? "" : "s"}`,
      count,
      unit: /** @type {const} */ ("µs"),
      times,
      target,
    });
  }
  return rows;
}
