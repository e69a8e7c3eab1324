/** What a tool's handler adds to the bare call of the client. */
import { fromMCPTool } from "../../index.js";
import { connect } from "../support/catalogs.mjs";
import { medians, quantile } from "../support/measure.mjs";

export const title = "A tool's handler, added to the bare client call";
export const note =
  "In memory: an answer of one text block. Over stdio: the official everything server through SDK 1.x, bare call and handler in turns; the rows are the whole call.";

const CALLS = 1500;

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const answer = { content: [{ type: "text", text: "done" }] };
  const facade = /** @type {any} */ ({
    callTool: async (/** @type {string} */ _name, /** @type {unknown} */ _args) => answer,
  });
  const tool = fromMCPTool({ name: "t", inputSchema: { type: "object" } }, facade);
  const args = { message: "hello" };
  const { handler = 0, bare = 0 } = await medians({
    handler: () => tool.handler(args),
    bare: () => facade.callTool("t", args),
  });
  /** @type {import("../support/report.mjs").Row[]} */
  const rows = [
    { name: "in memory, added", unit: "µs", target: 10, times: { ours: handler - bare, "the client alone": bare } },
  ];

  const client = await connect("everything");
  try {
    const { tools } = await client.listTools();
    const echo = fromMCPTool(
      tools.find(({ name }) => name === "echo"),
      /** @type {any} */ (client),
    );
    const variants = {
      bare: () => client.callTool({ name: "echo", arguments: args }),
      handler: () => echo.handler(args),
    };
    /** @type {{ bare: number[]; handler: number[] }} */
    const samples = { bare: [], handler: [] };
    for (let index = -100; index < CALLS; index += 1) {
      // Whoever comes second finds the server warm: they change places.
      for (const name of index % 2 === 0
        ? /** @type {const} */ (["bare", "handler"])
        : /** @type {const} */ (["handler", "bare"])) {
        const start = performance.now();
        await variants[name]();
        if (index >= 0) samples[name].push((performance.now() - start) * 1000);
      }
    }
    for (const [name, share] of /** @type {const} */ ([
      ["p50", 0.5],
      ["p99", 0.99],
    ])) {
      const [ours, alone] = [quantile(samples.handler, share), quantile(samples.bare, share)];
      rows.push({
        name: `stdio, ${name}`,
        unit: "µs",
        target: name === "p50" ? alone * 1.02 : undefined,
        remark: `${ours < alone ? "" : "+"}${(((ours - alone) / alone) * 100).toFixed(1)} %`,
        times: { ours, "the client alone": alone },
      });
    }
  } finally {
    await client.close();
  }
  return rows;
}
