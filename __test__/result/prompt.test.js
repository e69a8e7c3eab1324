/** Prompts as code gets them, and as an instruction (R28). */
import { describe, expect, it } from "vitest";
import { promptResult, stringifyPromptArguments } from "../../js/result/index.js";
import { image, PNG, text, thrown } from "./helpers.js";

const user = (content) => ({ role: "user", content });
const instruction = (...contents) => promptResult({ messages: contents.map(user) }).asInstruction();
const video = (url) => ({ type: "video", video: { url } });

describe("a prompt", () => {
  it("keeps its messages as sent, frozen, with its description", () => {
    const raw = { description: "d", messages: [user({ type: "text", text: "a", _meta: { "x/y": 1 } })], _meta: {} };
    const prompt = promptResult(raw);
    expect(prompt).toMatchObject({ description: "d", messages: raw.messages });
    raw.messages[0].content.text = "b";
    expect(prompt.asInstruction()).toBe("a");
    expect(Object.isFrozen(prompt.messages[0].content)).toBe(true);
    expect("description" in promptResult({ messages: [], description: null })).toBe(false);
    expect(promptResult({ messages: [] }).asInstruction()).toBe("");
  });

  it("is one string where all is text, its messages apart by a blank line", () => {
    const long = "word ".repeat(1_000);
    expect(instruction({ type: "text", text: long }, "plain", [text("a"), text("b")])).toBe(`${long}\n\nplain\n\na\nb`);
  });

  it("is parts otherwise, in order", () => {
    expect(
      instruction(
        "look",
        [{ type: "image", data: PNG, mimeType: "image/png" }, text("here")],
        { type: "resource", resource: { uri: "x://i", mimeType: "image/png", blob: PNG } },
        { type: "resource", resource: { uri: "x://z", mimeType: "application/zip", blob: "UEsDBA==" } },
        { type: "widget", id: 1 },
      ),
    ).toEqual([
      text("look"),
      image(`data:image/png;base64,${PNG}`),
      text("here"),
      image(`data:image/png;base64,${PNG}`),
      text("[Blob: x://z, application/zip, 4 bytes]"),
      text('{"type":"widget","id":1}'),
    ]);
  });

  it("shows videos by url", () => {
    expect(
      instruction(
        { type: "video", url: "https://a.example/1.mp4" },
        { type: "video", video: { url: "https://a.example/2.mp4" } },
        { type: "video", data: "AAAA", mimeType: "video/mp4" },
        { type: "resource_link", name: "v", uri: "https://a.example/3.mp4", mimeType: "video/mp4" },
        { type: "resource_link", name: "v", uri: "file:///4.mp4", mimeType: "video/mp4" },
        { type: "video", url: "file:///etc/passwd" },
      ),
    ).toEqual([
      video("https://a.example/1.mp4"),
      video("https://a.example/2.mp4"),
      video("data:video/mp4;base64,AAAA"),
      video("https://a.example/3.mp4"),
      text("[Resource link: v <file:///4.mp4>, video/mp4]"),
      text("[Video: file:///etc/passwd]"),
    ]);
  });

  it.each([
    [null, "expected an object with messages"],
    [{}, "messages: expected an array"],
    [{ messages: [1] }, "messages[0]: expected an object"],
    [{ messages: [user(7)] }, "messages[0].content: expected a content block, a string or an array, got a number"],
  ])("is refused as %j", (raw, part) => {
    const error = thrown(() => promptResult(raw));
    // No code of McpProtocolError is about prompts.
    expect(error.name).toBe("Error");
    expect(error.message).toContain(part);
  });

  it("is readable without roles: who speaks is not needed to say what is said", () => {
    expect(promptResult({ messages: [{ content: "a" }, user("b")] }).asInstruction()).toBe("a\n\nb");
  });
});

describe("the arguments of a prompt", () => {
  it("are strings", () => {
    const when = new Date(0);
    expect(
      stringifyPromptArguments({ s: "a", n: 0.5, b: false, i: 12n, o: { a: [1] }, l: [], when, u: undefined, z: null }),
    ).toEqual({ s: "a", n: "0.5", b: "false", i: "12", o: '{"a":[1]}', l: "[]", when: when.toISOString() });
  });

  it("keep __proto__ as a name, and refuse what has no text", () => {
    const strings = stringifyPromptArguments(JSON.parse('{"__proto__":1}'));
    expect(Object.entries(strings)).toEqual([["__proto__", "1"]]);
    expect(() => stringifyPromptArguments({ f() {} })).toThrow(
      'the argument "f" cannot be sent as a string: expected JSON, got a function',
    );
    expect(() => stringifyPromptArguments(/** @type {any} */ ([]))).toThrow("got an array");
  });
});
