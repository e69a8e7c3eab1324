/**
 * Four worker threads use the addon at once, the main thread too; one worker is terminated while the native side waits for its client. The others end
 * as if nothing had been, and so does the process, by itself. Arguments: the Node that runs the servers.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { equipMCP, loadMcpToolCatalog, normalizeMcpToolCatalog, validateMcpToolArguments } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith, connect, generations } from "../support/clients.js";

const WORKERS = 4;
const TERMINATED = 2;
const ROUNDS = 30;
const probe = fileURLToPath(new URL("../integration/servers/probe.mjs", import.meta.url));
/** A schema of so many levels that compiling takes a while, the same in all threads: they share what is compiled. */
const schema = Array.from({ length: 200 }).reduce(
  (/** @type {any} */ inner) => ({
    type: "object",
    properties: { a: inner, b: { type: "string", pattern: "^(x+x+)+y$" } },
  }),
  { type: "integer" },
);

async function work(/** @type {number} */ index, /** @type {string} */ serverNode) {
  const client = /** @type {any} */ (await connect(generations[index % 2] ?? "sdk1", [probe, "3", "20"], serverNode));
  for (let round = 0; round < ROUNDS; round += 1) {
    const tools = await loadMcpToolCatalog(clientWith({ name: `own${index}`, inputSchema: schema }, "common"));
    assert.equal(tools.length, 2);
    assert.equal(validateMcpToolArguments(schema, { a: { a: { b: 1 } } }).ok, false);
    assert.equal(normalizeMcpToolCatalog(tools).length, 2);
    await inAgent(async () => {
      const { tools, toolMap } = await equipMCP(client, { clientId: `probe${index}` });
      assert.equal(tools.length, 65);
      assert.ok(await toolMap.p002_19?.handler({ round }));
    });
  }
  await client.close();
}

if (isMainThread) {
  const [serverNode = process.execPath] = process.argv.slice(2);
  const workers = Array.from(
    { length: WORKERS },
    (_, index) => new Worker(new URL(import.meta.url), { workerData: { index, serverNode } }),
  );
  const ends = workers.map(async (worker, index) => {
    let done = false;
    worker.on("message", (message) => {
      if (message === "in mid-call") setTimeout(() => worker.terminate(), 20);
      if (message === "done") done = true;
    });
    await once(worker, "exit");
    assert.equal(done, index !== TERMINATED, `worker ${index}`);
  });
  await Promise.all([...ends, work(WORKERS, serverNode)]);
  console.log("holds: four workers, one terminated in mid-call");
} else {
  const { index, serverNode } = workerData;
  if (index === TERMINATED) {
    // Twenty walks whose client answers its first page after a while and its second never.
    const page = () =>
      new Promise((resolve) => setTimeout(() => resolve({ tools: [{ name: "a" }], nextCursor: "b" }), 1));
    let asked = 0;
    const silent = {
      listTools: (/** @type {any} */ params) => {
        if (params?.cursor === undefined) return page();
        asked += 1;
        if (asked === 20) parentPort?.postMessage("in mid-call");
        return new Promise(() => {});
      },
      callTool: async () => ({}),
    };
    const keepsAlive = setInterval(() => {}, 1_000);
    await Promise.all(Array.from({ length: 20 }, () => loadMcpToolCatalog(silent)));
    clearInterval(keepsAlive);
  } else await work(index, serverNode);
  parentPort?.postMessage("done");
}
