/** Broken messages, floods and silence, from a server in a process of its own. */
import { describe, expect, it, vi } from "vitest";
import { callMcpTool, equipMCP, loadMcpToolCatalog } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { generations } from "../support/clients.js";
import { call, equip, errors, failure, faulty, HARD_LIMIT, namesOf, watchFaults } from "./harness.js";

watchFaults();
/** The clients check each notification, at some 30 µs. */
const FLOOD_LIMIT = 3 * HARD_LIMIT;
const right = { result: { content: [{ type: "text", text: "right" }] } };

/** Lines that are no answer, though they stand where one is waited for. @type {[name: string, line: string][]} */
const BROKEN = [
  ["no JSON", "Listening on port 8080"],
  ["an empty line", ""],
  ["half a message", '{"jsonrpc":"2.0","id":$id,"resu'],
  ["another version", '{"jsonrpc":"1.0","id":$id,"result":{"content":[],"tools":[]}}'],
  ["no version", '{"id":$id,"result":{"content":[],"tools":[]}}'],
  ["an array as result", '{"jsonrpc":"2.0","id":$id,"result":[]}'],
  ["a number as result", '{"jsonrpc":"2.0","id":$id,"result":7}'],
  ["null as result", '{"jsonrpc":"2.0","id":$id,"result":null}'],
  ["a string as result", '{"jsonrpc":"2.0","id":$id,"result":"right"}'],
  ["an error without code and message", '{"jsonrpc":"2.0","id":$id,"error":{}}'],
  ["an error that is a string", '{"jsonrpc":"2.0","id":$id,"error":"no"}'],
  ["an error whose code is a string", '{"jsonrpc":"2.0","id":$id,"error":{"code":"E","message":"no"}}'],
  ["neither result nor error", '{"jsonrpc":"2.0","id":$id}'],
  ["a batch", '[{"jsonrpc":"2.0","id":$id,"result":{"content":[],"tools":[]}}]'],
];

/** @param {string} line */
function isJson(line) {
  try {
    JSON.parse(line.replace("$id", "0"));
    return true;
  } catch {
    return false;
  }
}

describe.each(generations)("broken lines and the client of %s", (generation) => {
  const { timeout } = errors[generation];

  it("then the answer: passed over", { timeout: HARD_LIMIT }, async () => {
    const broken = (/** @type {object} */ answer) => BROKEN.map(([, line]) => [{ line }, answer, { line }]);
    const { client, reached, reported } = await faulty(generation, {
      "tools/list": broken({ page: 1 }),
      "tools/call": broken(right),
    });
    for (const [index, [name, line]] of BROKEN.entries()) {
      const before = reported.length;
      expect([name, await call(client)]).toEqual([name, "right"]);
      expect([name, reached("tools/list").length, reached("tools/call").length]).toEqual([name, index + 1, index + 1]);
      // The application hears of it, from its own client; that of 2.x passes over what is no JSON in silence.
      const silent = generation === "sdk2" && !isJson(line);
      expect([name, reported.length - before >= (silent ? 0 : 3)]).toEqual([name, true]);
    }
  });

  it("and no answer: abort and the client's own timeout, and the next request is answered", {
    timeout: HARD_LIMIT,
  }, async () => {
    const broken = (/** @type {object} */ answer) => BROKEN.flatMap(([, line]) => [[{ line }], [answer]]);
    const { client, reached } = await faulty(generation, {
      // Three walks for each line: one without an answer, and those of the two calls.
      "tools/list": BROKEN.flatMap(([, line]) => [[{ line }], [{ page: 1 }], [{ page: 1 }]]),
      "tools/call": broken(right),
    });
    for (const [index, [name]] of BROKEN.entries()) {
      const signal = AbortSignal.timeout(40);
      expect([name, (await failure(equip(client, {}, { signal }))).message]).toEqual([
        name,
        expect.stringMatching(/due to timeout/),
      ]);
      expect([name, await failure(call(client, { callTimeout: 40 }))]).toEqual([
        name,
        expect.objectContaining(timeout),
      ]);
      expect([name, await call(client)]).toEqual([name, "right"]);
      expect([name, reached("tools/list").length, reached("tools/call").length]).toEqual([
        name,
        3 * (index + 1),
        2 * (index + 1),
      ]);
    }
  });

  it("an answer in a thousand pieces", { timeout: HARD_LIMIT }, async () => {
    const whole = JSON.stringify({ jsonrpc: "2.0", id: 0, ...right }).replace('"id":0', '"id":$id');
    // `$id` stands in one piece.
    const pieces = whole.match(/\$id|./g) ?? [];
    const { client } = await faulty(generation, {
      "tools/call": [
        [...pieces.flatMap((text, index) => (index % 20 ? [{ text }] : [{ wait: 1 }, { text }])), { text: "\n" }],
      ],
    });
    expect(await call(client)).toBe("right");
  });
});

