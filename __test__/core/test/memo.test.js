import { expect, it, vi } from "vitest";
import { ContextNotFoundError, createAgent, equipMemo, equipMemory, reborn, snapshotMemory } from "../index.js";
import { deferred, inAgent } from "./helpers.js";

const SLOT = "__rejelly_internal_memo__::k";

it("throws outside of an agent", async () => {
  await expect(equipMemo("k", () => 1, [])).rejects.toThrow(ContextNotFoundError);
});

it("calls the factory once for the same deps, over generations", async () => {
  const factory = vi.fn(async () => ({ made: true }));
  await inAgent(async () => {
    const [n, set] = equipMemory("n", 0);
    // Deep comparison: other objects, other key order.
    const deps = n % 2 ? { a: [1, { b: null }], c: "x" } : { c: "x", a: [1, { b: null }] };
    expect(await equipMemo("k", factory, deps)).toEqual({ made: true });
    set(n + 1);
    return n < 3 ? reborn() : undefined;
  });
  expect(factory).toHaveBeenCalledTimes(1);
});

it("calls it again when deps differ, and keeps the last only", async () => {
  let calls = 0;
  const factory = () => ++calls;
  await inAgent(async () => {
    /** @type {[unknown, unknown][]} */
    const pairs = [
      [[1], [1, 2]],
      [{ a: 1 }, { b: 1 }],
      [{ a: 1 }, [1]],
      [null, {}],
      ["1", 1],
      [[], {}],
      [{ toString: 1 }, { a: 1 }],
    ];
    for (const [index, [a, b]] of pairs.entries()) {
      const key = `k${index}`;
      const before = calls;
      await equipMemo(key, factory, a);
      await equipMemo(key, factory, b);
      await equipMemo(key, factory, b);
      await equipMemo(key, factory, a);
      expect(calls - before, JSON.stringify([a, b])).toBe(3);
    }
  });
});

it("stores { deps, value } in a memory slot, which a snapshot restores", async () => {
  let snapshot = "";
  await inAgent(async () => {
    await equipMemo("k", () => "v", ["d"]);
    expect(equipMemory(SLOT, /** @type {unknown} */ (null))[0]).toEqual({ deps: ["d"], value: "v" });
    snapshot = snapshotMemory();
  });
  const factory = vi.fn();
  expect(await inAgent(() => equipMemo("k", factory, ["d"]), { snapshot })).toBe("v");
  expect(factory).not.toHaveBeenCalled();
});

it("stores nothing when the factory throws, or gives what is no JSON", async () => {
  await inAgent(async () => {
    const failure = new Error("no");
    const throws = () => {
      throw failure;
    };
    await expect(equipMemo("k", throws, [])).rejects.toBe(failure);
    await expect(equipMemo("k", () => undefined, [])).rejects.toThrow("value.value is not strict JSON: undefined");
    expect(JSON.parse(snapshotMemory()).memory).toEqual({});
    expect(await equipMemo("k", () => 1, [])).toBe(1);
    await expect(equipMemo("k", throws, [2])).rejects.toBe(failure);
    expect(await equipMemo("k", throws, [])).toBe(1);
  });
});

it("wants deps that are strict JSON", async () => {
  const factory = vi.fn(() => 1);
  await inAgent(async () => {
    await expect(equipMemo("k", factory, [undefined])).rejects.toThrow(TypeError);
    await expect(equipMemo("k", factory, [() => 1])).rejects.toThrow('Deps of memo "k": value[0]');
  });
  expect(factory).not.toHaveBeenCalled();
});

it("stores the deps as they were at the call, and a copy of the value", async () => {
  await inAgent(async () => {
    const deps = [1];
    const value = await equipMemo(
      "k",
      () => {
        deps.push(2);
        return [1];
      },
      deps,
    );
    value.push(2);
    expect(equipMemory(SLOT, {})[0]).toEqual({ deps: [1], value: [1] });
  });
});

it("runs both factories of two calls at once", async () => {
  const gate = deferred();
  let calls = 0;
  const factory = async () => {
    const mine = ++calls;
    await gate.promise;
    return mine;
  };
  await inAgent(async () => {
    const both = Promise.all([equipMemo("k", factory, []), equipMemo("k", factory, [])]);
    gate.resolve();
    expect(await both).toEqual([1, 2]);
    expect(await equipMemo("k", factory, [])).toBe(2);
  });
});

it("is not fooled by a slot that holds something else", async () => {
  await inAgent(async () => {
    equipMemory(SLOT, "mine");
    expect(await equipMemo("k", () => 1, [])).toBe(1);
  });
});

it("does not mix agents side by side", async () => {
  const gates = [deferred(), deferred()];
  const agent = createAgent({
    id: "side",
    handler: async (/** @type {number} */ n) => {
      const value = await equipMemo("k", () => gates[n]?.promise, []);
      return [value, await equipMemo("k", () => "again", [])];
    },
  });
  const runs = [agent(0), agent(1)];
  gates[1]?.resolve("one");
  gates[0]?.resolve("zero");
  expect(await Promise.all(runs)).toEqual([
    ["zero", "zero"],
    ["one", "one"],
  ]);
});
