/** Answers of 50 MB, pages without end, and what stays in memory of them. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { equipMCP, loadMcpToolCatalog } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith, generations } from "../support/clients.js";
import { call, closeAll, equip, errors, failure, faulty, HARD_LIMIT, namesOf, watchFaults } from "./harness.js";

watchFaults();

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** Megabytes in use once all garbage is gone. `resident` holds the native side's too, and what its allocator keeps for later. */
async function memory() {
  for (let round = 0; round < 3; round += 1) {
    collect();
    await new Promise(setImmediate);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: (heapUsed + external) / 1e6, resident: rss / 1e6 };
}

const MB = 1_000_000;
const SIZE = 50 * MB;
/** @param {string} kind @param {number} [bytes] */
const big = (kind, bytes = SIZE) => [[{ big: { kind, bytes } }]];

/** @type {[name: string, script: Record<string, object[][]>, run: (client: any) => Promise<unknown>][]} */
const LARGE = [
  ["a text block", { "tools/call": big("text") }, async (client) => (await call(client)) === "A".repeat(SIZE)],
  [
    "an image",
    { "tools/call": big("image") },
    async (client) => {
      const [part] = /** @type {any} */ (await call(client)).$rejellyContent;
      return part.image.url === `data:image/png;base64,${"A".repeat(SIZE)}`;
    },
  ],
  [
    "structured content",
    { "tools/call": big("structured") },
    async (client) => /** @type {any} */ (await call(client)).length > SIZE,
  ],
  [
    "a tool's description",
    { "tools/list": big("description") },
    async (client) => (await equip(client)).toolMap.echo.description.length === SIZE,
  ],
  ["a page of tools", { "tools/list": big("tools") }, async (client) => (await equip(client)).tools.length === 100],
];

describe.each(generations)("50 MB and the client of %s", (generation) => {
  it.each(LARGE)("as %s: delivered, and gone afterwards", { timeout: 2 * HARD_LIMIT }, async (_name, script, run) => {
    /** One round, of which nothing is kept. */
    const round = async () => {
      const { client, reached } = await faulty(generation, script, { unbounded: true });
      expect(await run(client)).toBe(true);
      expect(reached("tools/list")).toHaveLength(1);
      expect(reached("tools/call")).toHaveLength("tools/call" in script ? 1 : 0);
      expect(await closeAll()).toEqual([]);
    };
    const before = await memory();
    await round();
    const once = await memory();
    expect(once.held - before.held).toBeLessThan(10);
    // What the native side holds is the same for both clients, and shows only when nothing is new any more.
    if (generation === "sdk2") return;
    await round();
    expect((await memory()).resident - once.resident).toBeLessThan(SIZE / MB);
  });

  it("is more than the SDK's own transport takes: it ends the connection", { timeout: HARD_LIMIT }, async () => {
    const { closed } = errors[generation];
    const calling = await faulty(generation, { "tools/call": big("text", 11 * MB) });
    expect(await failure(call(calling.client))).toMatchObject(closed);
    expect(calling.reached("tools/call")).toHaveLength(1);
    expect(calling.reported[0]?.message).toMatch(/exceeded maximum size/);
    const listing = await faulty(generation, { "tools/list": big("tools", 11 * MB) });
    expect(await failure(equip(listing.client))).toMatchObject(closed);
    expect(listing.reached("tools/list")).toHaveLength(1);
  });
});

