/** A server written with the official Rust SDK, with both client generations: a peer that shares no code with the clients. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callMcpTool, equipMCP, loadMcpToolCatalog } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { connect, generations } from "../support/clients.js";
import { listing, modelReads, transcript, withoutPictures } from "./reads.js";
import { BUILD_TIMEOUT, rmcpServer } from "./servers/rmcp.js";

/** @type {string} */
let binary;
beforeAll(async () => {
  binary = await rmcpServer();
}, BUILD_TIMEOUT);

describe.each(generations)("a server of rmcp and the client of %s", (generation) => {
  /** @type {any} */
  let client;
  beforeAll(async () => {
    client = await connect(generation, [], binary);
  });
  afterAll(() => client.close());

  /** What the server has seen so far. */
  const log = async () => JSON.parse((await client.callTool({ name: "log", arguments: {} })).content[0].text);
  /** @param {(kit: any) => Promise<any>} work @param {object} [options] @param {object} [run] */
  const withKit = (work, options, run) =>
    inAgent(async () => work(await equipMCP(client, { clientId: "rmcp", ...options })), run);

  it("every tool, called once, over all pages", async () => {
    const before = await log();
    /** @type {[string, object][]} */
    const calls = [
      ["echo_back", { any: [1, { deep: null }] }],
      ["add", { a: 2, b: 3 }],
      ["add", { a: 2.5, b: -1 }],
      ["blocks", {}],
      ["remove", { what: "it" }],
      ["fails", {}],
      ["rejects", {}],
    ];
    const { shown, answers } = await modelReads(client, { toolNames: "portable" }, calls);
    await expect(listing(shown)).toMatchFileSnapshot("./__snapshots__/rmcp.tools.json");
    await expect(transcript(calls, answers)).toMatchFileSnapshot("./__snapshots__/rmcp.answers.md");
    const after = await log();
    expect(after.lists.slice(before.lists.length)).toEqual([null, "2", "4", "6"]);
    // The refused call was never sent; the portable name is the native one to the server.
    for (const name of ["echo.back", "add", "blocks", "remove", "fails", "rejects"]) {
      expect([name, after.calls[name] - (before.calls[name] ?? 0)]).toEqual([name, 1]);
    }
  });

  it("middleware can read what the server says of a tool (R25)", async () => {
    const said = await withKit(async ({ toolMap }) => ({ add: toolMap.add.mcp, remove: toolMap.remove.mcp }));
    expect(said.add).toMatchObject({
      server: "rmcp",
      name: "add",
      annotations: { title: "Addition", readOnlyHint: true, idempotentHint: true },
      outputSchema: { type: "object", required: ["sum"] },
    });
    expect(said.remove.annotations).toEqual({ readOnlyHint: false, destructiveHint: true });
  });

  it("every prompt, as an instruction", async () => {
    const prompts = await withKit(async ({ prompts: kit }) => {
      const list = await kit.list();
      const got = [];
      for (const { name } of list) got.push([name, (await kit.get(name, { name: "Ada", times: 2 })).asInstruction()]);
      return { list, got };
    });
    const text = `${JSON.stringify(withoutPictures(prompts), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("./__snapshots__/rmcp.prompts.json");
    await expect(withKit((kit) => kit.prompts.get("none"))).rejects.toMatchObject({ code: -32602 });
  });

  it("every resource, page by page, and one of the template", async () => {
    /** @type {[string, object][]} */
    const calls = [
      ["mcp_list_resources", {}],
      ["mcp_list_resources", { cursor: "2" }],
      ["mcp_read_resource", { uri: "probe://notes" }],
      ["mcp_read_resource", { uri: "probe://pixel" }],
      ["mcp_read_resource", { uri: "probe://archive" }],
      ["mcp_read_resource", { uri: "probe://item/7" }],
      ["mcp_read_resource", { uri: "probe://item/{id}", variables: { id: "a b" } }],
      ["mcp_read_resource", { uri: "probe://none" }],
    ];
    const { answers } = await modelReads(client, {}, calls);
    await expect(transcript(calls, answers)).toMatchFileSnapshot("./__snapshots__/rmcp.resources.md");
  });

  it("a rejected call gives the client's own error, with code and data, sent once (R23)", async () => {
    const before = await log();
    const own = await client.callTool({ name: "rejects", arguments: {} }).catch((/** @type {any} */ e) => e);
    const error = await withKit((kit) => kit.toolMap.rejects.handler({}).catch((/** @type {any} */ e) => e));
    expect(error.constructor).toBe(own.constructor);
    expect(error).toMatchObject({ code: -32042, data: { retryAfter: 30 } });
    expect((await log()).calls.rejects - (before.calls.rejects ?? 0)).toBe(2);
  });

  it("an aborted agent cancels the slow call on the server, progress before it (R21)", async () => {
    const before = await log();
    const controller = new AbortController();
    /** @type {any[]} */
    const told = [];
    const onProgress = (/** @type {any} */ { progress, total, message }, /** @type {any} */ { tool }) => {
      told.push({ progress, total, message, tool });
      controller.abort(new Error("stop"));
    };
    const run = withKit((kit) => kit.toolMap.slow.handler({}), { onProgress }, { signal: controller.signal });
    await expect(run).rejects.toThrow("stop");
    expect(told).toEqual([{ progress: 1, total: 2, message: "half", tool: "slow" }]);
    await expect.poll(log).toMatchObject({ cancelled: before.cancelled + 1, stopped: before.stopped + 1 });
  });

  it("a call past its timeout is cancelled on the server too", async () => {
    const before = await log();
    await expect(callMcpTool(client, "slow", {}, { timeout: 50 })).rejects.toThrow(/timed out/i);
    await expect.poll(log).toMatchObject({ cancelled: before.cancelled + 1, stopped: before.stopped + 1 });
  });

  it("callMcpTool gives the normalised result; the catalog is the server's", async () => {
    expect(await callMcpTool(client, "add", { a: 1, b: 2 })).toEqual({
      content: [{ type: "text", text: '{"sum":3}' }],
      structuredContent: { sum: 3 },
      isError: false,
    });
    expect(await callMcpTool(client, "fails")).toMatchObject({ isError: true });
    const catalog = await loadMcpToolCatalog(client);
    expect(catalog.map(({ name }) => name)).toEqual([
      "add",
      "blocks",
      "echo.back",
      "fails",
      "log",
      "rejects",
      "remove",
      "slow",
    ]);
  });
});
