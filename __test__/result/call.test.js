/** Answers to calls: the exact reading of `normalizeMcpCallResult`, the lenient one of a handler, and that strings are carried. */
import { toolContent } from "@rejelly/core";
import { describe, expect, it } from "vitest";
import { McpProtocolError } from "../../js/errors.js";
import { modelResult, normalizeMcpCallResult } from "../../js/result/index.js";

/** @param {unknown} raw @returns {any} */
const read = (raw) => modelResult(raw, { toolName: "t", toolContent });
/** @param {() => unknown} work @returns {any} */
const caught = (work) => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("expected a failure");
};
/** @param {...string} texts */
const said = (...texts) => texts.map((text) => ({ type: "text", text }));

describe("normalizeMcpCallResult", () => {
  it("gives a deeply frozen copy with the same strings", () => {
    const raw = {
      content: [{ type: "text", text: "hi", annotations: { audience: ["user"] } }],
      structuredContent: { a: [{ b: 1 }] },
      _meta: { x: 1 },
    };
    const result = normalizeMcpCallResult(raw);
    expect(result).toEqual({ content: raw.content, isError: false, structuredContent: raw.structuredContent });
    /** @param {any} value */
    const walk = (value) => {
      if (typeof value !== "object" || value === null) return;
      expect(Object.isFrozen(value)).toBe(true);
      for (const member of Object.values(value)) walk(member);
    };
    walk(result);
    raw.content.push(/** @type {any} */ ({ type: "text", text: "later" }));
    raw.structuredContent.a.pop();
    expect(result.content).toHaveLength(1);
    expect(result.structuredContent).toEqual({ a: [{ b: 1 }] });
  });

  it.each([
    [undefined, "expected the result of a tool call (an object), got undefined"],
    [null, "expected the result of a tool call (an object), got null"],
    ["x".repeat(100_000), "expected the result of a tool call (an object), got a string"],
    [[], "expected the result of a tool call (an object), got an array"],
    [{}, "content: expected an array of blocks, got undefined and no structuredContent"],
    [{ toolResult: "x" }, "content: expected an array of blocks, got undefined and no structuredContent"],
    [{ content: "x" }, "content: expected an array of blocks, got a string"],
    [{ content: null, structuredContent: 1 }, "content: expected an array of blocks, got null"],
    [{ content: ["x"] }, "content[0]: expected a content block (an object), got a string"],
    [{ content: [{ text: "x" }] }, "content[0].type: expected a non-empty string, got undefined"],
    [{ content: [{ type: "" }] }, 'content[0].type: expected a non-empty string, got ""'],
    [
      { content: [...said("a"), { type: "text" }] },
      'content[1].text: expected a string in a block of type "text", got undefined',
    ],
    [
      { content: [{ type: "image", data: "AA==" }] },
      'content[0].mimeType: expected a string in a block of type "image", got undefined',
    ],
    [
      { content: [{ type: "audio", data: 1, mimeType: "a/b" }] },
      'content[0].data: expected a string in a block of type "audio", got a number',
    ],
    [{ content: [{ type: "resource" }] }, "content[0].resource: expected an object, got undefined"],
    [
      { content: [{ type: "resource", resource: { text: "x" } }] },
      'content[0].resource.uri: expected a string in a block of type "resource", got undefined',
    ],
    [{ content: [], isError: "true" }, "isError: expected a boolean, got a string"],
    [{ content: [], isError: null }, "isError: expected a boolean, got null"],
    [{ content: [{ type: "text", text: "a", f: () => 1 }] }, "content[0].f: expected JSON, got a function"],
    [{ content: [], structuredContent: { n: Number.NaN } }, "structuredContent.n: expected JSON, got NaN"],
    [
      { content: [], structuredContent: { d: new Date(0) } },
      "structuredContent.d: expected JSON, got an instance of Date",
    ],
  ])("refuses %o", (raw, message) => {
    const error = caught(() => normalizeMcpCallResult(raw));
    expect(error).toBeInstanceOf(McpProtocolError);
    expect(error).toMatchObject({ code: "invalid_call_result", message });
  });

  it("takes what MCP allows", () => {
    for (const structuredContent of [0, "", null, [1], { a: 1 }]) {
      expect(normalizeMcpCallResult({ structuredContent })).toEqual({ content: [], isError: false, structuredContent });
    }
    expect(normalizeMcpCallResult({ content: [{ type: "new-kind", x: 1 }], isError: true })).toEqual({
      content: [{ type: "new-kind", x: 1 }],
      isError: true,
    });
  });

  it("keeps hostile keys as own keys", () => {
    const raw = JSON.parse(
      '{"content":[{"type":"text","text":"a","__proto__":{"isAdmin":true},"constructor":1}],"structuredContent":{"__proto__":"x","2":1,"1":2}}',
    );
    const result = normalizeMcpCallResult(raw);
    const block = /** @type {any} */ (result.content[0]);
    expect(Object.keys(block)).toEqual(["type", "text", "__proto__", "constructor"]);
    expect(block.isAdmin).toBeUndefined();
    expect(Object.getPrototypeOf(block)).toBe(Object.prototype);
    expect(JSON.stringify(result.structuredContent)).toBe('{"1":2,"2":1,"__proto__":"x"}');
    const long = JSON.parse(`{"content":[{"type":"text","text":"a","__proto__":"${"x".repeat(5_000)}"}]}`);
    expect(JSON.stringify(normalizeMcpCallResult(long).content)).toBe(JSON.stringify(long.content));
  });

  it("ends cycles, depth and explosions in a clear error", () => {
    /** @type {any} */
    const cycle = {};
    cycle.self = cycle;
    let deep = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    let bomb = /** @type {any[]} */ ([]);
    for (let level = 0; level < 60; level += 1) bomb = [bomb, bomb];
    for (const structuredContent of [cycle, deep, bomb, new Array(2_000_000_000)]) {
      for (const work of [normalizeMcpCallResult, read]) {
        const start = performance.now();
        expect(caught(() => work({ content: [], structuredContent }))).toMatchObject({ code: "invalid_call_result" });
        expect(performance.now() - start).toBeLessThan(2_000);
      }
    }
  });

  it("takes time in the measure of the answer's size", () => {
    const nested = "[".repeat(70) + "]".repeat(70);
    const images = Array.from({ length: 3_000 }, (_, at) => `${"A".repeat(20_000)}${String(at).padStart(4, "0")}`);
    const answers = [
      // Texts that each take a thread to read; strings that the engine's hash does not tell apart; a search without an end.
      { content: said(...new Array(20_000).fill(nested)), structuredContent: { a: 1 } },
      { content: images.map((data) => ({ type: "image", mimeType: "image/png", data })), structuredContent: { a: 1 } },
      { content: said("a".repeat(2_000_000)), structuredContent: images.map((_, at) => `${"a".repeat(500)}${at}`) },
    ];
    for (const answer of answers) {
      const start = performance.now();
      read(answer);
      expect(performance.now() - start).toBeLessThan(3_000);
    }
  });

  it("takes as many levels as it says and no more", () => {
    /** @param {number} levels */
    const nested = (levels) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    // One level is the result's own.
    const most = { content: [], structuredContent: nested(1_023) };
    expect(normalizeMcpCallResult(most).structuredContent).toEqual(most.structuredContent);
    expect(read(most)).toBe(JSON.stringify(most.structuredContent));
    expect(caught(() => normalizeMcpCallResult({ content: [], structuredContent: nested(1_024) })).message).toContain(
      "more than 1024 levels",
    );
  });
});