/** Answers that are JSON-RPC, and no MCP. @type {[name: string, result: object, code: string][]} */
const PAGES = [
  ["no tools", {}, "invalid_catalog_shape"],
  ["null for tools", { tools: null }, "invalid_catalog_shape"],
  ["an object for tools", { tools: { echo: {} } }, "invalid_catalog_shape"],
  ["null for a tool", { tools: [null] }, "invalid_catalog_shape"],
  ["a number for a name", { tools: [{ name: 7, inputSchema: { type: "object" } }] }, "invalid_tool_name"],
  [
    "an array for a description",
    { tools: [{ name: "a", description: [], inputSchema: {} }] },
    "invalid_tool_description",
  ],
  ["a string for a schema", { tools: [{ name: "a", inputSchema: "object" }] }, "invalid_tool_schema"],
  ["a number for a cursor", { tools: [], nextCursor: 7 }, "invalid_cursor"],
];

const refused = { name: "McpProtocolError", code: "invalid_call_result" };
/** What of a result that breaks the rules a model can use, it gets, where the client lets it through (1.x). @type {[name: string, result: object, shown: unknown][]} */
const RESULTS = [
  ["a string for content", { content: "text" }, refused],
  ["null for content", { content: null }, refused],
  ["null for a block", { content: [null] }, { $rejellyContent: [{ type: "text", text: "null" }] }],
  ["a block without type", { content: [{ text: "a" }] }, "a"],
  ["a number for a text", { content: [{ type: "text", text: 7 }] }, "7"],
  ["a string for isError", { content: [], isError: "no" }, ""],
];

describe.each(generations)("answers of the wrong type and the client of %s", (generation) => {
  it("a page: the code that says so, and nothing of it is kept", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, {
      "tools/list": PAGES.flatMap(([, result]) => [[{ result }], [{ page: 2 }], [{ result }], [{ page: 1 }]]),
    });
    for (const [index, [name, , code]] of PAGES.entries()) {
      const error = [name, "McpProtocolError", code];
      const of = (/** @type {any} */ got) => [name, got.name, got.code];
      expect(of(await failure(equip(client)))).toEqual(error);
      // The second page of this one is the malformed one.
      expect(of(await failure(loadMcpToolCatalog(client)))).toEqual(error);
      expect(namesOf(await equip(client))).toEqual(["echo", "p0_0", "p0_1"]);
      expect(reached("tools/list")).toHaveLength(4 * (index + 1));
    }
  });

  it("a result: told or made the best of, called once", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, {
      "tools/call": RESULTS.flatMap(([, result]) => [[{ result }], [{ result }], [right]]),
    });
    // The client of 2.x checks results itself, and its own error is passed on.
    const own = { name: "SdkError", code: "INVALID_RESULT" };
    for (const [index, [name, , shown]] of RESULTS.entries()) {
      const outcome = await call(client).catch(({ name, code }) => ({ name, code }));
      expect([name, outcome]).toEqual([name, generation === "sdk1" ? shown : own]);
      const strict = await failure(callMcpTool(client, "echo"));
      expect([name, strict]).toEqual([name, expect.objectContaining(generation === "sdk1" ? refused : own)]);
      expect(await call(client)).toBe("right");
      expect(reached("tools/call")).toHaveLength(3 * (index + 1));
    }
  });
});

/** @param {number} times */
const changed = (times) => ({ notify: "notifications/tools/list_changed", times });

