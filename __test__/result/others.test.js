/** Resources and prompts beyond the shared cases. */
import { toolContent } from "@rejelly/core";
import { describe, expect, it } from "vitest";
import {
  listResourcesResult,
  promptResult,
  readResourceResult,
  stringifyPromptArguments,
} from "../../js/result/index.js";

const PNG = "iVBORw0KGgo=";

describe("readResourceResult", () => {
  /** @param {...any} contents */
  const read = (...contents) => readResourceResult({ contents }, { toolContent });

  it("gives parts where an image is among the contents", () => {
    expect(
      read({ uri: "a", text: "t" }, { uri: "b", mimeType: "image/png", blob: PNG }, { uri: "c", blob: "AAAA" }),
    ).toEqual({
      $rejellyContent: [
        { type: "text", text: "t" },
        { type: "image", image: { url: `data:image/png;base64,${PNG}` } },
        { type: "text", text: "[Blob: application/octet-stream, 3 bytes]" },
      ],
    });
  });

  it("carries large texts and never shows a large blob", () => {
    const text = "x".repeat(5_000_000);
    expect(read({ uri: "a", text })).toBe(text);
    expect(read({ uri: "a", mimeType: "application/zip", blob: "A".repeat(4_000_000) })).toBe(
      "[Blob: application/zip, 3000000 bytes]",
    );
    expect(read({ uri: "a", mimeType: "text/plain", blob: Buffer.from("é".repeat(2_000)).toString("base64") })).toBe(
      "é".repeat(2_000),
    );
  });

  it("reads null as absent", () => {
    expect(read({ uri: "a", text: null, blob: "aGk=", mimeType: "text/plain" })).toBe("hi");
    expect(read({ uri: "a", text: "hi", blob: null, mimeType: null })).toBe("hi");
  });

  it("refuses what is no answer", () => {
    for (const raw of [undefined, null, "x", 5, {}, { contents: "x" }]) {
      expect(() => readResourceResult(raw, { toolContent })).toThrow(
        /^The MCP server's answer to resources\/read cannot be used/,
      );
    }
  });
});

describe("listResourcesResult", () => {
  it("has templates where they were asked for", () => {
    const page = { resources: [{ uri: "x://a", name: "a", icons: [] }], nextCursor: "2" };
    const listed = JSON.parse(
      listResourcesResult(page, { resourceTemplates: [{ uriTemplate: "x://{id}", name: "t", description: "d" }] }),
    );
    expect(listed).toEqual({
      resources: [{ uri: "x://a", name: "a" }],
      resourceTemplates: [{ uriTemplate: "x://{id}", name: "t", description: "d" }],
      nextCursor: "2",
    });
    expect(JSON.parse(listResourcesResult([]))).toEqual({ resources: [] });
  });

  it("keeps long strings whole", () => {
    const description = `"${"d\n".repeat(3_000)}\ud800`;
    const [resource] = JSON.parse(listResourcesResult([{ uri: "x://a", name: "a", description }])).resources;
    expect(resource.description).toBe(description);
  });
});

describe("promptResult", () => {
  const image = { type: "image", data: PNG, mimeType: "image/png" };

  it("gives a frozen copy, and an instruction of its own each time", () => {
    const raw = { description: "d", messages: [{ role: "user", content: image }] };
    const prompt = promptResult(raw);
    expect(prompt).toMatchObject({ description: "d", messages: raw.messages });
    expect(Object.isFrozen(/** @type {any} */ (prompt.messages[0]).content)).toBe(true);
    raw.messages.pop();
    const { asInstruction } = prompt;
    const first = /** @type {any[]} */ (asInstruction());
    expect(first).toEqual([{ type: "image", image: { url: `data:image/png;base64,${PNG}` } }]);
    first.pop();
    expect(asInstruction()).toHaveLength(1);
  });

  it("joins messages of text by a blank line", () => {
    const messages = ["a", { type: "text", text: "b" }, [{ type: "text", text: "c" }]].map((content) => ({
      role: "user",
      content,
    }));
    expect(promptResult({ messages, description: null }).asInstruction()).toBe("a\n\nb\n\nc");
    expect(promptResult({ messages: [] }).asInstruction()).toBe("");
  });

  it("takes a video by its URL, but none that a server could not give", () => {
    const of = (/** @type {any} */ content) => promptResult({ messages: [{ role: "user", content }] }).asInstruction();
    expect(of({ type: "video", url: "https://x.test/v.mp4" })).toEqual([
      { type: "video", video: { url: "https://x.test/v.mp4" } },
    ]);
    expect(of({ type: "video", video: { url: "https://x.test/v.mp4" } })).toEqual([
      { type: "video", video: { url: "https://x.test/v.mp4" } },
    ]);
    expect(of({ type: "video", url: "file:///etc/passwd" })).toEqual([
      { type: "text", text: "[Video: file:///etc/passwd]" },
    ]);
  });

  it("refuses what is no prompt, and says where", () => {
    expect(() => promptResult({})).toThrow("messages: expected an array, got undefined");
    expect(() => promptResult({ messages: [{ role: "user", content: null }] })).toThrow(
      "messages[0].content: expected a content block, a string or an array, got null",
    );
  });
});

describe("stringifyPromptArguments", () => {
  it("makes strings and leaves out what is absent", () => {
    const args = { s: "x", n: 1.5, b: false, o: { a: [1] }, big: 5n, at: new Date(0), u: undefined, z: null, e: "" };
    expect(stringifyPromptArguments(args)).toEqual({
      s: "x",
      n: "1.5",
      b: "false",
      o: '{"a":[1]}',
      big: "5",
      at: "1970-01-01T00:00:00.000Z",
      e: "",
    });
    expect(Object.keys(stringifyPromptArguments(JSON.parse('{"__proto__":1}')))).toEqual(["__proto__"]);
  });

  it("refuses what no string can say", () => {
    expect(() => stringifyPromptArguments({ f: () => 1 })).toThrow(/argument "f" cannot be sent as a string/);
    expect(() => stringifyPromptArguments({ d: new Date(Number.NaN) })).toThrow(/argument "d"/);
    expect(() => stringifyPromptArguments(/** @type {any} */ ([1]))).toThrow(
      "expected the arguments as an object, got an array",
    );
  });
});
