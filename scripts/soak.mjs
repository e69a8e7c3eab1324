/**
 * `npm run soak [-- generations]`: a long life in one process (100,000 generations and as many calls, then 20,000 calls over stdio), on catalogs that
 * change. Resident memory must stay flat within a tenth once the caches are full, no handle may be left, and the process must end by itself.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createAgent, reborn } from "@rejelly/core";
import { callMcpTool, equipMCP, validateMcpToolArguments } from "../index.js";

const GENERATIONS = 100_000;
const TOOLS = 100;
/** Generations of one run; a run that is over must leave nothing behind. */
const RUN = 500;
/** Generations between two changes of the server's list. */
const LIST_LIFE = 50;
/** Share of the life after which the caches are full: 128 catalogs, 2,048 schemas. */
const WARM_UP = 0.25;
const SAMPLES = 40;
const MOST_GROWTH = 1.1;
/** Milliseconds that the process may take to end once its work is done. */
const ENDING = 5_000;

if (process.argv[2] === "--child") await live(Number(process.argv[3]));
else process.exit(await watch(Number(process.argv[2] ?? GENERATIONS)));

/** @param {number} generations @returns {Promise<number>} exit status */
async function watch(generations) {
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, ["--expose-gc", script, "--child", String(generations)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let late = false;
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
    if (!output.includes("\ndone\n") || timer) return;
    timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, ENDING);
  });
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  const lines = output.split("\n");
  const report = JSON.parse(lines.find((line) => line.startsWith("{")) ?? "null");
  if (late || status !== 0 || report === null) {
    console.error(
      late
        ? `soak: the process did not end within ${ENDING} ms after its work`
        : `soak: the process ended with status ${status}`,
    );
    return 1;
  }
  const { samples, handles, calls, stdioCalls, lists, seconds } = report;
  const flat = samples.slice(Math.floor(samples.length * WARM_UP));
  const [least, most] = [Math.min(...flat), Math.max(...flat)];
  const megabytes = (/** @type {number} */ bytes) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  console.log(
    `${generations} generations of ${TOOLS} tools, ${lists} lists, ${calls} calls in memory, ${stdioCalls} over stdio, ${seconds.toFixed(0)} s`,
  );
  console.log(
    `resident memory: ${samples.map((/** @type {number} */ bytes) => (bytes / 2 ** 20).toFixed(0)).join(" ")} MB`,
  );
  console.log(
    `after the warm-up: ${megabytes(flat[0])} at first, ${megabytes(flat.at(-1))} at last, ${megabytes(least)} to ${megabytes(most)} (${(((most - least) / least) * 100).toFixed(1)} %)`,
  );
  console.log(`handles left: ${handles.length === 0 ? "none" : handles.join(", ")}; the process ended by itself`);
  const failures = [
    ...(most > least * MOST_GROWTH ? [`resident memory moved by more than ${MOST_GROWTH}×`] : []),
    ...(handles.length > 0 ? [`handles were left: ${handles.join(", ")}`] : []),
  ];
  for (const failure of failures) console.error(`soak: ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

/** The life itself. @param {number} generations */
async function live(generations) {
  const start = performance.now();
  // Standard output is one.
  const before = process.getActiveResourcesInfo();
  const server = changingServer();
  /** @type {number[]} */
  const samples = [];
  let generation = 0;
  let calls = 0;
  const agent = createAgent({
    id: "soak",
    maxReborns: RUN,
    handler: async () => {
      const kit = await equipMCP(/** @type {any} */ (server.client), {
        clientId: "soak",
        forceRefresh: generation % LIST_LIFE === 0,
      });
      kit.inject();
      const tool = kit.tools[generation % kit.tools.length];
      if (tool === undefined) throw new Error("soak: no tool");
      // As core does on a call: parse, then run.
      const parsed = tool.parameters.safeParse(
        generation % 7 === 0 ? { path: 1 } : { path: "x", depth: generation % 9 },
      );
      if (parsed.success !== (generation % 7 !== 0)) throw new Error("soak: a wrong verdict");
      await Promise.resolve(tool.handler(parsed.success ? parsed.data : {})).catch(expectToolError);
      calls += 1;
      if (generation % 10 === 0) validateMcpToolArguments({ type: "object", title: `t${generation}` }, {});
      generation += 1;
      if (generation % Math.ceil(generations / SAMPLES) === 0) samples.push(resident());
      return generation % RUN === 0 || generation >= generations ? "done" : reborn();
    },
  });
  while (generation < generations) await agent();
  await abortedRuns(server.client);
  const stdioCalls = await overStdio(Math.min(20_000, generations));
  samples.push(resident());
  // What a closed transport leaves to the event loop is gone after a turn or two.
  await new Promise((resolve) => setTimeout(resolve, 50));
  const handles = [...process.getActiveResourcesInfo()];
  for (const name of before) if (handles.includes(name)) handles.splice(handles.indexOf(name), 1);
  const seconds = (performance.now() - start) / 1_000;
  process.stdout.write(
    `${JSON.stringify({ samples, handles, calls, stdioCalls, lists: server.lists(), seconds })}\ndone\n`,
  );
}

/** A server in this process whose tools, schemas and answers change. */
function changingServer() {
  let [lists, calls] = [0, 0];
  const image = "iVBORw0KGgo".padEnd(60_000, "Ab1+");
  const answers = [
    { content: [{ type: "text", text: "done" }] },
    { content: [{ type: "image", data: image, mimeType: "image/png" }] },
    {
      content: [{ type: "text", text: "{}" }],
      structuredContent: { rows: Array.from({ length: 20 }, (_, n) => ({ n })) },
    },
    { content: [{ type: "text", text: "no such file" }], isError: true },
  ];
  const client = {
    async listTools() {
      lists += 1;
      const tools = Array.from({ length: TOOLS }, (_, n) => ({
        name: `tool_${n}`,
        description: `Tool ${n}, as of list ${lists}`,
        inputSchema: {
          type: "object",
          // A tenth of the schemas is new in each list.
          description: n % 10 === 0 ? `list ${lists}` : "steady",
          properties: { path: { type: "string", minLength: 1 }, depth: { type: "integer", minimum: 0 } },
          required: ["path"],
        },
      }));
      return { tools };
    },
    async callTool(/** @type {string} */ _name, /** @type {unknown} */ _args) {
      calls += 1;
      return answers[calls % answers.length];
    },
  };
  return { client, lists: () => lists };
}

/** Runs that are aborted while they list. @param {object} client */
async function abortedRuns(client) {
  for (let run = 0; run < 200; run += 1) {
    const controller = new AbortController();
    const slow = {
      ...client,
      listTools: () =>
        new Promise((_, reject) => setImmediate(() => (run % 2 ? reject(new Error("slow")) : undefined))),
    };
    const agent = createAgent({
      id: "aborted",
      handler: () => equipMCP(/** @type {any} */ (slow), { clientId: `a${run}` }),
    });
    const done = Promise.resolve(agent(undefined, { signal: controller.signal })).catch(() => {});
    setImmediate(() => controller.abort());
    await done;
  }
}

/** Calls of the official everything server over stdio. @param {number} count */
async function overStdio(count) {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const script = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/dist/index.js"));
  const client = new Client({ name: "soak", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [script], stderr: "ignore" }));
  for (let call = 0; call < count; call += 1) await callMcpTool(client, "echo", { message: String(call) });
  await client.close();
  return count;
}

/** @param {unknown} error */
function expectToolError(error) {
  if (!(error instanceof Error) || !error.message.startsWith("MCP tool error: ")) throw error;
}

function resident() {
  globalThis.gc?.();
  return process.memoryUsage.rss();
}
