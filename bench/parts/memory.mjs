/** Resident memory after many generations. */
import process from "node:process";
import { createAgent, reborn } from "@rejelly/core";
import { equipMCP } from "../../index.js";
import { memoryClient, tools } from "../support/catalogs.mjs";

export const title = "Resident memory after 10,000 generations of 100 tools";
export const note =
  "Every generation equips and injects; every 100th call uses a tool. `before` is after the first 100 generations: what grows from there would be a leak.";

const GENERATIONS = 10_000;

const resident = () => {
  globalThis.gc?.();
  return process.memoryUsage().rss / 2 ** 20;
};

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const client = memoryClient(await tools(100));
  let [generation, before] = [0, 0];
  const agent = createAgent({
    id: "memory",
    maxReborns: GENERATIONS,
    handler: async () => {
      const kit = await equipMCP(client, { clientId: "bench" });
      kit.inject();
      const tool = kit.tools[generation % kit.tools.length];
      if (generation % 100 === 0) await tool?.handler({});
      generation += 1;
      if (generation === 100) before = resident();
      return generation < GENERATIONS ? reborn() : "done";
    },
  });
  await agent();
  return [{ name: "10,000 generations", unit: "MB", times: { ours: resident(), before } }];
}
