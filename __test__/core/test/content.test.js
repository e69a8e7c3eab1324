import { describe, expect, it } from "vitest";
import { callTool, isToolContent, toolContent } from "../index.js";
import { tool } from "./helpers.js";

describe("toolContent", () => {
  /** @type {import("../index.js").ContentPart[]} */
  const parts = [
    { type: "text", text: "t" },
    { type: "image", image: { url: "data:", detail: "low" } },
    { type: "video", video: { url: "u" } },
  ];

  it("marks parts", async () => {
    expect(toolContent(parts)).toEqual({ $rejellyContent: parts });
    expect(toolContent(parts).$rejellyContent).toBe(parts);
    expect(isToolContent(toolContent([]))).toBe(true);
    expect(
      await callTool(
        tool("t", () => toolContent(parts)),
        {},
      ),
    ).toEqual(toolContent(parts));
  });

  it("is told from other values", () => {
    const others = [null, "x", [], {}, { $rejellyContent: 1 }, { $rejellyContent: [], more: 1 }];
    for (const other of others) expect(isToolContent(other)).toBe(false);
    expect(isToolContent(Object.create(toolContent([])))).toBe(false);
  });

  it.each([
    [{ type: "text" }, "[0].text: not a string"],
    [{ type: "text", text: undefined }, "[0].text: undefined"],
    [{ type: "image", image: {} }, "[0].image.url: not a string"],
    [{ type: "image", image: { url: "u", detail: "huge" } }, "[0].image.detail: none of auto, low, high"],
    [{ type: "video" }, "[0].video.url: not a string"],
    [{ type: "audio" }, "[0]: no content part"],
    [null, "[0]: no content part"],
  ])("is checked in a result: %j", async (part, message) => {
    const t = tool("t", () => toolContent(/** @type {any} */ ([part])));
    await expect(callTool(t, {})).rejects.toThrow(`result.$rejellyContent${message}`);
  });
});
