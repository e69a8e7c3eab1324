/** What is known of real servers' answers (`../shared/cases.jsonl`), each case with what this package makes of it. */
import { describe, expect, test } from "vitest";
import { McpProtocolError } from "../../js/errors.js";
import {
  modelResult,
  normalizeMcpCallResult,
  promptResult,
  readResourceResult,
  stringifyPromptArguments,
} from "../../js/result/index.js";
import { casesOf, hasShared } from "../support/shared.js";
import { image, PNG, parts, text, textsIn, thrown, toolContent } from "./helpers.js";

const cases = new Map(["result", "prompt", "resource"].flatMap(casesOf).map((one) => [one.id, one]));
const PNG_URL = `data:image/png;base64,${PNG}`;
const model = (raw) => modelResult(raw, { toolName: "t", toolContent });
const inputs = ({ input }) => input.results ?? [input.result];
const failure = (raw) => thrown(() => model(raw));

/** @type {Record<string, (one: any) => void>} */
const EXPECTED = {
  "R01-structured-only-empty-content": (one) => {
    expect(inputs(one).map(model)).toEqual(['{"accounts":[{"id":1}],"total":36}']);
  },
  "R03-legacy-toolresult": (one) => expect(inputs(one).map(model)).toEqual(["hi", '{"ok":true,"n":1}', "plain"]),
  "R04-bare-object": (one) => {
    expect(failure(one.input.result)).toMatchObject({
      name: "McpProtocolError",
      code: "invalid_call_result",
      toolName: "t",
    });
  },
  "R06-text-and-structured-duplicate": (one) => {
    expect(inputs(one).map(model)).toEqual(['{"a":1,"b":[1,2]}']);
    expect(normalizeMcpCallResult(one.input.result).structuredContent).toEqual({ a: 1, b: [1, 2] });
  },
  "R07-structured-richer-than-text": (one) => {
    expect(inputs(one).map(model)).toEqual(['Scraped 1 URL.\n{"chunks":[{"text":"evidence"}]}']);
  },
  "R09-iserror-text-hidden": (one) => {
    const error = failure(one.input.result);
    expect(error.message).toBe("MCP tool error: database connection refused");
    expect(error.cause).toEqual(normalizeMcpCallResult(one.input.result));
  },
  "R10-iserror-empty-content": (one) => {
    const errors = inputs(one).map(failure);
    const generic = "MCP tool error: the tool reported a failure and gave no reason";
    expect(errors.map((error) => [error.name, error.message])).toEqual([
      ["Error", generic],
      ["Error", generic],
      ["Error", "MCP tool error: [Image: image/png, 70 bytes]"],
    ]);
    expect(errors[1].cause).toEqual({ content: [], isError: true });
  },
  "R12-outputschema-and-iserror": (one) => {
    expect(failure(one.input.result).message).toBe("MCP tool error: bad path");
  },
  "R13-outputschema-missing-structured": (one) => expect(inputs(one).map(model)).toEqual(['{"n":1}']),
  "R16-image": (one) => expect(inputs(one).map(model)).toEqual([parts(image(PNG_URL))]),
  "R18-image-malformed": (one) => {
    expect(inputs(one).map(model)).toEqual([
      parts(image(PNG_URL)),
      parts(image(PNG_URL)),
      parts(text("see"), text("[Image: image/png, its data is not base64]")),
    ]);
  },
  "R19-audio": (one) => expect(inputs(one).map(model)).toEqual([parts(text("[Audio: audio/wav, 12 bytes]"))]),
  "R21-embedded-resource-text": (one) => expect(inputs(one).map(model)).toEqual([parts(text("# hi"))]),
  "R22-embedded-blob": (one) => {
    expect(inputs(one).map(model)).toEqual([
      parts(text("# hé")),
      parts(text("[Blob: x://b, application/octet-stream, 4 bytes]")),
      parts(image(PNG_URL)),
    ]);
  },
  "R24-bare-uri-resource": (one) => {
    expect(inputs(one).map(model)).toEqual([parts(text("[Resource: file:///report.pdf, no content]"), text("done"))]);
  },
  "R25-unknown-block": (one) => {
    expect(inputs(one).map(model)).toEqual([
      parts(text('{"type":"json","json":{"doi":"10.1/x"}}'), text("also text"), text('{"type":"widget","id":3}')),
    ]);
  },
  "R27-huge-base64": (one) => {
    const answer = model(one.input.result);
    const { data } = one.input.result.content[1];
    expect(textsIn(answer)).toEqual(["screenshot"]);
    expect(answer.$rejellyContent[1].image.url === `data:image/png;base64,${data}`).toBe(true);
    const { message } = failure({ ...one.input.result, isError: true });
    expect(message).toBe("MCP tool error: screenshot\n[Image: image/png, 3000000 bytes]");
  },
  "R28-huge-base64-mirrored": (one) => expect(inputs(one).map(model)).toEqual([parts(image(PNG_URL))]),
  "R30-multiple-text-blocks": (one) => {
    expect(inputs(one).map(model)).toEqual([parts(text("a"), text(""), text("b"), image(PNG_URL), text("c"))]);
  },
  "R31-structured-not-object": (one) => expect(inputs(one).map(model)).toEqual(["[1,2]", "x", "0"]),
  "PR01-args-are-strings": (one) => {
    expect(stringifyPromptArguments(one.input.call)).toEqual({ min: "5", on: "true" });
  },
  "PR03-non-text-content": (one) => {
    const prompt = promptResult(one.input.result);
    expect(prompt.messages).toEqual(one.input.result.messages);
    expect(prompt.asInstruction()).toEqual([
      image(PNG_URL),
      text("ctx"),
      text("ok"),
      text("[Resource link: b <x://b>]"),
      text("[Audio: audio/wav, 4 bytes]"),
    ]);
  },
  "PR04-image-to-json-text": (one) => {
    expect(promptResult(one.input.result).asInstruction()).toEqual([image(PNG_URL)]);
  },
  "PR06-malformed-message": (one) => {
    const prompts = inputs(one).map(promptResult);
    expect(prompts.map((prompt) => prompt.asInstruction())).toEqual(["plain", "a\nb", "s"]);
    expect(prompts[2].messages[0].role).toBe("system");
  },
  "RS01-blob-as-text": (one) => expect(inputs(one).map(read)).toEqual(["[Blob: application/gzip, 9 bytes]"]),
  "RS03-blob-labelled-text-plain": (one) => expect(inputs(one).map(read)).toEqual(["hello"]),
  "RS04-multiple-contents": (one) => {
    expect(inputs(one).map(read)).toEqual(["a\n[Blob: application/octet-stream, 1 bytes]", ""]);
  },
  "RS07-neither-text-nor-blob": (one) => {
    const errors = inputs(one).map((raw) => thrown(() => read(raw)));
    for (const error of errors) expect(error).toBeInstanceOf(McpProtocolError);
    expect(errors.map((error) => error.message)).toEqual([
      "contents[0]: expected a string in text or in blob, got undefined and undefined",
      "contents[0]: expected base64 in blob, got other characters",
    ]);
  },
};

function read(raw) {
  return readResourceResult(raw, { toolContent });
}

/** Of other rooms: a client that validates output schemas (R15), and the expansion of templates, which the server does (RS06). */
const ELSEWHERE = ["R15-outputschema-uncompilable", "RS06-template-uri-expansion"];

describe.skipIf(!hasShared)("shared cases of results, prompts and resources", () => {
  test("each case of these areas has its expectation", () => {
    const ids = [...cases.keys()];
    expect(ids.filter((id) => !(id in EXPECTED) && !ELSEWHERE.includes(id))).toEqual([]);
    expect(Object.keys(EXPECTED).filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(Object.keys(EXPECTED))("%s", (id) => EXPECTED[id](cases.get(id)));
});
