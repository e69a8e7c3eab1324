/** `callMcpTool`: one call, outside of an agent, and its normalised result. */
import { describe, expect, it, vi } from "vitest";
import { callMcpTool } from "../../index.js";
import { generations } from "../support/clients.js";
import { serverOf, textResult, wired } from "./wire.js";

const tool = { name: "t", inputSchema: { type: "object" } };

describe.each(generations)("callMcpTool with the client of %s", (generation) => {
  it("sends name and arguments as they are, once, and lists nothing", async () => {
    const { client, of } = await wired(
      generation,
      serverOf([tool], ({ arguments: args }) => textResult(JSON.stringify(args))),
    );
    const args = { a: [1, null], ["__proto__"]: { b: true }, "": "ü" };
    const { content } = await callMcpTool(client, "a.b/c", args);
    expect(JSON.parse(/** @type {any} */ (content[0]).text)).toEqual(args);
    expect(of("tools/call").map(({ params }) => params.name)).toEqual(["a.b/c"]);
    expect(await callMcpTool(client, "t")).toEqual({ ...textResult("{}"), isError: false });
    expect(of("tools/list")).toEqual([]);
  });

  it("gives a failure of the tool as a result, deeply frozen", async () => {
    const raw = { ...textResult("no"), isError: true, structuredContent: { why: ["x"] }, _meta: { trace: 1 } };
    const { client } = await wired(
      generation,
      serverOf([tool], () => raw),
    );
    const result = await callMcpTool(client, "t");
    expect(result).toEqual({ content: raw.content, isError: true, structuredContent: raw.structuredContent });
    for (const part of [result, result.content, result.content[0], result.structuredContent]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it("an aborted signal cancels the call on the server; one aborted before sends nothing", async () => {
    const { client, of } = await wired(
      generation,
      serverOf([tool], () => undefined),
    );
    const controller = new AbortController();
    const run = callMcpTool(client, "t", {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("stop")), 10);
    await expect(run).rejects.toThrow(/stop/);
    expect(of("notifications/cancelled")).toHaveLength(1);
    const reason = new Error("gone");
    await expect(callMcpTool(client, "t", {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(of("tools/call")).toHaveLength(1);
  });

  it("passes progress on", async () => {
    const { client } = await wired(
      generation,
      serverOf([tool], async (_params, request, server) => {
        const { progressToken } = request.params._meta;
        server.send({ method: "notifications/progress", params: { progressToken, progress: 0.5 } });
        await new Promise((resolve) => setTimeout(resolve, 5));
        return textResult("done");
      }),
    );
    const onProgress = vi.fn();
    await callMcpTool(client, "t", {}, { onProgress });
    expect(onProgress.mock.calls).toEqual([[expect.objectContaining({ progress: 0.5 })]]);
  });
});

describe("callMcpTool", () => {
  const facade = (/** @type {unknown} */ answer) => ({
    callTool: vi.fn(async (/** @type {any} */ _name, /** @type {any} */ _args) => answer),
  });

  it("says where a result is malformed", async () => {
    const bad = {
      content: [
        { type: "text", text: "a" },
        { type: "image", data: 1 },
      ],
    };
    await expect(callMcpTool(facade(bad), "t")).rejects.toMatchObject({
      name: "McpProtocolError",
      code: "invalid_call_result",
      message: expect.stringContaining("content[1]"),
    });
    for (const answer of [undefined, null, 7, "text", {}]) {
      await expect(callMcpTool(facade(answer), "t")).rejects.toMatchObject({ code: "invalid_call_result" });
    }
  });

  it("takes structured content alone as a result, of any JSON type", async () => {
    for (const structuredContent of [{ n: 0, f: false, s: "" }, [], 0, false, "", null]) {
      const result = await callMcpTool(facade({ structuredContent }), "t");
      expect(result.structuredContent).toEqual(structuredContent);
    }
  });

  it("names a bad argument before anything is sent", async () => {
    const client = facade(textResult("ok"));
    const call = /** @type {any} */ (callMcpTool);
    await expect(call(undefined, "t")).rejects.toThrow("callMcpTool expects a connected MCP client");
    await expect(call(client, "")).rejects.toThrow('callMcpTool: expected the name of a tool, got ""');
    await expect(call(client, 7)).rejects.toThrow(TypeError);
    await expect(call(client, "t", {}, { timeout: -1 })).rejects.toThrow(/timeout/);
    await expect(call(client, "t", {}, { callStyle: "odd" })).rejects.toThrow(/callStyle/);
    expect(client.callTool).not.toHaveBeenCalled();
    await expect(call({ listTools() {} }, "t")).rejects.toThrow("expected the MCP client to have a method callTool");
  });

  it("a timeout holds for a client that takes no options", async () => {
    const client = { callTool: (/** @type {any} */ _name, /** @type {any} */ _args) => new Promise(() => {}) };
    await expect(callMcpTool(client, "t", {}, { timeout: 20 })).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
