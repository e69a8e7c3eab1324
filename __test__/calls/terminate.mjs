// Worker threads that are terminated in the middle of native walks and of calls (R22). A script, so that a crash is this process's own.
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { callMcpTool, loadMcpToolCatalog } from "../../index.js";

if (isMainThread) {
  let ended = 0;
  for (let round = 0; round < 12; round += 1) {
    const workers = [0, 1].map(() => new Worker(fileURLToPath(import.meta.url)));
    await Promise.all(workers.map((worker) => once(worker, "message")));
    // At once, and while the native side is at work on a page.
    if (round % 2 === 1) await new Promise((resolve) => setTimeout(resolve, round));
    await Promise.all(workers.map((worker) => worker.terminate()));
    ended += workers.length;
  }
  // This thread's own work goes on undisturbed.
  const tools = await loadMcpToolCatalog({ listTools: async () => [{ name: "a" }] });
  process.stdout.write(JSON.stringify({ ended, tools: tools.length, version: process.version }));
} else {
  const never = () => new Promise(() => {});
  loadMcpToolCatalog({ listTools: never });
  callMcpTool({ callTool: (/** @type {any} */ _name, /** @type {any} */ _args) => never() }, "t");
  // A list without end keeps the native side and this thread handing pages to and fro.
  const page = Array.from({ length: 200 }, (_, index) => ({ name: `t${index}`, inputSchema: { type: "object" } }));
  let turn = 0;
  const busy = {
    listTools: async () => {
      turn += 1;
      return {
        tools: page.map(({ name, ...rest }) => ({ name: `${turn}_${name}`, ...rest })),
        nextCursor: String(turn),
      };
    },
  };
  loadMcpToolCatalog(busy, { maxItems: 10_000_000 }).catch(() => {});
  parentPort?.postMessage("started");
}
