import { describe, expect, it, vi } from "vitest";
import { z } from "zod/v3";
import { z as z4 } from "zod/v4";
import {
  AfterPromptAgentError,
  ContextNotFoundError,
  callTool,
  DuplicateToolNameError,
  equipMemory,
  equipTool,
  getContextSignal,
  InvalidToolOutputError,
  promptAgent,
  reborn,
} from "../index.js";
import { call, inAgent, scripted, tool } from "./helpers.js";

describe("equipTool", () => {
  it("throws outside of an agent", () => {
    expect(() => equipTool(tool("t", () => 1))).toThrow(ContextNotFoundError);
  });

  it("refuses a name twice, in one generation", async () => {
    await inAgent(() => {
      const [n, set] = equipMemory("n", 0);
      set(n + 1);
      equipTool(tool("__proto__", () => 1));
      equipTool(tool("t", () => 1));
      expect(() => equipTool(tool("t", () => 2))).toThrow(DuplicateToolNameError);
      expect(() => equipTool(tool("t", () => 2))).toThrow('A tool named "t" is already equipped');
      return n < 1 ? reborn() : undefined;
    });
  });

  it("refuses after promptAgent was called, until the next generation", async () => {
    const model = scripted("done", "done");
    await inAgent(
      async () => {
        const [n, set] = equipMemory("n", 0);
        set(n + 1);
        equipTool(tool("before", () => 1));
        const answer = promptAgent(z.string());
        expect(() => equipTool(tool("late", () => 1))).toThrow(AfterPromptAgentError);
        await answer;
        expect(() => equipTool(tool("before", () => 1))).toThrow("equipTool() was called after promptAgent()");
        return n < 1 ? reborn() : undefined;
      },
      {},
      { model },
    );
    expect(model.turns.map(({ options }) => options.tools.length)).toEqual([1, 1]);
  });

  it("refuses what is no tool, without looking at its parameters", async () => {
    const lazy = tool("lazy", () => 1);
    Object.defineProperty(lazy, "parameters", {
      get: () => {
        throw new Error("looked at");
      },
    });
    await inAgent(() => {
      expect(() => equipTool(/** @type {any} */ ({ name: "" }))).toThrow(TypeError);
      expect(() => equipTool(/** @type {any} */ ({ name: "x" }))).toThrow('tool "x" has no handler');
      equipTool(lazy);
    });
  });

  it("spreads the tool when there is middleware, and only then", async () => {
    /** @type {any[]} */
    const seen = [];
    const spy = {
      name: "spy",
      handler: async (/** @type {any} */ ctx, /** @type {() => Promise<unknown>} */ next) => {
        seen.push(ctx.tool);
        return next();
      },
    };
    const make = (/** @type {string} */ name) => {
      const made = Object.create({ inherited: true });
      Object.assign(
        made,
        tool(name, () => 1),
        { mcp: { name }, middlewares: [spy] },
      );
      return Object.defineProperty(made, "hidden", { value: 1, enumerable: false });
    };
    const spread = make("spread");
    const plain = make("plain");
    const empty = make("empty");
    const model = scripted([call("spread", {}, 0), call("plain", {}, 1), call("empty", {}, 2)], "done");
    await inAgent(
      () => {
        equipTool(spread, { middleware: [{ name: "dynamic", handler: (_ctx, next) => next() }] });
        equipTool(plain);
        equipTool(empty, { middleware: [] });
        return promptAgent(z.string());
      },
      {},
      { model },
    );
    expect(seen).toHaveLength(3);
    expect(seen[0]).not.toBe(spread);
    expect(Object.getPrototypeOf(seen[0])).toBe(Object.prototype);
    expect(seen[0].mcp).toBe(spread.mcp);
    expect(seen[0].hidden).toBeUndefined();
    expect(seen[0].middlewares.map((/** @type {any} */ m) => m.name)).toEqual(["dynamic", "spy"]);
    expect(spread.middlewares).toEqual([spy]);
    expect(seen[1]).toBe(plain);
    expect(seen[2]).toBe(empty);
  });
});

