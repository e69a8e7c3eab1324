/** Results of calls: as code gets them (R26), and as the model reads them (R23, R24). */
import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { McpProtocolError } from "../../js/errors.js";
import { modelResult, normalizeMcpCallResult } from "../../js/result/index.js";
import { image, PNG, parts, text, textsIn, thrown, toolContent } from "./helpers.js";

const model = (raw) => modelResult(raw, { toolName: "t", toolContent });
const block = (value) => ({ type: "text", text: value });

describe("normalizeMcpCallResult", () => {
  it("gives a frozen copy with content, isError and structuredContent only", () => {
    const raw = { content: [{ type: "x", a: { b: [1] } }], structuredContent: { c: 1 }, _meta: { d: 1 } };
    const result = normalizeMcpCallResult(raw);
    expect(result).toEqual({ content: raw.content, isError: false, structuredContent: { c: 1 } });
    raw.content[0].a.b.push(2);
    expect(result.content[0].a.b).toEqual([1]);
    for (const part of [result, result.content, result.content[0], result.content[0].a.b, result.structuredContent]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
    expect("structuredContent" in normalizeMcpCallResult({ content: [], structuredContent: undefined })).toBe(false);
  });

  it.each([null, 0, false, "", [1]])("keeps %j as structuredContent, also without content", (value) => {
    expect(normalizeMcpCallResult({ structuredContent: value })).toEqual({
      content: [],
      isError: false,
      structuredContent: value,
    });
  });

  it.each([
    [undefined, "undefined"],
    [null, "null"],
    ["text", "a string"],
    [[], "an array"],
    [{}, "content: expected an array"],
    [{ content: {} }, "content: expected an array"],
    [{ content: [], isError: 1 }, "isError: expected a boolean, got a number"],
    [{ content: [block("a"), { type: "image", data: "" }] }, "content[1].mimeType"],
    [{ content: [{ type: "resource", resource: { uri: 1 } }] }, "content[0].resource.uri"],
    [{ content: [{ type: "a", f: () => 1 }] }, "content[0].f: expected JSON, got a function"],
    [{ content: [], structuredContent: { n: Number.NaN } }, "structuredContent.n: expected JSON, got NaN"],
    [{ content: [], structuredContent: 1n }, "structuredContent: expected JSON, got a bigint"],
    [{ content: [], structuredContent: new Map() }, "an instance of Map"],
  ])("refuses what is wrong (case %#)", (raw, part) => {
    const error = thrown(() => normalizeMcpCallResult(raw));
    expect(error).toBeInstanceOf(McpProtocolError);
    expect(error.code).toBe("invalid_call_result");
    expect(error.message).toContain(part);
  });

  it("ends in an error on a cycle, on depth, and on a getter that throws, which is the cause", () => {
    const cycle = { content: [] };
    cycle.content.push({ type: "a", cycle });
    let deep = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    const cause = new Error("no");
    const getter = Object.defineProperty({}, "content", {
      get() {
        throw cause;
      },
    });
    for (const raw of [cycle, { structuredContent: deep }]) {
      expect(thrown(() => normalizeMcpCallResult(raw)).message).toContain("a cycle, or more than 1024 levels");
      expect(thrown(() => model(raw)).code).toBe("invalid_call_result");
    }
    expect(thrown(() => normalizeMcpCallResult(getter))).toMatchObject({ code: "invalid_call_result", cause });
  });

  it("reads up to the depth that it may, in both ways", () => {
    let deep = 1;
    for (let level = 0; level < 1_000; level += 1) deep = { a: deep };
    expect(normalizeMcpCallResult({ structuredContent: deep }).structuredContent).toEqual(deep);
    expect(model({ content: [], structuredContent: deep })).toBe(JSON.stringify(deep));
  });

  it("takes strings of any kind, as types too", () => {
    const content = ["\ud800", "\0", "x".repeat(5_000)].map((type) => ({ type, [type]: type }));
    expect(normalizeMcpCallResult({ content }).content).toEqual(content);
  });

  it("keeps __proto__ as a key of its own, and takes objects of another realm", () => {
    const raw = JSON.parse('{"content":[],"structuredContent":{"__proto__":{"polluted":1},"constructor":2}}');
    const { structuredContent } = normalizeMcpCallResult(raw);
    expect(Object.keys(structuredContent)).toEqual(["__proto__", "constructor"]);
    expect(structuredContent.polluted).toBeUndefined();
    expect(normalizeMcpCallResult(vm.runInNewContext('({ content: [{ type: "text", text: "a" }] })')).content).toEqual([
      block("a"),
    ]);
  });
});

describe("what the model reads", () => {
  it.each([
    ["texts by line", { content: [block("a"), block(""), block("b")] }, "a\n\nb"],
    ["nothing", { content: [] }, ""],
    ["data only", { structuredContent: { a: 1 } }, '{"a":1}'],
    ["null as absent", { content: null, structuredContent: { a: 1 }, isError: null }, '{"a":1}'],
    ["data beside empty text", { content: [block("")], structuredContent: { a: 7 } }, '{"a":7}'],
    ["strings as blocks", { content: ["a", { text: "b" }] }, "a\nb"],
  ])("%s", (_, raw, expected) => expect(model(raw)).toEqual(expected));

  it.each([[null], ["text"], [[block("a")]], [{}], [{ content: "a" }], [{ content: null }], [{ foo: 1 }]])(
    "refuses %j",
    (raw) => expect(thrown(() => model(raw))).toMatchObject({ code: "invalid_call_result", toolName: "t" }),
  );

  it("sees a failure however the server writes it", () => {
    for (const isError of [true, "true", 1, {}]) {
      expect(thrown(() => model({ content: [block("no")], isError })).message).toBe("MCP tool error: no");
    }
    const legacy = thrown(() => model({ toolResult: { content: [block("no")] }, isError: true }));
    expect([legacy.message, legacy.cause.content]).toEqual(["MCP tool error: no", [block("no")]]);
    expect(Object.isFrozen(legacy.cause.content[0])).toBe(true);
  });

  it("makes labels of what it cannot show, with names that cannot end them", () => {
    const link = { type: "resource_link", uri: "x://a]\n[b", name: "[n]", mimeType: "text/plain", size: 3 };
    const blob = { type: "resource", resource: { uri: "x://z", mimeType: "application/zip", blob: "UEsDBA==" } };
    expect(model({ content: [link, blob, { type: "audio", mimeType: "a/b\nc" }] })).toEqual(
      parts(
        // A uri stays one that can be read: its brackets are percent-encoded.
        text("[Resource link: (n) <x://a%5D\\u000a%5Bb>, text/plain, 3 bytes]"),
        text("[Blob: x://z, application/zip, 4 bytes]"),
        // A type that is none is shown as the server says it, escaped: it is all that is known.
        text("[Audio: a/b\\u000ac, no data]"),
      ),
    );
  });

  it("repairs base64 in the url alphabet and in lines, short and long", () => {
    for (const length of [300, 30_000]) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 7919) % 256));
      const good = bytes.toString("base64");
      const url = `data:image/png;base64,${good}`;
      const lines = good.replace(/.{76}/g, "$&\r\n");
      for (const data of [good, bytes.toString("base64url"), lines, url]) {
        expect(model({ content: [{ type: "image", data, mimeType: "image/png" }] })).toEqual(parts(image(url)));
        const label = model({ content: [{ type: "audio", data, mimeType: "audio/ogg" }] });
        expect(textsIn(label)).toEqual([`[Audio: audio/ogg, ${length} bytes]`]);
      }
    }
  });

  it("decodes text blobs of any size, and labels those that are no UTF-8", () => {
    const of = (bytes) => ({
      content: [{ type: "resource", resource: { uri: "x://t", mimeType: "text/csv", blob: bytes.toString("base64") } }],
    });
    const long = "é,\u{1f600}\n".repeat(5_000);
    expect(model(of(Buffer.from(long)))).toEqual(parts(text(long)));
    expect(model(of(Buffer.from([0xff, 0xfe, 0xff])))).toEqual(parts(text("[Blob: x://t, text/csv, 3 bytes]")));
  });

  it("bounds an unknown block", () => {
    const page = "word ".repeat(100_000);
    const pages = Array.from({ length: 5_000 }, (_, number) => `page ${number}`);
    const content = [{ type: "widget", page, rest: [1, 2] }, { type: "widget", pages }, block("kept")];
    const shown = model({ content }).$rejellyContent;
    for (const { text } of shown) expect(text.length).toBeLessThan(17_000);
    // One long string gives way to what stands beside it, so that the whole is JSON still.
    expect(JSON.parse(shown[0].text)).toMatchObject({
      page: expect.stringMatching(/^word .*\(500000 characters\)$/),
      rest: [1, 2],
    });
    expect(shown[1].text.startsWith('{"type":"widget","pages":["page 0"')).toBe(true);
    expect(shown[1].text).toContain("[cut]");
    expect(shown[2]).toEqual(text("kept"));
  });

  it("shows all of an unknown block that a model can read", () => {
    const block = { type: "json", text: "a sentence of five words. ".repeat(200) };
    expect(model({ content: [block] })).toEqual(parts(text(JSON.stringify(block))));
  });
});

