/** A call's result: as code gets it, and as the model reads it. */
import { fromMCPTool, normalizeMcpCallResult } from "../../index.js";
import { medians } from "../support/measure.mjs";

export const title = "Results";
export const note =
  "`normalizeMcpCallResult` beside the copy that a bridge makes with `structuredClone` and by JSON, which check nothing.";

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  // Base64 of 10 MB that is not all one letter.
  const image = Buffer.alloc(7_500_000, "not all one letter").toString("base64");
  const cases = {
    "small text": { content: [{ type: "text", text: "It is 21 °C in Berlin." }] },
    "10 MB image": { content: [{ type: "image", data: image, mimeType: "image/png" }] },
    "200 blocks": { content: Array.from({ length: 200 }, (_, index) => ({ type: "text", text: `line ${index}` })) },
  };
  const rows = [];
  for (const [name, raw] of Object.entries(cases)) {
    const times = await medians({
      ours: () => normalizeMcpCallResult(raw),
      structuredClone: () => structuredClone(raw),
      "JSON copy": () => JSON.parse(JSON.stringify(raw)),
    });
    rows.push({ name, unit: /** @type {const} */ ("µs"), target: name === "10 MB image" ? 20 : undefined, times });
  }
  for (const [name, raw] of Object.entries(cases)) {
    const client = /** @type {any} */ ({
      callTool: async (/** @type {string} */ _name, /** @type {unknown} */ _args) => raw,
    });
    const tool = fromMCPTool({ name: "t", inputSchema: { type: "object" } }, client);
    const times = await medians({
      ours: () => tool.handler({}),
      "the client alone": () => client.callTool("t", {}),
    });
    rows.push({ name: `${name}, by the handler to the model`, unit: /** @type {const} */ ("µs"), times });
  }
  return rows;
}
