/** The cases of real servers' results, prompts and resources, each with what it comes to here. */
import { toolContent } from "@rejelly/core";
import { describe, expect, it } from "vitest";
import {
  modelResult,
  normalizeMcpCallResult,
  promptResult,
  readResourceResult,
  stringifyPromptArguments,
} from "../../js/result/index.js";
import { casesOf, hasShared } from "../support/shared.js";

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** @param {string} text */
const text = (text) => ({ type: "text", text });
const image = { type: "image", image: { url: `data:image/png;base64,${PNG}` } };
/** @param {any[]} parts */
const parts = (...parts) => ({ $rejellyContent: parts });

/** @param {unknown} raw @returns {any} */
const read = (raw) => modelResult(raw, { toolName: "t", toolContent });
/** @param {unknown} raw @returns {any} */
const failure = (raw) => {
  try {
    read(raw);
  } catch (error) {
    return error;
  }
  throw new Error("expected a failure");
};

/** @type {Record<string, (input: any) => void>} */
const result = {
  "R01-structured-only-empty-content": (input) => {
    expect(JSON.parse(read(input.result))).toEqual(input.result.structuredContent);
    for (const value of [0, false, ""])
      expect(read({ content: [], structuredContent: value })).toBe(JSON.stringify(value));
  },
  "R03-legacy-toolresult": ({ results }) => {
    expect(results.map(read)).toEqual(["hi", '{"ok":true,"n":1}', "plain"]);
  },
  // R23: an object that is no result is an error, which tells what is missing.
  "R04-bare-object": ({ result }) => {
    expect(failure(result)).toMatchObject({ name: "McpProtocolError", code: "invalid_call_result", toolName: "t" });
  },
  "R06-text-and-structured-duplicate": ({ result }) => {
    expect(read(result)).toBe(result.content[0].text);
    expect(normalizeMcpCallResult(result)).toEqual({ ...result, isError: false });
  },
  "R07-structured-richer-than-text": ({ result }) => {
    expect(read(result)).toBe('Scraped 1 URL.\n{"chunks":[{"text":"evidence"}]}');
  },
  "R09-iserror-text-hidden": ({ result }) => {
    const error = failure(result);
    expect(error.message).toBe("MCP tool error: database connection refused");
    expect(error.cause).toEqual(normalizeMcpCallResult(result));
  },
  "R10-iserror-empty-content": ({ results }) => {
    const silent = "MCP tool error: the tool reported a failure and said nothing about it";
    expect(results.map((/** @type {any} */ result) => failure(result).message)).toEqual([
      silent,
      silent,
      "MCP tool error: [Image: image/png, 70 bytes]",
    ]);
    expect(results.map((/** @type {any} */ result) => failure(result).name)).toEqual(["Error", "Error", "Error"]);
    expect(failure(results[1]).cause).toEqual({ content: [], isError: true });
  },
  "R12-outputschema-and-iserror": ({ result }) => {
    expect(failure(result).message).toBe("MCP tool error: bad path");
  },
  "R13-outputschema-missing-structured": ({ result }) => {
    expect(read(result)).toBe('{"n":1}');
  },
  "R16-image": ({ result }) => {
    expect(read(result)).toEqual(parts(image));
  },
  "R18-image-malformed": ({ results }) => {
    expect(results.map(read)).toEqual([
      parts(image),
      parts(image),
      parts(text("see"), text("[Image: image/png, data that is no base64]")),
    ]);
  },
  "R19-audio": ({ result }) => {
    expect(read(result)).toEqual(parts(text("[Audio: audio/wav, 12 bytes]")));
    expect(normalizeMcpCallResult(result).content).toEqual(result.content);
  },
  "R21-embedded-resource-text": ({ result }) => {
    expect(read(result)).toEqual(parts(text("# hi")));
  },
  "R22-embedded-blob": ({ results }) => {
    expect(results.map(read)).toEqual([
      parts(text("# hé")),
      parts(text("[Blob: x://b, application/octet-stream, 4 bytes]")),
      parts(image),
    ]);
  },
  "R24-bare-uri-resource": ({ result }) => {
    expect(read(result)).toEqual(parts(text("[Resource: file:///report.pdf]"), text("done")));
  },
  "R25-unknown-block": ({ result }) => {
    expect(read(result)).toEqual(
      parts(text('{"type":"json","json":{"doi":"10.1/x"}}'), text("also text"), text('{"type":"widget","id":3}')),
    );
  },
  "R27-huge-base64": ({ result }) => {
    const { $rejellyContent: content } = read(result);
    expect(content[0]).toEqual(text("screenshot"));
    expect(content).toHaveLength(2);
    expect(content[1].image.url).toBe(`data:image/png;base64,${result.content[1].data}`);
    expect(failure({ ...result, isError: true }).message).toBe(
      "MCP tool error: screenshot\n[Image: image/png, 3000000 bytes]",
    );
  },
  "R28-huge-base64-mirrored": ({ result }) => {
    expect(read(result)).toEqual(parts(image));
  },
  "R30-multiple-text-blocks": ({ result }) => {
    expect(read(result)).toEqual(parts(text("a"), text(""), text("b"), image, text("c")));
  },
  "R31-structured-not-object": ({ results }) => {
    expect(results.map(read)).toEqual(["[1,2]", "x", "0"]);
    expect(results.map((/** @type {any} */ raw) => normalizeMcpCallResult(raw).structuredContent)).toEqual([
      [1, 2],
      null,
      0,
    ]);
  },
};

