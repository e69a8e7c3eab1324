/** Results that the SDK's own schema refuses, through a real 1.x client (R23, R24, R26): what of them is a result is this package's to say. */
import { describe, expect, it, vi } from "vitest";
import { callMcpTool, equipMCP } from "../../index.js";
import { modelReads } from "../integration/reads.js";
import { inAgent } from "../support/agent.js";
import { serverOf, textResult, wired } from "./wire.js";

const tool = { name: "t", inputSchema: { type: "object" } };
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** @param {unknown} result */
const client1 = async (result) =>
  (
    await wired(
      "sdk1",
      serverOf([tool], () => result),
    )
  ).client;

describe("a real 1.x client", () => {
  it.each([
    [
      "a block of an unknown type",
      {
        content: [
          { type: "widget", id: 3 },
          { type: "text", text: "x" },
        ],
      },
      [
        { type: "text", text: '{"type":"widget","id":3}' },
        { type: "text", text: "x" },
      ],
    ],
    ["structured content that is no object", { content: [], structuredContent: [1, 2] }, "[1,2]"],
    ["a null of it beside a text", { ...textResult("x"), structuredContent: null }, "x"],
    [
      "a picture without its type",
      { content: [{ type: "image", data: PNG }] },
      [{ type: "image", image: { url: `data:image/png;base64,${PNG}` } }],
    ],
    [
      "a picture in a data URL",
      { content: [{ type: "image", data: `data:image/png;base64,${PNG}`, mimeType: "image/png" }] },
      [{ type: "image", image: { url: `data:image/png;base64,${PNG}` } }],
    ],
    [
      "a resource that is a uri alone",
      { content: [{ type: "resource", uri: "file:///r.pdf" }] },
      [{ type: "text", text: "[Resource: file:///r.pdf]" }],
    ],
    ["the shape of 2024-10-07", { toolResult: { ok: true } }, '{"ok":true}'],
    ["annotations out of their bounds", { content: [{ type: "text", text: "x", annotations: { priority: 3 } }] }, "x"],
    ["nothing at all", {}, ""],
  ])("hands on %s", async (_, result, expected) => {
    const { answers } = await modelReads(await client1(result), { enableResources: false }, [["t", {}]]);
    expect(answers).toEqual([expected]);
  });

  it("an object of unknown fields is no empty answer but an error that says so", async () => {
    const { answers } = await modelReads(await client1({ success: true }), { enableResources: false }, [["t", {}]]);
    expect(answers[0]).toMatch(/^Tool "t" execution failed: McpProtocolError: /);
  });

  it("callMcpTool carries structured content of any JSON type", async () => {
    for (const structuredContent of [0, false, "", null, [1]]) {
      const result = await callMcpTool(await client1({ content: [], structuredContent }), "t");
      expect(result.structuredContent).toEqual(structuredContent);
    }
    expect(await callMcpTool(await client1({ isError: true }), "t")).toEqual({ content: [], isError: true });
  });

  it("a callTool that the application has put in its place gets no schema of this package", async () => {
    const client = await client1(textResult("x"));
    const callTool = vi.spyOn(client, "callTool").mockResolvedValue(textResult("own"));
    const call = async () => /** @type {any} */ (await equipMCP(client, { clientId: "own" })).toolMap.t.handler({});
    expect(await inAgent(call)).toBe("own");
    expect(callTool.mock.calls[0]?.slice(0, 2)).toEqual([{ name: "t", arguments: {} }, undefined]);
  });
});
