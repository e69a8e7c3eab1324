/** The resource tools (R27): nothing before the model asks, templates filled in, capabilities that are not there. */
import { callTool } from "@rejelly/core";
import { describe, expect, it, vi } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { generations } from "../support/clients.js";
import { casesOf } from "../support/shared.js";
import { wired } from "./wire.js";

/** @param {any} client @param {(tools: any) => Promise<any>} work @param {object} [options] @param {object} [run] */
const withTools = (client, work, options = {}, run = undefined) =>
  inAgent(async () => {
    const kit = await equipMCP(client, { clientId: "r", tools: [], enableResources: true, ...options });
    return await work(kit.resourceToolMap);
  }, run);

/** A facade that notes the uris it is asked for. */
function reader() {
  const uris = /** @type {string[]} */ ([]);
  return {
    uris,
    listTools: async () => [],
    callTool: async (/** @type {any} */ _name, /** @type {any} */ _args) => ({}),
    readResource: async (/** @type {string} */ uri) => {
      uris.push(uri);
      return { contents: [{ uri, text: uri }] };
    },
  };
}

/** RS06 of the shared cases, copied. */
const RS06 = {
  template: "x://node/{id}/files{?q,limit}",
  vars: { id: "a b/ü#1", q: "x&y" },
  reserved: { template: "file:///{+path}", vars: { path: "dir/a b.txt" } },
};

describe("templates", () => {
  it("RS06-template-uri-expansion", async () => {
    for (const { id, input } of casesOf("resource")) if (id.startsWith("RS06")) expect(input).toEqual(RS06);
    const client = reader();
    await withTools(client, async ({ mcp_read_resource: read }) => {
      await callTool(read, { uri: RS06.template, variables: RS06.vars });
      await callTool(read, { uri: RS06.reserved.template, variables: RS06.reserved.vars });
    });
    expect(client.uris).toEqual(["x://node/a%20b%2F%C3%BC%231/files?q=x%26y", "file:///dir/a%20b.txt"]);
  });

  it("a uri is sent as it is, braces, spaces and all", async () => {
    const client = reader();
    await withTools(client, async ({ mcp_read_resource: read }) => {
      await callTool(read, { uri: "x://{id}" });
      await callTool(read, { uri: "file:///a b/ü.txt", variables: {} });
    });
    expect(client.uris).toEqual(["x://{id}", "file:///a b/ü.txt"]);
  });

  it("what is wrong is told before anything is sent", async () => {
    const client = reader();
    await withTools(client, async ({ mcp_read_resource: read }) => {
      const open = callTool(read, { uri: "x://{id", variables: { id: 1 } });
      await expect(open).rejects.toThrow('The uriTemplate cannot be filled in: expected a } after the { before "id"');
      await expect(callTool(read, { uri: "x://{id}", variables: { id: [[1]] } })).rejects.toThrow(
        'expected strings in "id"',
      );
      await expect(callTool(read, { uri: "x://{id}", variables: "7" })).rejects.toThrow(/variables: expected object/);
      await expect(callTool(read, { uri: "x://a", extra: 1 })).rejects.toThrow(/extra/);
    });
    expect(client.uris).toEqual([]);
  });
});

describe.each(generations)("the resource tools with the client of %s", (generation) => {
  const templates = [{ uriTemplate: "x://{id}", name: "x" }];
  /** @param {(request: any) => any} answer */
  const serving = (answer) => wired(generation, answer, { tools: {}, resources: {} });

  it("ask nothing when they are made; templates come with the first page only", async () => {
    const { client, sent } = await serving(({ method, params }) => {
      if (method === "resources/templates/list") return { resourceTemplates: templates };
      const page = Number(params?.cursor ?? 0);
      return {
        resources: [{ uri: `x://${page}`, name: `r${page}`, secret: 1 }],
        ...(page === 0 && { nextCursor: "1" }),
      };
    });
    const requests = () => sent.filter(({ id, method }) => id !== undefined && method !== "initialize").length;
    await withTools(client, async ({ mcp_list_resources: list }) => {
      expect(requests()).toBe(0);
      const first = JSON.parse(await list.handler({}));
      expect(first).toEqual({
        resources: [{ uri: "x://0", name: "r0" }],
        resourceTemplates: templates,
        nextCursor: "1",
      });
      expect(JSON.parse(await list.handler({ cursor: "1" }))).toEqual({ resources: [{ uri: "x://1", name: "r1" }] });
    });
    expect(requests()).toBe(3);
  });

  it("a server that knows no templates, or no resources at all, is no failure; any other error is", async () => {
    const known = await serving(({ method }) => {
      if (method === "resources/list") return { resources: [{ uri: "x://a", name: "a" }] };
      throw { code: -32601, message: "Method not found" };
    });
    const list = (/** @type {any} */ client) =>
      withTools(client, async (tools) => JSON.parse(await tools.mcp_list_resources.handler({})));
    expect(await list(known.client)).toEqual({ resources: [{ uri: "x://a", name: "a" }] });
    const none = await serving(() => {
      throw { code: -32601, message: "Method not found" };
    });
    expect(await list(none.client)).toEqual({ resources: [] });
    const broken = await serving(() => {
      throw { code: -32603, message: "disk on fire" };
    });
    await expect(list(broken.client)).rejects.toMatchObject({ code: -32603 });
  });

  it("an aborted agent cancels the read on the server", async () => {
    const { client, of } = await serving(() => undefined);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("stop")), 10);
    const run = withTools(
      client,
      (tools) => tools.mcp_read_resource.handler({ uri: "x://a" }),
      {},
      { signal: controller.signal },
    );
    await expect(run).rejects.toThrow(/stop/);
    expect(of("notifications/cancelled").map(({ params }) => params.requestId)).toEqual(
      of("resources/read").map(({ id }) => id),
    );
  });

  it("are named after the namespace, and only built when asked for", async () => {
    const { client } = await serving(() => undefined);
    expect(await withTools(client, async (tools) => Object.keys(tools), { namespace: "fs" })).toEqual([
      "fs_list_resources",
      "fs_read_resource",
    ]);
    expect(await withTools(client, async (tools) => Object.keys(tools), { enableResources: false })).toEqual([]);
  });
});

it("the form of a facade's readResource is that of its callTool", async () => {
  const readResource = vi.fn(async (/** @type {any} */ _request) => ({ contents: [] }));
  const client = { listTools: async () => [], callTool: async (/** @type {any} */ _request) => ({}), readResource };
  await withTools(client, (tools) => tools.mcp_read_resource.handler({ uri: "x://a" }));
  expect(readResource.mock.calls).toEqual([[{ uri: "x://a" }]]);
});