describe("what a handler gives", () => {
  it("joins texts, empty ones included", () => {
    expect(read({ content: said("a", "", "b") })).toBe("a\n\nb");
    expect(read({ content: [] })).toBe("");
    expect(read({ content: [], structuredContent: null })).toBe("");
  });

  it("reads optional nulls as absent, and blocks that are broken alone", () => {
    expect(read({ content: said("a"), isError: null, structuredContent: null, _meta: null })).toBe("a");
    expect(read({ content: [{ type: "text", text: "a", annotations: null }, "b", { type: "text", text: 5 }] })).toBe(
      "a\nb\n5",
    );
    expect(read({ content: [...said("a"), { type: "text" }, null] }).$rejellyContent).toEqual([
      ...said("a"),
      ...said('{"type":"text"}'),
      ...said("null"),
    ]);
  });

  it("makes of values that are no JSON what JSON.stringify would", () => {
    const raw = {
      content: [],
      structuredContent: { d: new Date(0), f: () => 1, u: undefined, n: Number.NaN, b: 5n, m: [undefined] },
    };
    expect(read(raw)).toBe('{"d":"1970-01-01T00:00:00.000Z","n":null,"b":"5","m":[null]}');
    const bytes = { content: [{ type: "image", mimeType: "image/png", data: new Uint8Array([1, 2, 3]) }] };
    expect(read(bytes).$rejellyContent[0].image.url).toBe("data:image/png;base64,AQID");
    const throwing = {
      content: [
        {
          type: "text",
          text: "a",
          get broken() {
            throw new Error("no");
          },
        },
      ],
    };
    expect(read(throwing)).toBe("a");
    expect(caught(() => normalizeMcpCallResult(throwing)).message).toBe(
      "content[0].broken: expected JSON, got a getter that throws",
    );
  });

  it("never takes a failure for a success", () => {
    for (const isError of [true, "true", 1]) {
      const error = caught(() => read({ content: said("boom"), isError }));
      expect(error.message).toBe("MCP tool error: boom");
      expect(error.name).toBe("Error");
      expect(error.cause).toEqual({ content: said("boom"), isError: true });
      expect(Object.isFrozen(error.cause.content[0])).toBe(true);
    }
    expect(caught(() => read({ toolResult: { content: said("old"), isError: true } })).cause.content).toEqual(
      said("old"),
    );
    for (const toolResult of [{ content: said("old") }, "old", { text: "old" }]) {
      expect(caught(() => read({ toolResult, isError: true })).message).toMatch(/^MCP tool error: .*old/);
    }
    expect(caught(() => read({ isError: true, content: "boom" })).message).toBe("MCP tool error: boom");
    expect(caught(() => read({ isError: true, structuredContent: { code: 7 } })).message).toBe(
      'MCP tool error: {"code":7}',
    );
  });

  it("pays for a mirror once, also where it is large", () => {
    const text = "line of a file\n".repeat(10_000);
    expect(read({ content: said(text), structuredContent: { content: text } })).toBe(text);
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}`, note: "ü".repeat(id % 7) }));
    const json = JSON.stringify({ rows }, undefined, 2);
    expect(read({ content: said(json), structuredContent: { rows } })).toBe(json);
    const more = { rows: [...rows, { id: 5_000, name: "one more", note: "" }] };
    expect(read({ content: said(json), structuredContent: more })).toBe(`${json}\n${JSON.stringify(more)}`);
  });

  it("keeps lone surrogates, null characters and what looks like a reference", () => {
    const odd = ["a\ud800", "\udc00b", "\0F0:1:x", "\0", "😀\u{10D800}", `\0P0:5000:${"x".repeat(3_000)}`, "\ud83d"];
    for (const text of odd) {
      expect(read({ content: said(text) })).toBe(text);
      expect(read({ content: said("x", text), structuredContent: { k: [`${text} more`] } })).toBe(
        `x\n${text}\n${JSON.stringify({ k: [`${text} more`] })}`,
      );
      expect(normalizeMcpCallResult({ content: said(text) }).content).toEqual(said(text));
    }
  });

  it("writes numbers as JSON.stringify does", () => {
    const bytes = new DataView(new ArrayBuffer(8));
    let seed = 1;
    const numbers = Array.from({ length: 20_000 }, () => {
      for (let at = 0; at < 8; at += 1) {
        seed = (seed * 48_271) % 2_147_483_647;
        bytes.setUint8(at, seed >> 8);
      }
      return bytes.getFloat64(0);
    }).filter(Number.isFinite);
    numbers.push(
      ...numbers.map((number) => Math.round(number * 4) / 4),
      ...numbers.map((_, at) => at * 25.125e12 + at / 8),
    );
    const structuredContent = numbers.filter(Number.isFinite);
    expect(read({ content: [], structuredContent })).toBe(JSON.stringify(structuredContent));
  });

  it("keeps a lone surrogate in a key", () => {
    expect(read({ content: [], structuredContent: { "\ud800": 1 } })).toBe('{"\\ud800":1}');
  });

  it("decodes long blobs that are text, and repairs long base64", () => {
    const markdown = "# Grüße\n".repeat(2_000);
    const blob = Buffer.from(markdown).toString("base64");
    /** @param {string} blob */
    const resource = (blob) => ({
      content: [{ type: "resource", resource: { uri: "x://r", mimeType: "text/markdown", blob } }],
    });
    expect(read(resource(blob)).$rejellyContent).toEqual(said(markdown));
    const binary = Buffer.alloc(3_000, 0xff).toString("base64");
    expect(read(resource(binary)).$rejellyContent).toEqual(said("[Blob: x://r, text/markdown, 3000 bytes]"));
    const wrapped = `${(blob.match(/.{1,76}/g) ?? []).join("\r\n")}\r\n`;
    const image = read({ content: [{ type: "image", mimeType: "image/png", data: wrapped }] }).$rejellyContent[0];
    expect(image.image.url).toBe(`data:image/png;base64,${blob}`);
  });
});

describe("large base64", () => {
  // Random digits: no two stretches of it are alike.
  const data = Buffer.from(
    Array.from({ length: 300_000 }, (_, at) => (at * 7919 + (at >> 3) * 104729) & 0xff),
  ).toString("base64");
  const block = { type: "image", data, mimeType: "image/png" };

  it.each([
    ["beside text", { content: [...said("see"), block] }],
    ["mirrored", { content: [block], structuredContent: { content: [block] } }],
    ["repeated beside something new", { content: [block], structuredContent: { image: data, width: 640 } }],
    [
      "as a data URL beside something new",
      { content: [block], structuredContent: { url: `data:image/png;base64,${data}`, width: 640 } },
    ],
    ["only in structuredContent", { content: said("see"), structuredContent: { image: data } }],
    ["in a block of unknown type", { content: [...said("see"), { type: "screenshot", data }] }],
    ["in audio", { content: [{ type: "audio", data, mimeType: "audio/wav" }] }],
    [
      "in a blob",
      { content: [{ type: "resource", resource: { uri: "x://b", blob: data, mimeType: "application/zip" } }] },
    ],
  ])("%s is never text", (_name, raw) => {
    const answer = read(raw);
    const parts = typeof answer === "string" ? said(answer) : answer.$rejellyContent;
    const texts = parts
      .filter((/** @type {any} */ part) => part.type === "text")
      .map((/** @type {any} */ part) => part.text);
    expect(texts.join("\n").length).toBeLessThan(500);
    expect(texts.join("\n")).not.toContain(data.slice(0, 60));
    const { message } = caught(() => read({ ...raw, isError: true }));
    expect(message.length).toBeLessThan(500);
    expect(message).not.toContain(data.slice(0, 60));
  });

  it("keeps what is new beside it", () => {
    const parts = read({ content: [block], structuredContent: { image: data, width: 640 } }).$rejellyContent;
    expect(parts[1]).toEqual({ type: "text", text: '{"image":"[Base64: 300000 bytes]","width":640}' });
  });

  it("costs a picture of 10 MB no copy", () => {
    const raw = { content: [{ type: "image", data: "A".repeat(10_000_000), mimeType: "image/png" }] };
    const before = process.memoryUsage();
    const kept = Array.from({ length: 200 }, () => [normalizeMcpCallResult(raw), read(raw)]);
    const after = process.memoryUsage();
    expect(kept).toHaveLength(200);
    // One copy for each would be 4 GB.
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(100_000_000);
    expect(/** @type {any} */ (read(raw)).$rejellyContent[0].image.url).toHaveLength(10_000_022);
  });
});
