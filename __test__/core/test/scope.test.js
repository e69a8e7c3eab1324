import { describe, expect, it } from "vitest";
import { z } from "zod/v3";
import { ContextNotFoundError, createAgent, equipScope, expectScope } from "../index.js";
import { inAgent } from "./helpers.js";

describe("scope", () => {
  const child = createAgent({ id: "child", handler: (/** @type {any} */ schema) => expectScope(schema) });

  it("reaches child agents, merged, the nearest parent first", async () => {
    const middle = createAgent({
      id: "middle",
      handler: (/** @type {any} */ schema) => {
        equipScope({ a: "middle" });
        return child(schema);
      },
    });
    await inAgent(async () => {
      equipScope({ a: "top", b: { list: [1] } });
      equipScope(JSON.parse('{"b":{"list":[2]},"__proto__":"odd"}'));
      expect(await middle(z.object({ a: z.string(), b: z.any() }))).toEqual({ a: "middle", b: { list: [2] } });
      const scope = await child({ safeParse: (/** @type {any} */ data) => ({ success: true, data }) });
      expect(JSON.stringify(scope)).toBe('{"a":"top","b":{"list":[2]},"__proto__":"odd"}');
    });
  });

  it("is plain data, copied", async () => {
    await inAgent(async () => {
      const data = { list: [1] };
      equipScope(data);
      data.list.push(2);
      const schema = z.object({ list: z.array(z.number()) });
      /** @type {any} */ (await child(schema)).list.push(3);
      expect(await child(schema)).toEqual({ list: [1] });
      expect(() => equipScope({ f() {} })).toThrow("equipScope: value.f is not strict JSON: function");
      expect(() => equipScope(/** @type {any} */ ([]))).toThrow(TypeError);
    });
  });

  it("throws when it does not fit, and outside of an agent", async () => {
    const schema = z.object({ a: z.string() });
    await expect(inAgent(() => child(schema))).rejects.toThrow("The scope is not what was expected: a: Required");
    expect(() => expectScope(schema)).toThrow(ContextNotFoundError);
    expect(() => equipScope({})).toThrow(ContextNotFoundError);
  });
});
