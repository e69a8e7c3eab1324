/**
 * The adapter with a real server, for any runtime: without a test runner, as none runs on all of them. Prints a line for each thing that holds; ends by
 * itself. Arguments: the Node that runs the server.
 */
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import { fileURLToPath } from "node:url";
import {
  equipMCP,
  loadMcpToolCatalog,
  McpProtocolError,
  normalizeMcpCallResult,
  validateMcpToolArguments,
} from "../../index.js";
import { inAgent } from "../support/agent.js";
import { connect, generations } from "../support/clients.js";

const [serverNode = process.execPath] = process.argv.slice(2);
const probe = fileURLToPath(new URL("../integration/servers/probe.mjs", import.meta.url));
const holds = (/** @type {string} */ what) => console.log(`holds: ${what}`);

assert.deepEqual(validateMcpToolArguments({ type: "object", required: ["a"] }, { a: 1 }), { ok: true });
const verdict = validateMcpToolArguments({ properties: { a: { type: "string", pattern: "^é+$" } } }, { a: "e" });
assert.equal(verdict.ok, false);
assert.throws(() => normalizeMcpCallResult({ content: [{ type: 1 }] }), McpProtocolError);
assert.ok(Object.isFrozen(normalizeMcpCallResult({ content: [] })));
holds("validation and results");

// A facade is asked in the async context of the one who lists, while other lists are under way.
const storage = new AsyncLocalStorage();
const asked = await Promise.all(
  Array.from({ length: 20 }, (_, run) =>
    storage.run(run, async () => {
      const seen = /** @type {unknown[]} */ ([]);
      const client = {
        async listTools(/** @type {any} */ { cursor = "0" } = {}) {
          seen.push(storage.getStore());
          await new Promise((resolve) => setTimeout(resolve, 1));
          return {
            tools: [{ name: `t${cursor}` }],
            ...(cursor === "4" ? {} : { nextCursor: String(Number(cursor) + 1) }),
          };
        },
        callTool: async () => ({ content: [] }),
      };
      assert.equal((await loadMcpToolCatalog(client)).length, 5);
      return seen.every((one) => one === run) && seen.length === 5;
    }),
  ),
);
assert.deepEqual([...new Set(asked)], [true]);
holds("async context in 20 walks at once");

const own = Object.assign(new Error("down"), { code: 7 });
const failing = { listTools: () => Promise.reject(own), callTool: async () => ({}) };
assert.equal(await loadMcpToolCatalog(failing).catch((error) => error), own);
holds("the client's own error object");

for (const generation of generations) {
  const client = /** @type {any} */ (await connect(generation, [probe, "5", "40"], serverNode));
  const log = async () => JSON.parse((await client.callTool({ name: "log", arguments: {} })).content[0].text);
  const kitOf = (/** @type {object} */ options = {}) =>
    equipMCP(client, { clientId: "probe", maxItems: 1_000, ...options });

  await inAgent(async () => {
    const kit = await kitOf();
    assert.equal(kit.tools.length, 205);
    assert.ok(await kit.toolMap.p004_39?.handler({ a: 1 }));
    assert.equal(kit.toolMap.p004_39?.parameters.safeParse(1).success, false);
    const before = (await log()).lists.length;
    await kitOf();
    assert.equal((await log()).lists.length, before);
  });
  holds(`${generation}: five pages, once; a call`);

  await inAgent(async () => {
    const { toolMap } = await kitOf();
    const failed = await toolMap.fails?.handler({}).catch((error) => error);
    assert.equal(failed.message, "MCP tool error: already exists");
    const rejected = await toolMap.rejects?.handler({}).catch((error) => error);
    assert.equal(rejected.code, -32602);
    const { calls } = await log();
    assert.deepEqual([calls.fails, calls.rejects], [1, 1]);
  });
  holds(`${generation}: errors, each call sent once`);

  const controller = new AbortController();
  const reason = new Error("stop");
  const outcome = await inAgent(
    async () => {
      const { toolMap } = await kitOf({ onProgress: () => controller.abort(reason) });
      return await toolMap.slow?.handler({}).catch((error) => error);
    },
    { signal: controller.signal },
  ).catch((error) => error);
  assert.ok(outcome instanceof Error);
  for (let tries = 0; (await log()).cancelled !== 1; tries += 1) assert.ok(tries < 100, "the server was not told");
  holds(`${generation}: progress, and abort in mid-call`);
  await client.close();
}
holds("all");
