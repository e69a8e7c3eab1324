import { describe, expect, it, vi } from "vitest";
import { callMcpTool, equipMCP, fromMCPTool } from "../../index.js";
import { inAgent } from "../support/agent.js";

const tool = { name: "t", inputSchema: { type: "object" } };
const answer = { content: [{ type: "text", text: "ok" }] };

/** @param {any} client @param {any} [args] */
const call = (client, args = { a: 1 }) => fromMCPTool(tool, client).handler(args);

describe("the form of a call (R20)", () => {
  it.each([
    ["sdk 2.x", (/** @type {any} */ callTool) => ({ getProtocolEra: () => "legacy", callTool })],
    [
      "sdk 1.x",
      (/** @type {any} */ callTool) => ({ request() {}, setRequestHandler() {}, getServerCapabilities() {}, callTool }),
    ],
  ])("%s is told by its marks, whatever the arity", async (_, make) => {
    const calls = /** @type {any[]} */ ([]);
    const client = make((...args) => {
      calls.push(args);
      return Promise.resolve(answer);
    });
    expect(await call(client)).toBe("ok");
    expect(calls).toHaveLength(1);
    expect(calls[0][0]).toEqual({ name: "t", arguments: { a: 1 } });
  });

  it("a facade is told by the arity it declares", async () => {
    const positional = {
      calls: /** @type {any[]} */ ([]),
      async callTool(name, args) {
        positional.calls.push([name, args]);
        return answer;
      },
    };
    const params = {
      calls: /** @type {any[]} */ ([]),
      async callTool(request) {
        params.calls.push(request);
        return answer;
      },
    };
    expect([await call(positional), await call(params)]).toEqual(["ok", "ok"]);
    expect(positional.calls).toEqual([["t", { a: 1 }]]);
    expect(params.calls).toEqual([{ name: "t", arguments: { a: 1 } }]);
  });

  it("callStyle decides over every mark", async () => {
    const client = {
      listTools: async () => [tool],
      calls: /** @type {any[]} */ ([]),
      async callTool(/** @type {any[]} */ ...args) {
        client.calls.push(args);
        return answer;
      },
    };
    await inAgent(async () => {
      const kit = await equipMCP(client, { clientId: "c", callStyle: "positional" });
      await kit.toolMap.t?.handler({ a: 1 });
    });
    await callMcpTool(client, "t", { b: 2 }, { callStyle: "params" });
    expect(client.calls).toEqual([["t", { a: 1 }], [{ name: "t", arguments: { b: 2 } }]]);
  });

  it("a client without marks may be tried twice, once in its life, and the form is remembered", async () => {
    const callTool = vi.fn(async (...args) => {
      if (typeof args[0] !== "string") throw new TypeError("name.trim is not a function");
      return answer;
    });
    const client = { callTool };
    expect(await call(client)).toBe("ok");
    expect(await call(client)).toBe("ok");
    expect(callTool.mock.calls).toEqual([[{ name: "t", arguments: { a: 1 } }], ["t", { a: 1 }], ["t", { a: 1 }]]);
  });

  it("a client without marks that resolves to no result is tried in the second form", async () => {
    const client = { callTool: vi.fn(async (...args) => (typeof args[0] === "string" ? answer : undefined)) };
    expect(await call(client)).toBe("ok");
    expect(client.callTool).toHaveBeenCalledTimes(2);
  });

  it("any other error of a client without marks is final, and sent once", async () => {
    const error = new Error("server says no");
    const client = { callTool: vi.fn(async (..._) => Promise.reject(error)) };
    await expect(call(client)).rejects.toBe(error);
    await expect(call(client)).rejects.toBe(error);
    expect(client.callTool).toHaveBeenCalledTimes(2);
  });

  it("once a form has been answered, a later TypeError is final", async () => {
    let fails = false;
    const client = { callTool: vi.fn(async (..._) => (fails ? Promise.reject(new TypeError("late")) : answer)) };
    await call(client);
    fails = true;
    await expect(call(client)).rejects.toThrow("late");
    expect(client.callTool).toHaveBeenCalledTimes(2);
  });

  it("a client that bears marks is never tried twice, not even for a TypeError", async () => {
    const error = new TypeError("inside the client");
    /** @type {((throwIt: () => never) => any)[]} */
    const makers = [
      (throwIt) => ({ callTool: async (/** @type {any} */ _request) => throwIt() }),
      (throwIt) => ({ callTool: async (/** @type {any} */ _name, /** @type {any} */ _args) => throwIt() }),
      (throwIt) => ({ getProtocolEra: () => "modern", callTool: async () => throwIt() }),
    ];
    for (const make of makers) {
      let calls = 0;
      const client = make(() => {
        calls += 1;
        throw error;
      });
      await expect(call(client)).rejects.toBe(error);
      expect(calls).toBe(1);
    }
  });

  it("a method of the client keeps its `this`", async () => {
    class Facade {
      #secret = answer;
      async callTool(_name, _args) {
        return this.#secret;
      }
    }
    expect(await call(new Facade())).toBe("ok");
  });

  it("a rejection keeps the client's own error object, primitives too (R23)", async () => {
    const error = Object.assign(new Error("rate limited"), { code: -32042, data: { retryAfter: 30 } });
    await expect(call({ callTool: async (_a, _b) => Promise.reject(error) })).rejects.toBe(error);
    await expect(call({ callTool: async (_a, _b) => Promise.reject("text") })).rejects.toBe("text");
    await expect(
      call({
        callTool: (_a, _b) => {
          throw error;
        },
      }),
    ).rejects.toBe(error);
  });

  it("absent arguments become an empty object", async () => {
    const client = { callTool: vi.fn(async (_name, _args) => answer) };
    await fromMCPTool(tool, client).handler(undefined);
    expect(client.callTool).toHaveBeenCalledWith("t", {});
  });
});

