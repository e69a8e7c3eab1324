/** The prompts of a kit (R28): pages, shapes, arguments, and what a client cannot do. */
import { describe, expect, it, vi } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { generations } from "../support/clients.js";
import { wired } from "./wire.js";

const message = { role: "user", content: { type: "text", text: "hello" } };

/** @param {any} client @param {object} [options] @param {(prompts: any) => Promise<any>} work @param {object} [run] */
const withPrompts = (client, work, options = {}, run = undefined) =>
  inAgent(async () => work((await equipMCP(client, { clientId: "p", tools: [], ...options })).prompts), run);

describe.each(generations)("prompts with the client of %s", (generation) => {
  /** @param {(request: any) => any} answer */
  const serving = (answer) => wired(generation, answer, { prompts: {} });

  it("are listed over all pages, in the server's order, deeply frozen", async () => {
    const pages = [["b"], ["a", "c"], []];
    const { client, of } = await serving(({ params }) => {
      const page = Number(params?.cursor ?? 0);
      const prompts = pages[page]?.map((name) => ({ name, arguments: [{ name: "x", required: false }] }));
      return page + 1 < pages.length ? { prompts, nextCursor: String(page + 1) } : { prompts };
    });
    const prompts = await withPrompts(client, (kit) => kit.list());
    expect(prompts.map((/** @type {any} */ { name }) => name)).toEqual(["b", "a", "c"]);
    for (const part of [prompts, prompts[0], prompts[0].arguments]) expect(Object.isFrozen(part)).toBe(true);
    expect(of("prompts/list").map(({ params }) => params?.cursor)).toEqual([undefined, "1", "2"]);
  });

  it("are fetched by name and strings", async () => {
    const { client, of } = await serving(() => ({ description: "D", messages: [message] }));
    const prompt = await withPrompts(client, (kit) => kit.get("greet", { n: 2, on: true, list: [1], none: null }));
    expect(prompt).toMatchObject({ description: "D", messages: [message] });
    expect(prompt.asInstruction()).toBe("hello");
    expect(of("prompts/get").map(({ params }) => [params.name, params.arguments])).toEqual([
      ["greet", { n: "2", on: "true", list: "[1]" }],
    ]);
  });

  it("an aborted agent cancels the request; callTimeout bounds it", async () => {
    const { client, of } = await serving(() => undefined);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("stop")), 10);
    const run = withPrompts(client, (kit) => kit.get("slow"), {}, { signal: controller.signal });
    await expect(run).rejects.toThrow(/stop/);
    const cancelled = of("notifications/cancelled").map(({ params }) => params.requestId);
    expect(cancelled).toEqual(of("prompts/get").map(({ id }) => id));
    await expect(withPrompts(client, (kit) => kit.get("slow"), { callTimeout: 20 })).rejects.toThrow(/timed out/);
  });
});

describe("prompts of facades", () => {
  it("are taken as an array and as an object, by either form of call", async () => {
    const positional = {
      listTools: async () => [],
      callTool: async (/** @type {any} */ _name, /** @type {any} */ _args) => ({}),
      listPrompts: async () => [{ name: "a" }],
      getPrompt: vi.fn(async (/** @type {any} */ _name, /** @type {any} */ _args) => ({ messages: [message] })),
    };
    const params = {
      listTools: async () => [],
      callTool: async (/** @type {any} */ _request) => ({}),
      listPrompts: async () => ({ prompts: [{ name: "a" }], nextCursor: null }),
      getPrompt: vi.fn(async (/** @type {any} */ _request) => ({ messages: [message] })),
    };
    for (const client of [positional, params]) {
      const work = async (/** @type {any} */ kit) => [await kit.list(), (await kit.get("a", { n: 1 })).asInstruction()];
      expect(await withPrompts(client, work)).toEqual([[{ name: "a" }], "hello"]);
    }
    expect(positional.getPrompt.mock.calls).toEqual([["a", { n: "1" }]]);
    expect(params.getPrompt.mock.calls).toEqual([[{ name: "a", arguments: { n: "1" } }]]);
  });

  it("a client without the method is told which, and nothing else fails", async () => {
    const client = { listTools: async () => [], callTool: async (/** @type {any} */ _request) => ({}) };
    await expect(withPrompts(client, (kit) => kit.list())).rejects.toThrow(/listPrompts/);
    await expect(withPrompts(client, (kit) => kit.get("a"))).rejects.toThrow(/getPrompt/);
  });

  it("a malformed answer says where", async () => {
    const client = {
      listTools: async () => [],
      callTool: async (/** @type {any} */ _request) => ({}),
      getPrompt: async (/** @type {any} */ _request) => ({ messages: "none" }),
      listPrompts: async () => ({ prompts: "none" }),
    };
    await expect(withPrompts(client, (kit) => kit.get("a"))).rejects.toThrow(/messages/);
    await expect(withPrompts(client, (kit) => kit.list())).rejects.toThrow(/prompts/);
    await expect(withPrompts(client, (kit) => kit.get(""))).rejects.toThrow(TypeError);
    await expect(withPrompts(client, (kit) => kit.get("a", [1]))).rejects.toThrow(TypeError);
  });
});

describe("required arguments (PR01 of the shared cases)", () => {
  const listed = { name: "quick_wins", arguments: [{ name: "min", required: true }, { name: "on" }] };
  const serverWith = (/** @type {unknown[]} */ prompts) => ({
    listTools: async () => [],
    callTool: async (/** @type {any} */ _request) => ({}),
    listPrompts: async () => ({ prompts }),
    getPrompt: vi.fn(async (/** @type {any} */ _request) => ({ messages: [message] })),
  });

  it("that are missing are told before anything is sent, once the prompt was listed", async () => {
    const client = serverWith([listed]);
    await withPrompts(client, async (kit) => {
      // Not listed yet: the server decides.
      await kit.get("quick_wins");
      await kit.list();
      for (const args of [undefined, {}, { on: true }, { min: null }]) {
        await expect(kit.get("quick_wins", args)).rejects.toThrow(
          'prompts.get: expected a value for each required argument of the prompt "quick_wins", got none for "min"',
        );
      }
      await kit.get("quick_wins", { min: 5, on: true });
      await kit.get("quick_wins", { min: "" });
      await kit.get("other");
    });
    expect(client.getPrompt.mock.calls.map(([{ name, arguments: args }]) => [name, args])).toEqual([
      ["quick_wins", undefined],
      ["quick_wins", { min: "5", on: "true" }],
      ["quick_wins", { min: "" }],
      ["other", undefined],
    ]);
  });

  it("of odd lists cost nothing", async () => {
    const client = serverWith([
      { name: "a", arguments: "none" },
      { name: "b", arguments: [null, { required: true }, { name: "x", required: "yes" }] },
      { name: "__proto__", arguments: [{ name: "toString", required: true }] },
    ]);
    await withPrompts(client, async (kit) => {
      await kit.list();
      await kit.get("a");
      await kit.get("b");
      await expect(kit.get("__proto__", {})).rejects.toThrow('got none for "toString"');
    });
  });
});
