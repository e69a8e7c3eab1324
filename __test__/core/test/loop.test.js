import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod/v3";
import { z as z4 } from "zod/v4";
import { ContextNotFoundError, createAgent, equipInstruction, equipSystem, equipTool, promptAgent } from "../index.js";
import { call, inAgent, prompt, scripted, tool } from "./helpers.js";

describe("promptAgent", () => {
  it("throws outside of an agent and without a model", async () => {
    await expect(promptAgent(z.string())).rejects.toThrow(ContextNotFoundError);
    await expect(inAgent(() => promptAgent(z.string()))).rejects.toThrow('agent "test" has no model');
  });

  it("uses the parent's model in a child without one", async () => {
    const child = createAgent({ id: "child", handler: () => promptAgent(z.string()) });
    expect(await inAgent(() => child(), {}, { model: scripted("from parent") })).toBe("from parent");
  });

  it("sends system, instructions and tools, on every turn", async () => {
    const schema = z.string();
    const model = scripted([call("t", { n: 1 }), { type: "text", content: "I look" }], "done");
    /** @type {any} */
    const image = [{ type: "image", image: { url: "u" } }];
    await inAgent(
      () => {
        equipInstruction("one");
        equipSystem("a");
        equipSystem("b");
        equipInstruction(image);
        equipTool(tool("t", () => "r", z.object({ n: z.number().describe("how many") })));
        return promptAgent(schema);
      },
      {},
      { model },
    );
    const first = [
      { role: "system", content: "a\n\nb" },
      { role: "user", content: "one" },
      { role: "user", content: image },
    ];
    expect(model.turns[0]?.messages).toEqual(first);
    expect(model.turns[1]?.messages).toEqual([
      ...first,
      { role: "assistant", content: "I look", toolCalls: [{ id: "id0", name: "t", arguments: '{"n":1}' }] },
      { role: "tool", toolCallId: "id0", name: "t", content: "r" },
    ]);
    for (const { options } of model.turns) {
      expect(options.schema).toBe(schema);
      expect(options.signal).toBeInstanceOf(AbortSignal);
      expect(options.tools).toEqual([
        {
          name: "t",
          description: "the tool t",
          parameters: {
            $schema: "http://json-schema.org/draft-07/schema#",
            type: "object",
            properties: { n: { type: "number", description: "how many" } },
            required: ["n"],
            additionalProperties: false,
          },
        },
      ]);
    }
  });

  it("derives the JSON Schema twice per tool and turn, the second time for telemetry", async () => {
    let reads = 0;
    const counted = Object.defineProperty(
      tool("t", () => 1),
      "parameters",
      {
        get: () => {
          reads++;
          return z.object({});
        },
      },
    );
    /** @type {any[]} */
    const published = [];
    const listen = (/** @type {unknown} */ message) => published.push(message);
    subscribe("rejelly.core.turn", listen);
    const model = scripted((/** @type {any} */ messages) => {
      expect(reads).toBe(2);
      return [call("nobody", messages)];
    }, "done");
    await prompt(model, [counted]);
    unsubscribe("rejelly.core.turn", listen);
    expect(reads).toBe(4);
    expect(published.map(({ turn }) => turn)).toEqual([1, 2]);
    expect(published[0].tools).toEqual(model.turns[0]?.options.tools);
    expect(published[0].tools[0].parameters).not.toBe(model.turns[0]?.options.tools[0].parameters);
  });

  it("shows the model no parameters for a zod 4 schema", async () => {
    const model = scripted("done");
    await prompt(model, [tool("t", () => 1, z4.object({ a: z4.string() }))]);
    expect(Object.keys(model.turns[0]?.options.tools[0].parameters)).toEqual(["$schema"]);
  });

  it("refuses instructions and system texts that are none", async () => {
    await inAgent(() => {
      expect(() => equipInstruction(/** @type {any} */ ([{ type: "audio" }]))).toThrow("content[0]: no content part");
      expect(() => equipInstruction(/** @type {any} */ (undefined))).toThrow(TypeError);
      expect(() => equipSystem(/** @type {any} */ (1))).toThrow(TypeError);
    });
    expect(() => equipInstruction("x")).toThrow(ContextNotFoundError);
  });

  it("goes on until a turn has no tool calls, 64 turns at most", async () => {
    const handler = vi.fn(() => "r");
    const endless = scripted(...new Array(100).fill([call("t", {})]));
    await expect(prompt(endless, [tool("t", handler)])).rejects.toThrow('"test" had no final answer after 64 turns');
    expect(handler).toHaveBeenCalledTimes(64);
  });

  it("passes on an error of the model and refuses an unknown event", async () => {
    const failure = new Error("no");
    await expect(
      prompt(
        scripted(() => Promise.reject(failure)),
        [],
      ),
    ).rejects.toBe(failure);
    await expect(prompt(scripted([{ type: "noise" }]), [])).rejects.toThrow('unknown event: {"type":"noise"}');
  });
});

describe("the final answer", () => {
  it.each([
    ["string of zod 3", z.string(), "plain"],
    ["string of zod 4", z4.string(), "plain"],
    ["wrapped string of zod 3", z.string().optional().default("x").refine(Boolean).brand("b"), "plain"],
    [
      "wrapped string of zod 4",
      z4
        .string()
        .optional()
        .default("x")
        .refine(Boolean)
        .transform((s) => s),
      "plain",
    ],
    ["object of zod 3", z.object({ a: z.number() }), { a: 1 }],
    ["object of zod 4", z4.object({ a: z4.number() }), { a: 1 }],
    ["number", z.number(), 3],
    ["enum", z4.enum(["a"]), "a"],
  ])("is parsed by the schema: %s", async (_name, schema, value) => {
    const text = value === "plain" ? value : JSON.stringify(value);
    const pieces = [text.slice(0, 1), text.slice(1)].map((content) => ({ type: "text", content }));
    expect(await prompt(scripted(pieces), [], schema)).toEqual(value);
  });

  it("throws when it does not fit", async () => {
    const schema = z.object({ a: z.number() });
    await expect(prompt(scripted("so"), [], schema)).rejects.toThrow("The model's answer is not valid JSON: ");
    await expect(prompt(scripted('{"a":"x"}'), [], schema)).rejects.toThrow(
      "The model's answer does not fit the schema: a: Expected number, received string",
    );
  });
});