describe.each(generations)("more than a walk takes, and the client of %s", (generation) => {
  const exceeded = { name: "McpProtocolError", code: "catalog_limit_exceeded" };

  it("bytes: in one page, and over several", { timeout: 2 * HARD_LIMIT }, async () => {
    const before = await memory();
    const one = await faulty(generation, { "tools/list": big("description", 70 * MB) }, { unbounded: true });
    expect(await failure(equip(one.client))).toMatchObject({
      ...exceeded,
      message: expect.stringMatching(/at most 67108864 bytes from tools\/list/),
    });
    const pages = [1, 2, 3, 4].map((page) => [{ big: { kind: "description", bytes: 25 * MB, next: String(page) } }]);
    const many = await faulty(generation, { "tools/list": pages }, { unbounded: true });
    expect(await failure(equip(many.client))).toMatchObject(exceeded);
    expect([one.reached("tools/list").length, many.reached("tools/list").length]).toEqual([1, 3]);
    expect(await closeAll()).toEqual([]);
    expect((await memory()).held - before.held).toBeLessThan(10);
  });

  it("tools: all of a catalog or none", { timeout: HARD_LIMIT }, async () => {
    const { client } = await faulty(generation, { "tools/list": big("tools", 2 * MB) });
    expect(await failure(loadMcpToolCatalog(client))).toMatchObject(exceeded);
    expect(await loadMcpToolCatalog(client, { maxItems: 2000 })).toHaveLength(2000);
  });

  it("pages, each with a new cursor", { timeout: 2 * HARD_LIMIT }, async () => {
    const endless = [[{ page: 1, tools: 0, next: "$n" }]];
    const { client, reached } = await faulty(generation, { "tools/list": endless, "prompts/list": endless });
    expect(await failure(equip(client), HARD_LIMIT)).toMatchObject({
      ...exceeded,
      message: expect.stringMatching(/at most 2000 pages/),
    });
    expect(reached("tools/list")).toHaveLength(2000);
    expect(await failure(loadMcpToolCatalog(client), HARD_LIMIT)).toMatchObject(exceeded);
    expect(reached("tools/list")).toHaveLength(4000);
    const prompts = inAgent(async () => {
      const kit = /** @type {any} */ (await equipMCP(client, { clientId: "prompts", tools: [] }));
      return await kit.prompts.list();
    });
    expect(await failure(prompts, HARD_LIMIT)).toMatchObject(exceeded);
    expect(reached("prompts/list")).toHaveLength(2000);
  });

  it("pages of tools without end: as many as asked for", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/list": [[{ page: 1, tools: 10, next: "$n" }]] });
    expect((await equip(client)).tools).toHaveLength(100);
    expect(reached("tools/list")).toHaveLength(10);
    expect(await failure(loadMcpToolCatalog(client))).toMatchObject(exceeded);
    expect(reached("tools/list")).toHaveLength(110);
  });

  it("pages, with the same cursor for ever", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/list": [[{ page: 1, next: "1" }]] });
    const cycle = { name: "McpProtocolError", code: "cursor_cycle" };
    expect(await failure(equip(client))).toMatchObject(cycle);
    expect(await failure(loadMcpToolCatalog(client))).toMatchObject(cycle);
    expect(reached("tools/list")).toHaveLength(4);
  });

  it("pages, with an empty cursor for ever: no more", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/list": [[{ page: 1, next: "" }]] });
    expect(namesOf(await equip(client))).toEqual(["echo", "p0_0", "p0_1"]);
    expect(await loadMcpToolCatalog(client)).toHaveLength(3);
    expect(reached("tools/list")).toHaveLength(4);
  });

  it("levels: a result and a schema of 20,000", { timeout: HARD_LIMIT }, async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const { client, reached } = await faulty(generation, {
      "tools/list": [
        [{ line: `{"jsonrpc":"2.0","id":$id,"result":{"tools":[{"name":"echo","inputSchema":{"default":${deep}}}]}}` }],
        [{ page: 1 }],
      ],
      "tools/call": [
        [{ line: `{"jsonrpc":"2.0","id":$id,"result":{"content":[],"structuredContent":{"deep":${deep}}}}` }],
      ],
    });
    expect(await failure(equip(client))).toMatchObject({ code: "invalid_tool_schema", toolName: "echo" });
    expect(await failure(call(client))).toMatchObject({ code: "invalid_call_result" });
    expect(reached("tools/call")).toHaveLength(1);
  });
});

it("a server that never sends the same catalog twice fills no memory", { timeout: 2 * HARD_LIMIT }, async () => {
  /** Lists of 2 MB, of which sixteen are all that may be held; each takes 2 MB of JavaScript's heap and 10 MB of the native side's. */
  const rounds = async (/** @type {number} */ from, /** @type {number} */ to) => {
    for (let round = from; round < to; round += 1) {
      const description = `${round} ${"d".repeat(2000)}`;
      const tools = Array.from({ length: 1000 }, (_, index) => ({ name: `t${index}`, description, inputSchema: {} }));
      await loadMcpToolCatalog(clientWith(...tools));
      await memory();
    }
    return await memory();
  };
  const before = await rounds(0, 20);
  const after = await rounds(20, 36);
  expect(after.held - before.held).toBeLessThan(10);
  expect(after.resident - before.resident).toBeLessThan(150);
});
