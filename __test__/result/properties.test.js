/** Rules that hold for every answer. */
import { toolContent } from "@rejelly/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { McpProtocolError } from "../../js/errors.js";
import {
  listResourcesResult,
  modelResult,
  normalizeMcpCallResult,
  plannedResult,
  promptResult,
  readResourceResult,
} from "../../js/result/index.js";
import { findFlaw } from "../core/src/strict-json.js";
import { jsonOf, reachable, utf16 } from "../support/values.js";
import { stringsIn, textsIn, thrown } from "./helpers.js";

const RUNS = { numRuns: 1_000 };

/** Any UTF-16: lone surrogates, U+0000, what looks like a reference, long and equal ones. */
const string = fc.oneof(
  utf16,
  fc.constantFrom(
    "\0F0:1:x",
    "\0P0:5000:abc",
    "\0",
    "image/png",
    "text/plain",
    "iVBORw0KGgo=",
    "true",
    "x".repeat(3_000),
  ),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.integer({ min: 300, max: 900 }))
    .map(([text, n]) => text.repeat(n)),
);
const key = fc.oneof(
  fc.constantFrom(
    "type",
    "text",
    "data",
    "mimeType",
    "resource",
    "uri",
    "blob",
    "name",
    "size",
    "url",
    "content",
    "__proto__",
  ),
  fc.constantFrom("constructor", "toString", "0", "toJSON"),
  string,
);
const json = jsonOf(string, key);

const block = fc.oneof(
  fc.record({ type: fc.constant("text"), text: string }),
  fc.record({ type: fc.constantFrom("image", "audio"), data: string, mimeType: string }),
  fc.record({
    type: fc.constant("resource"),
    resource: fc.record({ uri: string, text: string, blob: string, mimeType: string }, { requiredKeys: ["uri"] }),
  }),
  fc.record({ type: fc.constant("resource_link"), uri: string, name: string, size: fc.integer() }),
  json,
);
const result = fc.record(
  {
    content: fc.oneof(fc.array(block, { maxLength: 5 }), json),
    structuredContent: json,
    isError: fc.oneof(fc.boolean(), json),
    toolResult: json,
    _meta: json,
  },
  { requiredKeys: [] },
);

