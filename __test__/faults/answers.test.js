/** A server that dies, answers late, twice, to nobody, in broken messages or not at all, in a process of its own. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { callMcpTool, loadMcpToolCatalog } from "../../index.js";
import { generations } from "../support/clients.js";
import { call, equip, errors, failure, faulty, HARD_LIMIT, namesOf, watchFaults } from "./harness.js";

watchFaults();
const text = (/** @type {string} */ words) => ({ content: [{ type: "text", text: words }] });

/** What else a kit asks for. @type {[method: string, ask: (kit: any) => Promise<unknown>][]} */
const ASKED = [
  ["prompts/list", (kit) => kit.prompts.list()],
  ["prompts/get", (kit) => kit.prompts.get("echo")],
  ["resources/list", (kit) => kit.resourceToolMap.mcp_list_resources.handler({})],
  ["resources/templates/list", (kit) => kit.resourceToolMap.mcp_list_resources.handler({})],
  ["resources/read", (kit) => kit.resourceToolMap.mcp_read_resource.handler({ uri: "fault://echo" })],
];

describe.each(generations)("a server that dies, and the client of %s", (generation) => {
  const { closed } = errors[generation];

  it.each([
    ["exit", { exit: 3 }],
    ["SIGKILL", { kill: true }],
  ])("in mid-call, by %s: the client's own error, nothing sent again", { timeout: HARD_LIMIT }, async (_by, step) => {
    const { client, reached } = await faulty(generation, { "tools/call": [[step]] });
    expect(await failure(call(client))).toMatchObject(closed);
    expect(reached("tools/call")).toHaveLength(1);
    expect(await failure(callMcpTool(client, "echo"))).toBeInstanceOf(Error);
    expect(reached("tools/call")).toHaveLength(1);
  });

  it("with twenty calls out, each of them sent once", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/call": [...Array(19).fill([]), [{ kill: true }]] });
    const kit = await equip(client);
    const calls = Array.from({ length: 20 }, (_, n) => failure(kit.toolMap.echo.handler({ n })));
    for (const error of await Promise.all(calls)) expect(error).toMatchObject(closed);
    const sent = reached("tools/call").map(({ params }) => params.arguments.n);
    expect(sent.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it("while prompts and resources are asked for", { timeout: HARD_LIMIT }, async () => {
    for (const [method, ask] of ASKED) {
      const { client, reached } = await faulty(generation, { [method]: [[{ exit: 1 }]] });
      const kit = await equip(client, { tools: [], enableResources: true });
      const error = await failure(ask(kit));
      expect([method, error.code]).toEqual([method, closed.code]);
      expect([method, reached(method).length]).toEqual([method, 1]);
    }
  });

  it("half-way through its answer", { timeout: HARD_LIMIT }, async () => {
    const half = { text: '{"jsonrpc":"2.0","id":$id,"result":{"content":[{"type":"te' };
    const { client, reached } = await faulty(generation, { "tools/call": [[half, { exit: 0 }]] });
    expect(await failure(call(client))).toMatchObject(closed);
    expect(reached("tools/call")).toHaveLength(1);
  });

  it.each([1, 2, 3])(
    "while page %i is asked for: no half catalog, and no further request",
    { timeout: HARD_LIMIT },
    async (page) => {
      const script = { "tools/list": [...Array(page - 1).fill([{ page: 3 }]), [{ exit: 1 }]] };
      const { client, reached } = await faulty(generation, script);
      expect(await failure(equip(client))).toMatchObject(closed);
      expect(reached("tools/list")).toHaveLength(page);
      expect(await failure(loadMcpToolCatalog(client))).toBeInstanceOf(Error);
    },
  );

  it("between two pages", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/list": [[{ page: 3 }, { exit: 1 }]] });
    expect(await failure(equip(client))).toBeInstanceOf(Error);
    expect(reached("tools/list")).toHaveLength(1);
  });
});

describe.each(generations)("late and needless answers, and the client of %s", (generation) => {
  const { timeout } = errors[generation];

  it("after the timeout: ignored", { timeout: HARD_LIMIT }, async () => {
    const late = [{ wait: 150 }, { result: text("late") }, { did: "answered" }];
    const { client, reached, did } = await faulty(generation, { "tools/call": [late, [{ result: text("next") }]] });
    expect(await failure(call(client, { callTimeout: 40 }))).toMatchObject(timeout);
    expect(await call(client, { callTimeout: 5_000 })).toBe("next");
    await vi.waitFor(() => expect(did()).toEqual(["answered"]));
    await sleep(20);
    expect(reached("tools/call")).toHaveLength(2);
    expect(reached("notifications/cancelled")).toHaveLength(1);
    expect(await call(client)).toBe("next");
  });

  it("after the abort: ignored", { timeout: HARD_LIMIT }, async () => {
    const late = [{ wait: 150 }, { result: text("late") }, { did: "answered" }];
    const { client, reached, did } = await faulty(generation, { "tools/call": [late, [{ result: text("next") }]] });
    const controller = new AbortController();
    const run = failure(call(client, {}, { signal: controller.signal }));
    await vi.waitFor(() => expect(reached("tools/call")).toHaveLength(1));
    controller.abort(new Error("stop"));
    expect((await run).message).toMatch(/stop/);
    expect(await call(client)).toBe("next");
    await vi.waitFor(() => expect(did()).toEqual(["answered"]));
    await sleep(20);
    expect(reached("tools/call")).toHaveLength(2);
  });

  it("after a walk was aborted: no page of it gets into the next walk", { timeout: HARD_LIMIT }, async () => {
    const stale = { tools: [{ name: "stale", inputSchema: { type: "object" } }], nextCursor: "1" };
    const { client, reached, did } = await faulty(generation, {
      "tools/list": [
        [{ wait: 100 }, { result: stale }, { did: "answered" }],
        [{ wait: 100 }, { page: 2 }],
        [{ page: 2 }],
      ],
    });
    expect((await failure(equip(client, {}, { signal: AbortSignal.timeout(40) }))).message).toMatch(/due to timeout/);
    expect(namesOf(await equip(client))).toEqual(["echo", "p0_0", "p0_1", "p1_0", "p1_1"]);
    expect(did()).toEqual(["answered"]);
    expect(reached("tools/list")).toHaveLength(3);
  });

  it.each([
    ["a string", "stop"],
    ["null", null],
    ["nothing", undefined],
    ["an object", { stop: true }],
  ])("aborted with %s as reason", { timeout: HARD_LIMIT }, async (_name, reason) => {
    const { client, reached } = await faulty(generation, { "tools/call": [[], [{ result: text("next") }]] });
    const controller = new AbortController();
    const run = failure(call(client, {}, { signal: controller.signal }));
    await vi.waitFor(() => expect(reached("tools/call")).toHaveLength(1));
    controller.abort(reason);
    // The client's own error, which is that of a timeout too, and holds the reason's words.
    expect(await run).toMatchObject(timeout);
    expect((await run).message).toContain(String(controller.signal.reason));
    const early = await call(client, {}, { signal: controller.signal }).catch((e) => e);
    expect(early).toBe(controller.signal.reason);
    expect(await call(client)).toBe("next");
    expect(reached("tools/call")).toHaveLength(2);
  });

  it("twice to a call: the first one counts", { timeout: HARD_LIMIT }, async () => {
    const twice = [{ result: text("first") }, { result: text("second") }, { error: { code: 1, message: "third" } }];
    const { client, reached } = await faulty(generation, { "tools/call": [twice, [{ result: text("next") }]] });
    expect(await call(client)).toBe("first");
    expect(await call(client)).toBe("next");
    expect(reached("tools/call")).toHaveLength(2);
  });

  it("twice to every page: each page counts once", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/list": [[{ page: 2 }, { result: { tools: [] } }]] });
    expect(namesOf(await equip(client))).toEqual(["echo", "p0_0", "p0_1", "p1_0", "p1_1"]);
    expect(await loadMcpToolCatalog(client)).toHaveLength(5);
    expect(reached("tools/list")).toHaveLength(4);
  });

  it("under an unknown id: passed over", { timeout: HARD_LIMIT }, async () => {
    const astray = (/** @type {object} */ right) => [
      { id: 987_654, result: text("astray") },
      { id: "no number", result: text("astray") },
      { line: '{"jsonrpc":"2.0","id":null,"result":{}}' },
      right,
    ];
    const { client, reached } = await faulty(generation, {
      "tools/list": [astray({ page: 1 })],
      "tools/call": [astray({ result: text("right") })],
    });
    expect(await call(client)).toBe("right");
    expect([reached("tools/list").length, reached("tools/call").length]).toEqual([1, 1]);
  });
});