/** @type {Record<string, (input: any) => void>} */
const prompt = {
  "PR01-args-are-strings": ({ call }) => {
    expect(stringifyPromptArguments(call)).toEqual({ min: "5", on: "true" });
  },
  "PR03-non-text-content": ({ result }) => {
    const prompt = promptResult(result);
    expect(prompt.messages).toEqual(result.messages);
    expect(prompt.asInstruction()).toEqual([
      image,
      text("ctx"),
      text("ok"),
      text("[Resource link: b <x://b>]"),
      text("[Audio: audio/wav, 4 bytes]"),
    ]);
  },
  "PR04-image-to-json-text": ({ result }) => {
    expect(promptResult(result).asInstruction()).toEqual([image]);
  },
  "PR06-malformed-message": ({ results }) => {
    expect(results.map((/** @type {any} */ raw) => promptResult(raw).asInstruction())).toEqual(["plain", "a\nb", "s"]);
    expect(promptResult(results[2]).messages[0]?.role).toBe("system");
  },
};

/** @type {Record<string, (input: any) => void>} */
const resource = {
  "RS01-blob-as-text": ({ result }) => {
    expect(readResourceResult(result, { toolContent })).toBe("[Blob: application/gzip, 9 bytes]");
  },
  "RS03-blob-labelled-text-plain": ({ result }) => {
    expect(readResourceResult(result, { toolContent })).toBe("hello");
  },
  "RS04-multiple-contents": ({ results }) => {
    expect(results.map((/** @type {any} */ raw) => readResourceResult(raw, { toolContent }))).toEqual([
      "a\n[Blob: application/octet-stream, 1 byte]",
      "",
    ]);
  },
  "RS07-neither-text-nor-blob": ({ results }) => {
    expect(() => readResourceResult(results[0], { toolContent })).toThrow(
      'The MCP resource "x://a" cannot be read: contents[0]: expected text or blob (a string), got neither',
    );
    expect(() => readResourceResult(results[1], { toolContent })).toThrow("contents[0].blob: expected base64");
  },
};

/** Cases that are no concern of results: R15 is about listing tools; the package expands no templates, the model does (RS06). */
const ELSEWHERE = new Set(["R15-outputschema-uncompilable", "RS06-template-uri-expansion"]);

for (const [area, expectations] of Object.entries({ result, prompt, resource })) {
  describe.skipIf(!hasShared)(`cases of area ${area}`, () => {
    for (const { id, input, symptom } of casesOf(area)) {
      if (ELSEWHERE.has(id)) continue;
      it(`${id}: ${symptom}`, () => {
        const expectation = expectations[id];
        expect(expectation, "an expectation for this case").toBeDefined();
        expectation?.(input);
      });
    }
    it("every expectation has its case", () => {
      expect(Object.keys(expectations).sort()).toEqual(
        casesOf(area)
          .map(({ id }) => id)
          .filter((id) => !ELSEWHERE.has(id))
          .sort(),
      );
    });
  });
}