describe("callTool", () => {
  it("works outside and inside of an agent", async () => {
    const parameters = z.object({ n: z.coerce.number() });
    const t = tool("t", ({ n }) => [n, getContextSignal() instanceof AbortSignal], parameters);
    expect(await callTool(t, { n: "2", more: 1 })).toEqual([2, false]);
    expect(await inAgent(() => callTool(t, { n: 2 }))).toEqual([2, true]);
  });

  it("throws for invalid arguments, of zod 3 and of zod 4", async () => {
    const handler = vi.fn();
    const three = tool("t", handler, z.object({ a: z.object({ b: z.array(z.number()) }), c: z.string() }));
    await expect(callTool(three, { a: { b: [1, "x"] } })).rejects.toThrow(
      /^Invalid arguments for tool "t": a\.b\.1: Expected number, received string; c: Required$/,
    );
    const four = tool("t", handler, z4.object({ a: z4.number("must be a number") }));
    await expect(callTool(four, {})).rejects.toThrow(/^Invalid arguments for tool "t": a: must be a number$/);
    await expect(callTool(three, 1)).rejects.toThrow(
      'Invalid arguments for tool "t": : Expected object, received number',
    );
    expect(handler).not.toHaveBeenCalled();
  });

  it("passes on the tool's own error", async () => {
    const failure = new RangeError("no");
    const t = tool("t", () => {
      throw failure;
    });
    await expect(callTool(t, {})).rejects.toBe(failure);
  });

  it("runs dynamic, then static middleware, then the handler", async () => {
    /** @type {string[]} */
    const order = [];
    const layer = (/** @type {string} */ name) => ({
      name,
      config: { name },
      /** @this {any} */
      async handler(/** @type {any} */ ctx, /** @type {() => Promise<unknown>} */ next) {
        order.push(`${this.config.name} in ${ctx.toolName} ${JSON.stringify(ctx.args)}`);
        const result = await next();
        order.push(`${name} out`);
        return `${name}(${result})`;
      },
    });
    const t = tool(
      "t",
      () => {
        order.push("handler");
        return "r";
      },
      z.object({ a: z.number().default(1) }),
    );
    const chained = { ...t, middlewares: [layer("s1"), layer("s2")] };
    expect(await callTool(chained, {}, { middleware: [layer("d1"), layer("d2")] })).toBe("d1(d2(s1(s2(r))))");
    expect(order.map((line) => line.split(" ")[0])).toEqual([
      "d1",
      "d2",
      "s1",
      "s2",
      "handler",
      "s2",
      "s1",
      "d2",
      "d1",
    ]);
    expect(order[0]).toBe('d1 in t {"a":1}');
  });

  it("lets middleware answer for the tool, but not run it twice", async () => {
    const handler = vi.fn(() => "r");
    const t = tool("t", handler);
    expect(await callTool(t, {}, { middleware: [{ name: "m", handler: async () => "mine" }] })).toBe("mine");
    expect(handler).not.toHaveBeenCalled();
    const twice = {
      name: "twice",
      handler: async (/** @type {any} */ _ctx, /** @type {any} */ next) => {
        await next();
        return next();
      },
    };
    await expect(callTool(t, {}, { middleware: [twice] })).rejects.toThrow('"twice" called next() more than once');
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it("checks the result, whoever gave it", async () => {
    const bad = tool("t", () => ({ rows: [{ a: 1 }, { a: undefined }] }));
    await expect(callTool(bad, {})).rejects.toThrow(InvalidToolOutputError);
    await expect(callTool(bad, {})).rejects.toThrow('Tool "t" gave an invalid result at result.rows[1].a: undefined');
    await expect(callTool(bad, {})).rejects.toMatchObject({ toolName: "t", path: "result.rows[1].a" });
    await expect(
      callTool(
        tool("t", () => undefined),
        {},
      ),
    ).rejects.toThrow("at result: undefined");
    const good = tool("t", () => 1);
    const spoil = { name: "m", handler: async () => new Date() };
    await expect(callTool(good, {}, { middleware: [spoil] })).rejects.toThrow("at result: an instance of Date");
  });

  it("gives the result as it is", async () => {
    for (const value of ["text", 1, null, true, [1], { a: [null] }]) {
      expect(
        await callTool(
          tool("t", () => value),
          {},
        ),
      ).toBe(value);
    }
  });
});
