import { describe, expect, it } from "vitest";
import { ContextNotFoundError, createAgent, equipMemory, reborn, snapshotMemory } from "../index.js";
import { inAgent } from "./helpers.js";

const cycle = { deep: {} };
cycle.deep = { again: cycle };

/** @type {[string, unknown, string][]} */
const flawed = [
  ["undefined", undefined, "value is not strict JSON: undefined"],
  ["undefined in an object", { a: [{ b: undefined }] }, "value.a[0].b is not strict JSON: undefined"],
  ["a function", { f() {} }, "value.f is not strict JSON: function"],
  ["a symbol", [Symbol("s")], "value[0] is not strict JSON: symbol"],
  ["a symbol key", { x: { [Symbol("s")]: 1 } }, "value.x is not strict JSON: a symbol key"],
  ["a bigint", { "odd key": 1n }, 'value["odd key"] is not strict JSON: bigint'],
  ["NaN", { n: Number.NaN }, "value.n is not strict JSON: NaN"],
  ["Infinity", [1, -Infinity], "value[1] is not strict JSON: -Infinity"],
  ["a cycle", cycle, "value.deep.again is not strict JSON: a cycle"],
  ["a class instance", { at: new Date(0) }, "value.at is not strict JSON: an instance of Date"],
  ["a map", new Map(), "value is not strict JSON: an instance of Map"],
  ["a subclass of Array", new (class Row extends Array {})(), "value is not strict JSON: an instance of Row"],
  ["a sparse array", new Array(2), "value[0] is not strict JSON: a hole in an array"],
  ["an array with more than items", Object.assign([1], { more: 1 }), "value is not strict JSON: an array with named"],
];

describe("equipMemory", () => {
  it("throws outside of an agent", () => {
    expect(() => equipMemory("k", 0)).toThrow(ContextNotFoundError);
    expect(() => equipMemory("k", 0)).toThrow("equipMemory() was called outside of an agent");
  });

  it("keeps the first initial value, and takes a value or an updater", async () => {
    await inAgent(() => {
      const [first, set] = equipMemory("k", 1);
      expect(first).toBe(1);
      set(5);
      set((previous) => previous + 1);
      expect(first).toBe(1);
      expect(equipMemory("k", 100)[0]).toBe(6);
    });
  });

  it("lives as long as one run of one agent", async () => {
    const agent = createAgent({
      id: "counter",
      handler: () => {
        const [count, set] = equipMemory("count", 0);
        set(count + 1);
        return count < 2 ? reborn() : count;
      },
    });
    expect(await agent()).toBe(2);
    expect(await agent()).toBe(2);
  });

  it("is not shared with a child agent", async () => {
    const child = createAgent({ id: "child", handler: () => equipMemory("k", "child")[0] });
    await inAgent(async () => {
      equipMemory("k", "parent");
      expect(await child()).toBe("child");
      expect(equipMemory("k", "")[0]).toBe("parent");
    });
  });

  it.each(flawed)("refuses %s", async (_name, value, message) => {
    await inAgent(() => {
      expect(() => equipMemory("new", value)).toThrow(TypeError);
      expect(() => equipMemory("new", value)).toThrow(`Memory "new": ${message}`);
      const [, set] = equipMemory("k", /** @type {unknown} */ ("old"));
      expect(() => set(() => value)).toThrow(message);
      expect(equipMemory("k", "")[0]).toBe("old");
    });
  });

  it("takes null-prototype objects, shared references and every JSON value", async () => {
    await inAgent(() => {
      const shared = [1];
      const bare = Object.assign(Object.create(null), { a: shared, b: shared, c: null, d: "\ud800", e: -1.5, f: true });
      expect(equipMemory("k", bare)[0]).toEqual({ a: [1], b: [1], c: null, d: "\ud800", e: -1.5, f: true });
    });
  });

  it("copies on every write and on every read", async () => {
    await inAgent(() => {
      const given = { list: [1] };
      const [first, set] = equipMemory("k", given);
      given.list.push(2);
      first.list.push(3);
      expect(equipMemory("k", given)[0]).toEqual({ list: [1] });
      set((previous) => {
        first.list = previous.list;
        return previous;
      });
      first.list.push(4);
      expect(equipMemory("k", given)[0]).toEqual({ list: [1] });
    });
  });

  it("takes any key and keeps odd keys in values", async () => {
    await inAgent(() => {
      for (const key of ["__proto__", "constructor", "1"]) {
        expect(equipMemory(key, key)[0]).toBe(key);
        expect(equipMemory(key, "")[0]).toBe(key);
      }
      const odd = JSON.parse('{"__proto__":{"x":1},"constructor":2}');
      expect(JSON.stringify(equipMemory("odd", odd)[0])).toBe('{"__proto__":{"x":1},"constructor":2}');
    });
    await expect(inAgent(() => equipMemory("", 0))).rejects.toThrow(TypeError);
  });
});

describe("snapshots", () => {
  it("hold the memory as JSON and give every slot back", async () => {
    /** @type {string[]} */
    const texts = [];
    await inAgent(
      () => {
        const [n, set] = equipMemory("__proto__", 0);
        equipMemory("list", [{ a: 1 }]);
        set(n + 1);
        return n < 1 ? reborn() : JSON.parse(snapshotMemory());
      },
      { onSnapshot: (/** @type {string} */ text) => texts.push(text) },
    );
    expect(texts).toHaveLength(2);
    expect(texts[1]).toBe('{"version":1,"memory":{"__proto__":2,"list":[{"a":1}]}}');

    await inAgent(
      () => {
        expect(equipMemory("__proto__", 0)[0]).toBe(2);
        expect(equipMemory("list", /** @type {unknown[]} */ ([]))[0]).toEqual([{ a: 1 }]);
        expect(snapshotMemory()).toBe(texts[1]);
      },
      { snapshot: texts[1] },
    );
  });

  it("come also from a run that fails", async () => {
    let text = "";
    const run = inAgent(
      () => {
        equipMemory("k", "v");
        throw new Error("no");
      },
      { onSnapshot: (/** @type {string} */ t) => (text = t) },
    );
    await expect(run).rejects.toThrow("no");
    expect(JSON.parse(text).memory).toEqual({ k: "v" });
  });

  it("are refused when they are none", async () => {
    for (const snapshot of ["{", "[]", "null", '{"version":2,"memory":{}}', '{"version":1,"memory":[]}', {}]) {
      await expect(inAgent(() => {}, { snapshot })).rejects.toThrow(TypeError);
    }
    expect(() => snapshotMemory()).toThrow(ContextNotFoundError);
  });
});
