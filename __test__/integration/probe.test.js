import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { equipMCP, loadMcpToolCatalog } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { connect, generations } from "../support/clients.js";

const script = fileURLToPath(new URL("./servers/probe.mjs", import.meta.url));

describe.each(generations)("a real server and the client of %s", (generation) => {
  /** @type {any} */
  let client;
  beforeAll(async () => {
    client = await connect(generation, [script]);
  });
  afterAll(() => client.close());

  /** What the server has seen so far. */
  const log = async () => JSON.parse((await client.callTool({ name: "log", arguments: {} })).content[0].text);
  /** @param {(kit: any) => Promise<any>} work @param {object} [options] @param {object} [run] */
  const withKit = (work, options, run) =>
    inAgent(async () => work(await equipMCP(client, { clientId: "probe", ...options })), run);

  it("a call that fails is seen once by the server (R20, R23)", async () => {
    const before = await log();
    const error = await withKit((kit) => kit.toolMap.fails.handler({}).catch((/** @type {any} */ e) => e));
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe("MCP tool error: already exists");
    expect(error.cause).toMatchObject({ isError: true, content: [{ type: "text", text: "already exists" }] });
    expect((await log()).calls.fails).toBe((before.calls.fails ?? 0) + 1);
  });

  it("a rejected call gives the client's own error object, sent once", async () => {
    const before = await log();
    const own = await client.callTool({ name: "rejects", arguments: {} }).catch((/** @type {any} */ e) => e);
    const error = await withKit((kit) => kit.toolMap.rejects.handler({}).catch((/** @type {any} */ e) => e));
    expect(error.constructor).toBe(own.constructor);
    expect(error).toMatchObject({ code: -32602, data: { retryAfter: 30 } });
    expect((await log()).calls.rejects).toBe((before.calls.rejects ?? 0) + 2);
  });

  it("an aborted agent cancels the request on the server (R21)", async () => {
    const before = (await log()).cancelled;
    const controller = new AbortController();
    /** @type {any[]} */
    const progress = [];
    const onProgress = (/** @type {any} */ update, /** @type {any} */ context) => {
      progress.push([update.message, context.tool]);
      controller.abort(new Error("stop"));
    };
    const run = withKit((kit) => kit.toolMap.slow.handler({}), { onProgress }, { signal: controller.signal });
    await expect(run).rejects.toThrow(/stop/);
    expect(progress).toEqual([["half", "slow"]]);
    expect((await log()).cancelled).toBe(before + 1);
  });

  it("callTimeout reaches the client", async () => {
    const run = withKit((kit) => kit.toolMap.slow.handler({}), { callTimeout: 50 });
    await expect(run).rejects.toMatchObject({ message: expect.stringMatching(/timed out/) });
  });

  it("a null title and an output schema that cannot be compiled cost no tool", async () => {
    const answer = await withKit((kit) => kit.toolMap.odd.handler({ a: 1 }));
    expect(answer).toBe('{"a":1}');
  });
});

describe.each(generations)("a server of 200 pages and the client of %s (R9)", (generation) => {
  /** @type {any} */
  let client;
  beforeAll(async () => {
    client = await connect(generation, [script, "200", "3"]);
  });
  afterAll(() => client.close());

  const lists = async () => JSON.parse((await client.callTool({ name: "log", arguments: {} })).content[0].text).lists;
  /** @param {object} options */
  const asked = async (options) => {
    const before = (await lists()).length;
    const kit = await inAgent(() => equipMCP(client, { clientId: "paged", ...options }));
    return { tools: kit.tools.length, cursors: (await lists()).slice(before) };
  };

  it("all pages are read, past the 64 of the client itself", async () => {
    expect(await loadMcpToolCatalog(client)).toHaveLength(605);
    const { tools, cursors } = await asked({ maxItems: 1000 });
    expect(tools).toBe(605);
    expect(cursors).toEqual([null, ...Array.from({ length: 199 }, (_, index) => String(index + 1))]);
  });

  it("the first page alone, an early stop, a limit", async () => {
    expect(await asked({ autoPaginate: false })).toEqual({ tools: 8, cursors: [null] });
    expect(await asked({ tools: ["p002_1"] })).toEqual({ tools: 1, cursors: [null, "1", "2"] });
    expect(await asked({ maxItems: 10 })).toEqual({ tools: 10, cursors: [null, "1"] });
  });

  it("every refresh reaches the server", async () => {
    await inAgent(async () => {
      const before = (await lists()).length;
      const options = { clientId: "fresh", autoPaginate: false };
      await equipMCP(client, options);
      await equipMCP(client, options);
      await equipMCP(client, { ...options, forceRefresh: true });
      await equipMCP(client, { ...options, forceRefresh: true });
      expect((await lists()).length - before).toBe(3);
    });
  });
});