describe.each(generations)("100,000 notifications and the client of %s", (generation) => {
  it("during equip: one walk, a whole catalog", { timeout: FLOOD_LIMIT }, async () => {
    const script = { "tools/list": [[changed(100_000), { page: 2 }, changed(100)], [{ page: 2 }]] };
    const { client, reached } = await faulty(generation, script);
    expect(namesOf(await equip(client))).toEqual(["echo", "p0_0", "p0_1", "p1_0", "p1_1"]);
    expect(reached("tools/list")).toHaveLength(2);
  });

  it("during a call: one call, its answer, no new list", { timeout: FLOOD_LIMIT }, async () => {
    const script = { "tools/call": [[changed(100_000), right, changed(100)]] };
    const { client, reached } = await faulty(generation, script);
    expect(await call(client)).toBe("right");
    expect([reached("tools/list").length, reached("tools/call").length]).toEqual([1, 1]);
  });

  it("an abort gets through", { timeout: FLOOD_LIMIT }, async () => {
    // Slower than they can be read, so that they would go on for a minute.
    const trickle = Array.from({ length: 600 }, () => [changed(200), { wait: 100 }]).flat();
    const { client, reached } = await faulty(generation, { "tools/call": [[...trickle, right], [right]] });
    const signal = AbortSignal.timeout(200);
    expect((await failure(call(client, {}, { signal }))).message).toMatch(/due to timeout/);
    expect(await call(client)).toBe("right");
    expect(reached("tools/call")).toHaveLength(2);
  });
});

describe.each(generations)("a server that is silent and the client of %s", (generation) => {
  const { timeout } = errors[generation];

  it("an abort ends a walk at once, and the request on the server", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/list": [[{ page: 2 }], [], [{ page: 1 }]] });
    const controller = new AbortController();
    const run = failure(equip(client, {}, { signal: controller.signal }));
    await vi.waitFor(() => expect(reached("tools/list")).toHaveLength(2));
    controller.abort(new Error("stop"));
    expect((await run).message).toMatch(/stop/);
    const [, second] = reached("tools/list");
    await vi.waitFor(() =>
      expect(reached("notifications/cancelled").map(({ params }) => params.requestId)).toEqual([second.id]),
    );
    expect(namesOf(await equip(client))).toEqual(["echo", "p0_0", "p0_1"]);
  });

  it("the client's own timeout of a minute ends a walk without a signal", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/list": [[], [], [{ page: 1 }]] });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    /** @type {Promise<any>[]} */
    let runs;
    try {
      runs = [equip(client), loadMcpToolCatalog(client)].map((run) => run.catch((/** @type {any} */ error) => error));
      while (reached("tools/list").length < 2) await new Promise(setImmediate);
      await vi.advanceTimersByTimeAsync(60_000);
    } finally {
      vi.useRealTimers();
    }
    for (const run of runs) expect(await run).toMatchObject(timeout);
    expect(reached("tools/list")).toHaveLength(2);
    expect(namesOf(await equip(client))).toEqual(["echo", "p0_0", "p0_1"]);
  });

  it("prompts and resources: abort and timeout", { timeout: HARD_LIMIT }, async () => {
    const silent = Object.fromEntries(
      ["prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/read"].map((method) => [
        method,
        [[]],
      ]),
    );
    const { client } = await faulty(generation, silent);
    const requests = (/** @type {any} */ kit) => [
      () => kit.prompts.list(),
      () => kit.prompts.get("echo"),
      () => kit.resourceToolMap.mcp_list_resources.handler({}),
      () => kit.resourceToolMap.mcp_read_resource.handler({ uri: "fault://echo" }),
    ];
    const options = { clientId: "silent", enableResources: true };
    for (const index of [0, 1, 2, 3]) {
      const signal = AbortSignal.timeout(60);
      const run = inAgent(async () => requests(await equipMCP(client, options))[index]?.(), { signal });
      expect((await failure(run)).message).toMatch(/due to timeout/);
    }
    for (const index of [1, 3]) {
      const run = inAgent(async () => requests(await equipMCP(client, { ...options, callTimeout: 60 }))[index]?.());
      expect(await failure(run)).toMatchObject(timeout);
    }
  });
});
