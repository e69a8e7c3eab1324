/** Rules that hold for every answer, however hostile. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  listResourcesResult,
  modelResult,
  normalizeMcpCallResult,
  promptResult,
  readResourceResult,
} from "../../js/result/index.js";
import { stringsIn, textsIn, toolContent } from "./helpers.js";

const model = (raw) => modelResult(raw, { toolName: "t", toolContent });

/** Strings as JavaScript has them: lone surrogates, U+0000, long ones, base64. */
const string = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 }).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom("", "\0", '\0{"i":0,"n":1,"h":"a","t":"a"}', "\ud800", "__proto__", "text", "image/png", "resource"),
  fc
    .tuple(fc.string({ unit: "binary", minLength: 1, maxLength: 3 }), fc.integer({ min: 400, max: 3_000 }))
    .map(([one, n]) => one.repeat(n)),
  fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes).toString("base64")),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(string, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(string, tie("value")), { maxLength: 4 }).map((entries) => {
      const made = {};
      for (const [key, value] of entries) {
        Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
      }
      return made;
    }),
  ),
})).value;

const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined });
const contents = fc.record(
  {
    uri: fc.oneof(string, json),
    mimeType: fc.oneof(fc.constantFrom("image/png", "text/plain", "a/b"), json),
    text: fc.oneof(string, json),
    blob: fc.oneof(string, json),
  },
  { requiredKeys: [] },
);
const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: string }),
  fc.record({
    type: fc.constantFrom("image", "audio", "video"),
    data: string,
    mimeType: maybe(fc.constantFrom("image/png", "audio/wav", "video/mp4", "]\n[")),
  }),
  fc.record({ type: fc.constant("resource"), resource: fc.oneof(contents, json) }),
  fc.record({ type: fc.constant("resource_link"), uri: string, name: maybe(string), size: maybe(json) }),
  json,
);
const result = fc.record(
  {
    content: fc.oneof(fc.array(block, { maxLength: 5 }), json),
    structuredContent: json,
    isError: fc.oneof(fc.boolean(), json),
    toolResult: json,
  },
  { requiredKeys: [] },
);

/** An answer, or the error it ended in, which must be one that is documented. */
function outcome(work, names) {
  try {
    return { answer: work() };
  } catch (error) {
    expect(names).toContain(error.name);
    if (error.name === "McpProtocolError") expect(error.code).toBe("invalid_call_result");
    else expect(error.message).toMatch(/^MCP tool error: .|^The MCP (server's answer to|resource) /s);
    return { error };
  }
}

/** Content as core takes it: strict JSON of known parts. */
function expectContent(answer) {
  if (typeof answer === "string") return;
  for (const part of Array.isArray(answer) ? answer : answer.$rejellyContent) {
    const [inner] = { text: [part.text], image: [part.image?.url], video: [part.video?.url] }[part.type];
    expect(typeof inner).toBe("string");
    if (part.type === "image") expect(inner).toMatch(/^data:image\/[^,\s]*(;[^,\s]*)?;base64,/i);
  }
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
}

describe("for every answer", () => {
  it("the model reads strict content, or there is a documented error", () => {
    fc.assert(
      fc.property(fc.oneof(result, json), (raw) => {
        const { answer, error } = outcome(() => model(raw), ["Error", "McpProtocolError"]);
        if (error === undefined) expectContent(answer);
        else if (error.name === "Error") expect(error.cause.isError).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });

  it("the text of every text block is there, in order", () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), maybe(json), (content, structuredContent) => {
        const all = textsIn(model({ content, structuredContent })).join("\n");
        let from = 0;
        for (const { type, text } of content.filter((one) => one?.type === "text" && typeof one.text === "string")) {
          expect(type).toBe("text");
          const at = all.indexOf(text, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + text.length;
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("base64 of a block never stands in a text", () => {
    const data = fc
      .uint8Array({ minLength: 48, maxLength: 3_000 })
      .map((bytes) => Buffer.from(bytes).toString("base64"));
    const kind = fc.constantFrom(["image", "image/png"], ["image", "no type"], ["audio", "audio/wav"], ["audio", "]"]);
    fc.assert(
      fc.property(data, kind, fc.boolean(), json, (data, [type, mimeType], isError, more) => {
        const one = { type, data, mimeType };
        const blob = { type: "resource", resource: { uri: "x://a", mimeType, blob: data } };
        const raw = {
          content: [one, blob],
          structuredContent: { more, data, one: [one], url: `data:${mimeType};base64,${data}` },
        };
        for (const text of isError
          ? [outcome(() => model({ ...raw, isError }), ["Error"]).error.message]
          : textsIn(model(raw))) {
          expect(text.includes(data)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("the normalised result is an equal, frozen copy, or there is a protocol error", () => {
    fc.assert(
      fc.property(fc.oneof(result, json), (raw) => {
        const { answer } = outcome(() => normalizeMcpCallResult(raw), ["McpProtocolError"]);
        if (answer === undefined) return;
        expect(JSON.stringify(answer.content)).toBe(JSON.stringify(raw.content ?? []));
        expect(JSON.stringify(answer.structuredContent)).toBe(JSON.stringify(raw.structuredContent));
        // A member that is undefined counts as absent.
        expect(stringsIn(answer.content)).toEqual(stringsIn(JSON.parse(JSON.stringify(raw.content ?? []))));
        const open = [answer];
        for (let part = open.pop(); part !== undefined; part = open.pop()) {
          if (typeof part !== "object" || part === null) continue;
          expect(Object.isFrozen(part)).toBe(true);
          open.push(...Object.values(part).filter((inner) => inner !== undefined));
        }
      }),
      { numRuns: 1_500 },
    );
    expect(/** @type {any} */ ({}).polluted).toBeUndefined();
  });

  it("resources, listings and prompts end in content or in an error that says what cannot be read", () => {
    const message = fc.record({
      role: fc.constantFrom("user", "assistant", "system"),
      content: fc.oneof(block, string, fc.array(block, { maxLength: 3 })),
    });
    const read = fc.record({ contents: fc.array(fc.oneof(contents, json), { maxLength: 4 }) });
    const page = fc.record({
      resources: fc.array(fc.oneof(contents, json), { maxLength: 4 }),
      nextCursor: maybe(json),
    });
    const only = ["Error"];
    fc.assert(
      fc.property(
        fc.oneof(read, json),
        fc.oneof(page, json),
        fc.oneof(fc.record({ messages: fc.array(message, { maxLength: 4 }) }), json),
        (raw, listed, prompt) => {
          expectContent(outcome(() => readResourceResult(raw, { toolContent }), only).answer ?? "");
          JSON.parse(outcome(() => listResourcesResult(listed), only).answer ?? "0");
          expectContent(outcome(() => promptResult(prompt).asInstruction(), only).answer ?? "");
        },
      ),
      { numRuns: 800 },
    );
  });
});
