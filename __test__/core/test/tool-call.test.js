import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { z } from "zod/v3";
import { equipMemory, equipTool, getContextSignal, promptAgent, toolContent } from "../index.js";
import { call, deferred, inAgent, prompt, scripted, tool } from "./helpers.js";

/**
 * What the model reads as the result of one call.
 * @param {any} t
 * @param {unknown} [args]
 * @param {string} [name]
 */
async function answerTo(t, args = {}, name = t.name) {
  const model = scripted([call(name, args)], "done");
  expect(await prompt(model, [t])).toBe("done");
  return model.turns[1]?.messages.at(-1).content;
}

describe("a tool call", () => {
  it("may come in pieces, joined by index, and is answered in the order of the indices", async () => {
    const piece = (/** @type {any} */ toolCall) => ({ type: "tool_call", toolCall });
    const model = scripted(
      [
        piece({ index: 1, id: "b", name: "t", arguments: '{"x"' }),
        piece({ index: 0, name: "t", arguments: "" }),
        piece({ index: 1, arguments: ":1}" }),
        piece({ index: 0, arguments: '{"x":0}' }),
      ],
      "done",
    );
    await prompt(model, [tool("t", ({ x }) => x)]);
    expect(model.turns[1]?.messages.slice(1)).toEqual([
      { role: "tool", toolCallId: "call_1_0", name: "t", content: "0" },
      { role: "tool", toolCallId: "b", name: "t", content: "1" },
    ]);
  });

  it("hands on strings and parts as they are and the rest as JSON", async () => {
    const parts = toolContent([{ type: "video", video: { url: "u" } }]);
    expect(await answerTo(tool("t", () => 'a\n"b"'))).toBe('a\n"b"');
    expect(await answerTo(tool("t", () => ({ a: [1, null] })))).toBe('{"a":[1,null]}');
    expect(await answerTo(tool("t", () => null))).toBe("null");
    expect(await answerTo(tool("t", () => parts))).toBe(parts.$rejellyContent);
  });

  it("gives the handler what safeParse made of the arguments", async () => {
    const parameters = z.object({ a: z.number().default(7) });
    expect(
      await answerTo(
        tool("t", (args) => args, parameters),
        { strip: 1 },
      ),
    ).toBe('{"a":7}');
  });

  it("turns what goes wrong into text, and the run goes on", async () => {
    const throwing = (/** @type {unknown} */ error) => answerTo(tool("t", () => Promise.reject(error)));
    const parameters = z.object({ a: z.object({ b: z.number() }), c: z.string() });
    expect(
      await answerTo(
        tool("t", () => 1, parameters),
        { a: { b: "x" } },
      ),
    ).toBe('Invalid arguments for tool "t": a.b: Expected number, received string; c: Required');
    expect(
      await answerTo(
        tool("t", () => 1),
        "{broken",
      ),
    ).toMatch(/^Invalid arguments for tool "t": not valid JSON: .+/);
    expect(
      await answerTo(
        tool("t", () => 1),
        "",
      ),
    ).toMatch(/^Invalid arguments for tool "t": not valid JSON: .+/);
    expect(
      await answerTo(
        tool("t", () => 1),
        undefined,
        "toString",
      ),
    ).toBe('Unknown tool "toString"');
    expect(await throwing(new Error("no"))).toBe('Tool "t" execution failed: no');
    expect(await throwing(new RangeError("far"))).toBe('Tool "t" execution failed: RangeError: far');
    expect(await throwing("bare")).toBe('Tool "t" execution failed: bare');
    expect(await throwing(undefined)).toBe('Tool "t" execution failed: undefined');
    expect(await throwing(Object.create(null))).toBe('Tool "t" execution failed: [Object: null prototype] {}');
    expect(await answerTo(tool("t", () => ({ a: undefined })))).toBe(
      'Tool "t" execution failed: InvalidToolOutputError: Tool "t" gave an invalid result at result.a: undefined',
    );
  });

  it("runs beside the others of its turn, in the agent's async context", async () => {
    const tracing = new AsyncLocalStorage();
    const met = [deferred(), deferred()];
    const meet = tool("meet", async ({ n }) => {
      met[n]?.resolve();
      await met[1 - n]?.promise;
      const [, set] = equipMemory("sum", 0);
      set((sum) => sum + n + 1);
      return `${tracing.getStore()} ${getContextSignal() instanceof AbortSignal}`;
    });
    const model = scripted([call("meet", { n: 0 }, 0), call("meet", { n: 1 }, 1)], "done");
    const sum = await inAgent(
      async () => {
        equipTool(meet);
        await tracing.run("trace", () => promptAgent(z.string()));
        return equipMemory("sum", 0)[0];
      },
      {},
      { model },
    );
    expect(sum).toBe(3);
    expect(model.turns[1]?.messages.slice(-2).map(({ content }) => content)).toEqual(["trace true", "trace true"]);
  });

  it("goes through the middleware, which sees its id, signal and arguments", async () => {
    /** @type {any} */
    let seen;
    const model = scripted([call("t", { a: 1 })], "done");
    await inAgent(
      () => {
        const handler = async (/** @type {any} */ ctx, /** @type {() => Promise<unknown>} */ next) => {
          seen = { ...ctx, own: ctx.signal === getContextSignal() };
          return `<${await next()}>`;
        };
        equipTool(
          tool("t", () => "r"),
          { middleware: [{ name: "m", handler }] },
        );
        return promptAgent(z.string());
      },
      {},
      { model },
    );
    expect(seen).toMatchObject({ toolName: "t", args: { a: 1 }, callId: "id0", own: true });
    expect(model.turns[1]?.messages.at(-1).content).toBe("<r>");
  });
});
