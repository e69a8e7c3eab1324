import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import {
  ContextNotFoundError,
  createAgent,
  equipMemory,
  equipResource,
  expectResource,
  getContextSignal,
  ResourceNotFoundError,
  reborn,
} from "../index.js";
import { deferred, inAgent } from "./helpers.js";

describe("resources", () => {
  it("are created once and kept while deps are the same, by Object.is", async () => {
    /** @type {string[]} */
    const log = [];
    const object = {};
    const deps = [[Number.NaN, object], [Number.NaN, object], [Number.NaN, {}], [Number.NaN]];
    await inAgent(async () => {
      const [n, set] = equipMemory("n", 0);
      set(n + 1);
      const resource = await equipResource("r", {
        create: async () => {
          log.push(`create ${n}`);
          return { n };
        },
        destroy: async (made) => {
          await sleep(1);
          log.push(`destroy ${made.n}`);
        },
        deps: /** @type {unknown[]} */ (deps[n]),
      });
      log.push(`got ${resource.n}`);
      return n < 3 ? reborn() : undefined;
    });
    log.push("end");
    expect(log).toEqual([
      "create 0",
      "got 0",
      "got 0",
      "destroy 0",
      "create 2",
      "got 2",
      "destroy 2",
      "create 3",
      "got 3",
      "destroy 3",
      "end",
    ]);
  });

  it("are destroyed when the run fails, the last one first, each in the agent's context", async () => {
    /** @type {unknown[]} */
    const log = [];
    const failure = new Error("of the run");
    const run = inAgent(async () => {
      for (const key of ["a", "b"]) {
        await equipResource(key, {
          create: () => key,
          destroy: () => {
            log.push(key, getContextSignal() instanceof AbortSignal);
            throw new Error("of destroy");
          },
          deps: [],
        });
      }
      throw failure;
    });
    await expect(run).rejects.toBe(failure);
    expect(log).toEqual(["b", true, "a", true]);
  });

  it("report a failing destroy of a run that went well", async () => {
    const failing = async (/** @type {string} */ key) =>
      equipResource(key, { create: () => key, destroy: () => Promise.reject(new Error(`no ${key}`)), deps: [] });
    await expect(inAgent(() => failing("a"))).rejects.toThrow("no a");
    await expect(
      inAgent(async () => {
        await failing("a");
        await failing("b");
      }),
    ).rejects.toThrow(AggregateError);
  });

  it("are created once by two calls at once, and again after a create that failed", async () => {
    const create = vi.fn(async () => ({}));
    await inAgent(async () => {
      const options = { create, deps: [] };
      const [a, b] = await Promise.all([equipResource("r", options), equipResource("r", options)]);
      expect(a).toBe(b);
      const failing = () => Promise.reject(new Error("not yet"));
      await expect(equipResource("s", { create: failing, deps: [] })).rejects.toThrow("not yet");
      expect(await equipResource("s", { create: () => 1, deps: [] })).toBe(1);
    });
    expect(create).toHaveBeenCalledTimes(1);
  });

  it("that are still being created at the end are destroyed as well, and none is made later", async () => {
    const gate = deferred();
    const after = deferred();
    const destroy = vi.fn();
    const late = vi.fn();
    /** @type {Promise<unknown> | undefined} */
    let dangling;
    const run = inAgent(() => {
      void equipResource("r", { create: () => gate.promise, destroy, deps: [] });
      dangling = after.promise.then(() => equipResource("late", { create: late, deps: [] }));
      dangling.catch(() => {});
    });
    await sleep(1);
    gate.resolve("made");
    await run;
    expect(destroy).toHaveBeenCalledWith("made");
    after.resolve();
    await expect(dangling).rejects.toThrow('the run of agent "test" has ended');
    expect(late).not.toHaveBeenCalled();
  });

  it("reach child agents when exposed", async () => {
    const grandchild = createAgent({ id: "g", handler: (/** @type {string} */ key) => expectResource(key) });
    const child = createAgent({ id: "c", handler: (/** @type {string} */ key) => grandchild(key) });
    await inAgent(async () => {
      await equipResource("__proto__", { create: () => "exposed", deps: [], expose: true });
      await equipResource("private", { create: () => "private", deps: [] });
      expect(await child("__proto__")).toBe("exposed");
      await expect(child("private")).rejects.toThrow(ResourceNotFoundError);
      await expect(child("toString")).rejects.toThrow('No parent agent exposes a resource "toString"');
      expect(() => expectResource("__proto__")).toThrow(ResourceNotFoundError);
    });
  });

  it("throw outside of an agent", async () => {
    await expect(equipResource("r", { create: () => 1, deps: [] })).rejects.toThrow(ContextNotFoundError);
    expect(() => expectResource("r")).toThrow(ContextNotFoundError);
    await expect(inAgent(() => equipResource("r", /** @type {any} */ ({ create: () => 1 })))).rejects.toThrow("deps");
  });
});
