import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod/v3";
import {
  ContextNotFoundError,
  createAgent,
  equipInstruction,
  equipMemory,
  equipScope,
  equipSystem,
  equipTool,
  expectScope,
  getContextSignal,
  promptAgent,
  reborn,
} from "../index.js";
import { inAgent, scripted, tool } from "./helpers.js";

describe("createAgent", () => {
  it("gives an async function that runs the handler with its props", async () => {
    const agent = createAgent({ id: "double", handler: (/** @type {number} */ n) => n * 2 });
    expect(agent.name).toBe("double");
    const running = agent(2);
    expect(running).toBeInstanceOf(Promise);
    expect(await running).toBe(4);
    const failure = new Error("no");
    const failing = createAgent({
      id: "failing",
      handler: () => {
        throw failure;
      },
    });
    await expect(failing()).rejects.toBe(failure);
  });

  it("refuses bad options", () => {
    const handler = () => {};
    expect(() => createAgent({ id: "", handler })).toThrow(TypeError);
    expect(() => createAgent(/** @type {any} */ ({ id: "a" }))).toThrow('agent "a" has no handler');
    for (const maxReborns of [-1, 1.5, "1"]) {
      expect(() => createAgent({ id: "a", handler, maxReborns: /** @type {any} */ (maxReborns) })).toThrow(
        "maxReborns",
      );
    }
  });

  it("keeps agents that run side by side apart", async () => {
    const agent = createAgent({
      id: "side",
      handler: async (/** @type {number} */ n) => {
        const [, set] = equipMemory("n", n);
        for (let i = 0; i < 5; i++) {
          await sleep(1);
          set((previous) => previous + 10);
        }
        return equipMemory("n", -1)[0];
      },
    });
    expect(await Promise.all([agent(1), agent(2), agent(3)])).toEqual([51, 52, 53]);
  });

  it("leaves no context behind", async () => {
    await inAgent(() => {});
    expect(() => equipSystem("x")).toThrow(ContextNotFoundError);
  });
});

describe("reborn", () => {
  it("clears what was equipped and keeps memory and props", async () => {
    const model = scripted("one", "two");
    const agent = createAgent({
      id: "phoenix",
      model,
      handler: async (/** @type {string} */ prop) => {
        const [n, set] = equipMemory("n", 0);
        set(n + 1);
        equipSystem(`system ${n}`);
        equipInstruction(`${prop} ${n}`);
        equipScope({ [`key${n}`]: n });
        equipTool(tool(`tool${n}`, () => 1));
        const scope = await createAgent({ id: "child", handler: () => expectScope(z.record(z.number())) })();
        const answer = await promptAgent(z.string());
        return n < 1 ? reborn() : { answer, scope };
      },
    });
    expect(await agent("prop")).toEqual({ answer: "two", scope: { key1: 1 } });
    expect(model.turns[1]?.messages).toEqual([
      { role: "system", content: "system 1" },
      { role: "user", content: "prop 1" },
    ]);
    expect(model.turns[1]?.options.tools.map((/** @type {any} */ t) => t.name)).toEqual(["tool1"]);
  });

  it("is bounded by maxReborns", async () => {
    const handler = vi.fn(() => reborn());
    await expect(createAgent({ id: "a", handler, maxReborns: 3 })()).rejects.toThrow("reborn more than 3 times");
    expect(handler).toHaveBeenCalledTimes(4);
    await expect(createAgent({ id: "a", handler, maxReborns: 0 })()).rejects.toThrow("reborn more than 0 times");
  });

  it("stops at an abort", async () => {
    const controller = new AbortController();
    const reason = new Error("enough");
    const handler = vi.fn(() => {
      controller.abort(reason);
      return reborn();
    });
    await expect(inAgent(handler, { signal: controller.signal })).rejects.toBe(reason);
    expect(handler).toHaveBeenCalledTimes(1);
  });
});

describe("getContextSignal", () => {
  it("is undefined outside and always a signal inside", async () => {
    expect(getContextSignal()).toBeUndefined();
    const signal = await inAgent(() => getContextSignal());
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(signal.aborted).toBe(false);
  });

  it("follows the signal of the run, with its reason", async () => {
    const controller = new AbortController();
    const reason = { why: "because" };
    await inAgent(
      async () => {
        const signal = getContextSignal();
        await sleep(1);
        controller.abort(reason);
        expect(signal?.reason).toBe(reason);
        expect(getContextSignal()).toBe(signal);
      },
      { signal: controller.signal },
    );
    expect(await inAgent(() => getContextSignal()?.reason, { signal: AbortSignal.abort(reason) })).toBe(reason);
  });

  it("of a child follows the parent, and not the other way round", async () => {
    const outer = new AbortController();
    const own = new AbortController();
    const child = createAgent({
      id: "child",
      handler: async (/** @type {() => void} */ act) => {
        act();
        return getContextSignal()?.reason;
      },
    });
    await inAgent(
      async () => {
        expect(await child(() => own.abort("own"), { signal: own.signal })).toBe("own");
        expect(getContextSignal()?.aborted).toBe(false);
        expect(await child(() => outer.abort("outer"))).toBe("outer");
      },
      { signal: outer.signal },
    );
  });

  it("leaves no listener on the outer signal", async () => {
    const { signal } = new AbortController();
    const removed = vi.spyOn(signal, "removeEventListener");
    const added = vi.spyOn(signal, "addEventListener");
    await inAgent(() => {}, { signal });
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(1);
  });
});