describe("structuredContent", () => {
  const long = `${'a "quoted" line\n'.repeat(1_000)}end`;
  it.each([
    ["the text of the block", { content: long }],
    ["the blocks themselves", { content: [block(long)] }],
    ["a list of one", { result: [long] }],
  ])("is left out when it is %s, however long", (_, structuredContent) => {
    expect(model({ content: [block(long)], structuredContent })).toBe(long);
  });

  it("is left out when a long block is its JSON, and follows when it says more than a long block", () => {
    const structuredContent = { rows: Array.from({ length: 500 }, (_, id) => ({ id, name: `name ${id}` })) };
    const json = JSON.stringify(structuredContent, null, 2);
    expect(model({ content: [block(json)], structuredContent })).toBe(json);
    expect(model({ content: [block(long)], structuredContent })).toBe(`${long}\n${JSON.stringify(structuredContent)}`);
  });

  it("keeps lone surrogates, U+0000 and awkward keys when it follows as JSON", () => {
    const structuredContent = JSON.parse('{"\\ud800":"\\udc00x","\\u0000k":"\\u0000v","__proto__":{"1":[1e21,-0.5]}}');
    const answer = model({ content: [block("\ud800 text")], structuredContent });
    const [first, second] = answer.split("\n");
    expect(first).toBe("\ud800 text");
    expect(JSON.parse(second)).toEqual(structuredContent);
    expect(Object.keys(JSON.parse(second))).toEqual(Object.keys(structuredContent));
  });

  it("takes long text apart nowhere, also where a reference cuts a surrogate pair", () => {
    for (let before = 120; before < 130; before += 1) {
      const long = "a".repeat(before) + "\u{1f600}".repeat(1_000) + "b".repeat(before % 3);
      expect(model({ content: [block(long)] })).toBe(long);
      expect(model({ content: [block(long)], structuredContent: { text: long } })).toBe(long);
    }
  });

  it("never writes base64 as text: not that of a block, nor in a data URL, nor in a block of its own", () => {
    const structuredContent = {
      note: "more",
      shot: { type: "image", data: PNG, mimeType: "image/png" },
      same: PNG,
      url: `data:image/png;base64,${PNG}`,
      file: { uri: "x://f", blob: PNG },
      dump: Buffer.from(Array.from({ length: 1_200 }, (_, index) => (index * 7919) % 256)).toString("base64"),
      // Neither of these is base64 of anything, though its letters could be.
      genome: "ACGT".repeat(400),
      names: "name\nother\n".repeat(100),
    };
    const answer = model({ content: [{ type: "image", data: PNG, mimeType: "image/png" }], structuredContent });
    expect(JSON.parse(answer.$rejellyContent[1].text)).toEqual({
      note: "more",
      shot: { type: "image", data: "[Base64: 70 bytes]", mimeType: "image/png" },
      same: "[Base64: 70 bytes]",
      url: "[Base64: image/png, 70 bytes]",
      file: { uri: "x://f", blob: "[Base64: 70 bytes]" },
      dump: "[Base64: 1200 bytes]",
      genome: structuredContent.genome,
      names: structuredContent.names,
    });
  });
});
