/** `equipMCP` on a memo hit, inside one run of an agent: what every generation but the first costs. */
import { createAgent } from "@rejelly/core";
import { equipMCP } from "../../index.js";
import { bridge } from "../bridge.mjs";
import { memoryClient, tools } from "../support/catalogs.mjs";
import { medians } from "../support/measure.mjs";
import { cachedAgents, conversions } from "../support/peers.mjs";

export const title = "`equipMCP` on a memo hit (without `inject`)";
export const note =
  "In one run of an agent whose first generation has listed. `@openai/agents` answers from its own cache of listed tools; the other peers have no memory, " +
  "and theirs is the conversion of an array that is already there. `@ai-sdk/mcp` converts one tool without a promise or a look at any memory.";

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const rows = [];
  for (const count of [1, 10, 100, 1000]) {
    const list = await tools(count);
    const client = memoryClient(list);
    const options = { clientId: "bench", maxItems: 1000 };
    const peers = await conversions(list);
    const cached = await cachedAgents(list);
    const times = await createAgent({
      id: "memo",
      handler: async () => {
        const first = await equipMCP(/** @type {any} */ (client), options);
        if (first.tools.length !== count) throw new Error(`expected ${count} tools, got ${first.tools.length}`);
        return medians(
          {
            ours: () => equipMCP(/** @type {any} */ (client), options),
            "TypeScript loop": () => bridge(client, "bench"),
            ...peers,
            "@openai/agents": cached,
          },
          { fewest: 7 },
        );
      },
    })();
    const target = { 100: 50, 1000: 200 }[count];
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