describe("request options (R21)", () => {
  /** @param {boolean} second */
  const sdk = (second) => {
    const calls = /** @type {any[]} */ ([]);
    const marks = second
      ? { getProtocolEra: () => "modern" }
      : { request() {}, setRequestHandler() {}, getServerCapabilities() {} };
    return {
      ...marks,
      calls,
      listTools: async () => ({ tools: [tool] }),
      callTool: async (...args) => {
        calls.push(args);
        return answer;
      },
    };
  };

  it("go third to 1.x and second to 2.x", async () => {
    const onProgress = vi.fn();
    for (const second of [false, true]) {
      const client = sdk(second);
      await inAgent(async () => {
        const kit = await equipMCP(client, { clientId: "c", callTimeout: 1234, onProgress });
        await kit.toolMap.t?.handler({});
      });
      const [args] = client.calls;
      const options = args[second ? 1 : 2];
      expect(args).toHaveLength(second ? 2 : 3);
      if (!second) expect(args[1]).toBeUndefined();
      expect(options.timeout).toBe(1234);
      expect(options.signal).toBeInstanceOf(AbortSignal);
      options.onprogress({ progress: 1, total: 2 });
      expect(onProgress).toHaveBeenLastCalledWith({ progress: 1, total: 2 }, { tool: "t" });
      if (second) expect(options.toolDefinition).toEqual({ name: "t", inputSchema: { type: "object" } });
    }
  });

  it("a call that is aborted rejects at once, and the listener is gone afterwards", async () => {
    for (const client of [sdk(false), sdk(true), { callTool: (_name, _args) => new Promise(() => {}) }]) {
      if ("calls" in client) client.callTool = () => new Promise(() => {});
      const controller = new AbortController();
      const run = inAgent(() => fromMCPTool(tool, client).handler({}), { signal: controller.signal });
      setTimeout(() => controller.abort(new Error("stop")), 5);
      await expect(run).rejects.toThrow("stop");
    }
  });

  it("an agent that is already aborted sends nothing", async () => {
    const client = { callTool: vi.fn(async (_name, _args) => answer) };
    const run = inAgent(() => fromMCPTool(tool, client).handler({}), { signal: AbortSignal.abort(new Error("gone")) });
    await expect(run).rejects.toThrow("gone");
    expect(client.callTool).not.toHaveBeenCalled();
  });

  it("callTimeout holds for a facade too, and a late answer is dropped", async () => {
    const client = {
      listTools: async () => [tool],
      callTool: (_name, _args) => new Promise((resolve) => setTimeout(resolve, 60, answer)),
    };
    await inAgent(async () => {
      const kit = await equipMCP(client, { clientId: "c", callTimeout: 20 });
      await expect(kit.toolMap.t?.handler({})).rejects.toMatchObject({ name: "TimeoutError" });
    });
    await new Promise((resolve) => setTimeout(resolve, 60));
  });
});