/** @template T @param {() => T} work @returns {{ value: T } | { error: any }} */
function outcome(work) {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

describe("every answer to a call", () => {
  it("is a string, strict content, a failure or invalid_call_result for the model", () => {
    fc.assert(
      fc.property(fc.oneof(result, json), (raw) => {
        const { value, error } = /** @type {any} */ (outcome(() => modelResult(raw, { toolName: "t", toolContent })));
        if (error !== undefined) {
          if (error instanceof McpProtocolError) return void expect(error.code).toBe("invalid_call_result");
          expect(error.message).toMatch(/^MCP tool error: ./s);
          expect(error.cause.isError).toBe(true);
          return void expect(findFlaw(error.cause, "cause")).toBeUndefined();
        }
        expect(findFlaw(value, "result")).toBeUndefined();
        if (typeof value === "string") return;
        for (const part of value.$rejellyContent) {
          if (part.type === "text") expect(typeof part.text).toBe("string");
          else expect(part).toEqual({ type: "image", image: { url: expect.stringMatching(/^data:image\//i) } });
        }
      }),
      RUNS,
    );
  });

  it("is an equal, frozen copy or invalid_call_result when it is normalised", () => {
    fc.assert(
      fc.property(result, (raw) => {
        const { value, error } = /** @type {any} */ (outcome(() => normalizeMcpCallResult(raw)));
        if (error !== undefined)
          return void expect(error).toMatchObject({ name: "McpProtocolError", code: "invalid_call_result" });
        expect(JSON.stringify(value.content)).toBe(JSON.stringify(raw.content ?? []));
        expect(JSON.stringify(value.structuredContent)).toBe(JSON.stringify(raw.structuredContent));
        expect(value.isError).toBe(raw.isError ?? false);
        // A member that is undefined counts as absent.
        expect(stringsIn(value.content)).toEqual(stringsIn(JSON.parse(JSON.stringify(raw.content ?? []))));
        for (const part of reachable(value)) expect(Object.isFrozen(part)).toBe(true);
        // What is exact is also readable: the lenient reading refuses nothing that the strict one takes.
        const lenient = /** @type {any} */ (outcome(() => modelResult(raw, { toolContent })));
        if (value.isError) expect(lenient.error.cause).toEqual(value);
        else expect(lenient.error).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("has every text of every text block in it, in order and unchanged", () => {
    fc.assert(
      fc.property(
        fc.array(string, { maxLength: 6 }),
        fc.option(json, { nil: undefined }),
        fc.boolean(),
        (texts, structuredContent, image) => {
          const content = texts.map((text) => /** @type {any} */ ({ type: "text", text }));
          if (image) content.push({ type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" });
          const answer = /** @type {any} */ (modelResult({ content, structuredContent }, { toolContent }));
          if (image)
            return void expect(answer.$rejellyContent.slice(0, texts.length)).toEqual(content.slice(0, texts.length));
          if (texts.every((text) => text === "")) return;
          expect(answer.startsWith(texts.join("\n"))).toBe(true);
        },
      ),
      RUNS,
    );
  });

  it("reads the same when it is nothing but texts, for which the native side is not asked", () => {
    const words = fc.oneof(fc.record({ type: fc.constant("text"), text: string }, { noNullPrototype: false }), block);
    const raw = fc.record(
      {
        content: fc.array(words, { maxLength: 4 }),
        structuredContent: fc.constant(null),
        isError: fc.constantFrom(false, null, undefined),
        toolResult: json,
      },
      { requiredKeys: ["content"] },
    );
    fc.assert(
      fc.property(raw, (raw) => {
        expect(outcome(() => modelResult(raw, { toolName: "t", toolContent }))).toEqual(
          outcome(() => plannedResult(raw, { toolName: "t", toolContent })),
        );
      }),
      RUNS,
    );
  });

  it("never has the base64 of a block in a text", () => {
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
        const texts = isError
          ? [thrown(() => modelResult({ ...raw, isError }, { toolContent })).message]
          : textsIn(modelResult(raw, { toolContent }));
        for (const text of texts) expect(text.includes(data)).toBe(false);
      }),
      RUNS,
    );
  });

  it("says nothing twice that a text block says as JSON", () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 2), (structuredContent, indent) => {
        fc.pre(typeof structuredContent === "object" && structuredContent !== null);
        const text = JSON.stringify(structuredContent, undefined, indent);
        expect(modelResult({ content: [{ type: "text", text }], structuredContent }, { toolContent })).toBe(text);
      }),
      RUNS,
    );
  });

  it("loses no structuredContent that stands alone", () => {
    const short = fc.jsonValue({ maxDepth: 4 }).filter((value) => value !== null);
    fc.assert(
      fc.property(short, (structuredContent) => {
        expect(modelResult({ content: [], structuredContent }, { toolContent })).toBe(
          JSON.stringify(structuredContent),
        );
      }),
      RUNS,
    );
  });
});

describe("every answer to other requests", () => {
  it("of resources/read is a string, strict content or an Error", () => {
    const answer = fc.oneof(
      json,
      fc.record({
        contents: fc.array(
          fc.oneof(
            fc.record({ uri: string, text: string, blob: string, mimeType: string }, { requiredKeys: [] }),
            json,
          ),
        ),
      }),
    );
    fc.assert(
      fc.property(answer, (raw) => {
        const { value, error } = /** @type {any} */ (outcome(() => readResourceResult(raw, { toolContent })));
        if (error !== undefined) return void expect(error.message).toMatch(/^The MCP (resource|server)/);
        expect(findFlaw(value, "result")).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("of resources/list is JSON text with a uri and a name for each, or an Error", () => {
    const page = fc.oneof(
      json,
      fc.array(json),
      fc.record({
        resources: fc.array(fc.oneof(json, fc.record({ uri: string, name: string, size: json }))),
        nextCursor: fc.option(string),
      }),
    );
    fc.assert(
      fc.property(page, fc.option(json, { nil: undefined }), (raw, templates) => {
        const { value, error } = /** @type {any} */ (outcome(() => listResourcesResult(raw, templates)));
        if (error !== undefined) return void expect(error.message).toMatch(/^The MCP server/);
        for (const { uri, name, ...others } of JSON.parse(value).resources) {
          expect([typeof uri, typeof name]).toEqual(["string", "string"]);
          for (const other of Object.keys(others))
            expect(["title", "description", "mimeType", "size"]).toContain(other);
        }
      }),
      RUNS,
    );
  });

  it("of prompts/get is an instruction, or an Error", () => {
    const message = fc.oneof(
      fc.record({ role: fc.constantFrom("user", "assistant"), content: fc.oneof(block, string, fc.array(block)) }),
      json,
    );
    fc.assert(
      fc.property(
        fc.oneof(json, fc.record({ messages: fc.array(message, { maxLength: 4 }), description: json })),
        (raw) => {
          const { value, error } = /** @type {any} */ (outcome(() => promptResult(raw)));
          if (error !== undefined)
            return void expect(error.message).toMatch(/^The MCP server's answer to prompts\/get/);
          expect(JSON.stringify(value.messages)).toBe(JSON.stringify(/** @type {any} */ (raw).messages));
          expect(findFlaw(value.asInstruction(), "instruction")).toBeUndefined();
        },
      ),
      RUNS,
    );
  });
});
