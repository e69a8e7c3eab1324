import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { createAgent, equipMemory, reborn } from "@rejelly/core";
import { describe, expect, it } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith, pagedClient } from "../support/clients.js";

/** @param {{ tools: { name: string }[] }} kit */
const namesOf = (kit) => kit.tools.map(({ name }) => name);
const options = { clientId: "c" };

describe("the memo (R10)", () => {
  it("makes one request in a run, over generations", async () => {
    const client = clientWith("a", "b");
    let generation = 0;
    const agent = createAgent({
      id: "memo",
      handler: async () => {
        expect(namesOf(await equipMCP(client, options))).toEqual(["a", "b"]);
        expect(namesOf(await equipMCP(client, options))).toEqual(["a", "b"]);
        generation += 1;
        return generation < 3 ? reborn() : "done";
      },
    });
    await agent();
    expect(client.asked).toEqual([undefined]);
    await agent();
    expect(client.asked.length).toBe(2);
  });

  it("keeps the lists of calls that alternate with other options", async () => {
    const client = pagedClient((cursor) =>
      cursor ? { tools: [{ name: "b" }] } : { tools: [{ name: "a" }], nextCursor: "2" },
    );
    await inAgent(async () => {
      const variants = [{}, { autoPaginate: false }, { maxItems: 1 }, { tools: ["a"] }, { tools: ["b", "a"] }];
      const read = async () => {
        const kits = [];
        for (const variant of variants) kits.push(namesOf(await equipMCP(client, { ...options, ...variant })));
        return kits;
      };
      const first = await read();
      expect(first).toEqual([["a", "b"], ["a"], ["a"], ["a"], ["a", "b"]]);
      const asked = client.asked.length;
      expect(await read()).toEqual(first);
      expect(namesOf(await equipMCP(client, { ...options, tools: ["a", "b", "a"] }))).toEqual(["a", "b"]);
      expect(client.asked.length).toBe(asked);
    });
  });

  it("keeps the lists of two clients apart, and asks again where the id differs", async () => {
    const [one, other] = [clientWith("a"), clientWith("b")];
    await inAgent(async () => {
      expect(namesOf(await equipMCP(one, { clientId: "one" }))).toEqual(["a"]);
      expect(namesOf(await equipMCP(other, { clientId: "other" }))).toEqual(["b"]);
      expect(namesOf(await equipMCP(one, { clientId: "one" }))).toEqual(["a"]);
    });
    expect([one.asked.length, other.asked.length]).toEqual([1, 1]);
  });

  it("forceRefresh lists again and renews what is remembered", async () => {
    let version = 0;
    const client = pagedClient(() => ({ tools: [{ name: `v${version}` }] }));
    await inAgent(async () => {
      expect(namesOf(await equipMCP(client, options))).toEqual(["v0"]);
      version = 1;
      expect(namesOf(await equipMCP(client, options))).toEqual(["v0"]);
      expect(namesOf(await equipMCP(client, { ...options, forceRefresh: true }))).toEqual(["v1"]);
      version = 2;
      expect(namesOf(await equipMCP(client, options))).toEqual(["v1"]);
      expect(equipMemory("__rejelly_internal_mcp__::c::list_epoch", 0)[0]).toBe(1);
    });
    expect(client.asked.length).toBe(2);
  });

  it("a failed refresh leaves the list as it was", async () => {
    let fails = false;
    const client = pagedClient(() => (fails ? new Error("down") : { tools: [{ name: "a" }] }));
    await inAgent(async () => {
      await equipMCP(client, options);
      fails = true;
      await expect(equipMCP(client, { ...options, forceRefresh: true })).rejects.toThrow("down");
      expect(namesOf(await equipMCP(client, options))).toEqual(["a"]);
    });
    expect(client.asked.length).toBe(2);
  });

  it("keeps the catalog as a JSON string under the key of the contract", async () => {
    let snapshot = "";
    await inAgent(() => equipMCP(clientWith("b", "a"), options), { onSnapshot: (text) => (snapshot = text) });
    const { memory } = JSON.parse(snapshot);
    const stored = memory["__rejelly_internal_memo__::__rejelly_internal_mcp__::c::tools_list"];
    expect(typeof stored.value).toBe("string");
    expect(JSON.parse(stored.value).map((/** @type {any} */ tool) => tool.name)).toEqual(["a", "b"]);
    expect(memory["__rejelly_internal_mcp__::c::list_epoch"]).toBe(0);
  });

  it("asks the server where the memory of a snapshot was tampered with", async () => {
    let snapshot = "";
    await inAgent(() => equipMCP(clientWith("a"), options), { onSnapshot: (text) => (snapshot = text) });
    const state = JSON.parse(snapshot);
    state.memory["__rejelly_internal_memo__::__rejelly_internal_mcp__::c::tools_list"].value = "[{}]";
    state.memory["__rejelly_internal_mcp__::c::list_entry"].digest = "0".repeat(64);
    const client = clientWith("fresh");
    const kit = await inAgent(() => equipMCP(client, options), { snapshot: JSON.stringify(state) });
    expect(namesOf(kit)).toEqual(["fresh"]);
    expect(client.asked.length).toBe(1);
  });
});

describe("another process (R10, R11)", () => {
  it("serves the list from a snapshot without a request", async () => {
    let snapshot = "";
    const schema = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
    const client = clientWith({
      name: "search",
      description: "d",
      inputSchema: schema,
      annotations: { readOnlyHint: true },
    });
    await inAgent(() => equipMCP(client, options), { onSnapshot: (text) => (snapshot = text) });
    const script = fileURLToPath(new URL("./restore.mjs", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, snapshot]);
    expect(JSON.parse(stdout)).toEqual({
      asked: 0,
      tools: [
        {
          name: "search",
          description: "d",
          mcp: { server: "c", name: "search", annotations: { readOnlyHint: true }, inputSchema: schema },
        },
      ],
      valid: true,
      invalid: false,
    });
  });

  it("worker threads of one process share catalogs by their content", async () => {
    let snapshot = "";
    await inAgent(() => equipMCP(clientWith("shared"), options), { onSnapshot: (text) => (snapshot = text) });
    // Without the large value only the digest is left: the worker can answer from the native cache alone.
    const state = JSON.parse(snapshot);
    delete state.memory["__rejelly_internal_memo__::__rejelly_internal_mcp__::c::tools_list"];
    const worker = new Worker(new URL("./restore.mjs", import.meta.url), {
      argv: [JSON.stringify(state)],
      stdout: true,
    });
    let output = "";
    worker.stdout.on("data", (data) => (output += data));
    await new Promise((resolve, reject) => worker.on("exit", resolve).on("error", reject));
    expect(JSON.parse(output)).toMatchObject({ asked: 0, tools: [{ name: "shared" }] });
  });
});

describe("kits (R12)", () => {
  it("are snapshots of their own", async () => {
    const client = clientWith("a", "b");
    await inAgent(async () => {
      const one = await equipMCP(client, options);
      const other = await equipMCP(client, options);
      one.tools.pop();
      /** @type {any} */ (one.tools[0]).description = "edited";
      delete (/** @type {any} */ (one.toolMap).b);
      expect(namesOf(other)).toEqual(["a", "b"]);
      expect(other.toolMap.b?.name).toBe("b");
      expect(other.tools[0]?.description).toBe("");
      expect(other.tools[0]).not.toBe(one.tools[0]);
    });
  });
});

describe("at once (R13)", () => {
  it("two calls for one client do not mix, and later ones make no request", async () => {
    const client = clientWith("a", "b", "c");
    await inAgent(async () => {
      const kits = await Promise.all([
        equipMCP(client, options),
        equipMCP(client, { ...options, tools: ["b"] }),
        equipMCP(client, options),
      ]);
      expect(kits.map(namesOf)).toEqual([["a", "b", "c"], ["b"], ["a", "b", "c"]]);
      const asked = client.asked.length;
      expect(namesOf(await equipMCP(client, options))).toEqual(["a", "b", "c"]);
      expect(namesOf(await equipMCP(client, { ...options, tools: ["b"] }))).toEqual(["b"]);
      expect(client.asked.length).toBe(asked);
    });
  });

  it("agents side by side keep their own lists under one id", async () => {
    const runs = ["x", "y", "z"].map((name) => inAgent(async () => namesOf(await equipMCP(clientWith(name), options))));
    expect(await Promise.all(runs)).toEqual([["x"], ["y"], ["z"]]);
  });

  it("a slow list never takes back what a refresh wrote meanwhile", async () => {
    /** @type {(() => void)[]} */
    const waiting = [];
    let version = 0;
    const client = {
      asked: 0,
      async listTools() {
        const tools = [{ name: `v${version++}` }];
        client.asked += 1;
        if (client.asked === 1) await new Promise((resolve) => waiting.push(() => resolve(undefined)));
        return { tools };
      },
      callTool: async () => ({}),
    };
    await inAgent(async () => {
      const slow = equipMCP(client, options);
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(namesOf(await equipMCP(client, { ...options, forceRefresh: true }))).toEqual(["v1"]);
      waiting[0]?.();
      expect(namesOf(await slow)).toEqual(["v0"]);
      expect(namesOf(await equipMCP(client, options))).toEqual(["v1"]);
    });
    expect(client.asked).toBe(2);
  });

  it("a run that is aborted in the middle of a list ends at once and remembers nothing", async () => {
    const controller = new AbortController();
    const client = {
      asked: /** @type {unknown[]} */ ([]),
      listTools(/** @type {{ cursor?: string }} */ { cursor }) {
        client.asked.push(cursor);
        return cursor === undefined
          ? Promise.resolve({ tools: [{ name: "a" }], nextCursor: "2" })
          : new Promise(() => setTimeout(() => controller.abort(new Error("enough")), 5));
      },
      callTool: async () => ({}),
    };
    let snapshot = "";
    const run = inAgent(() => equipMCP(client, options), {
      signal: controller.signal,
      onSnapshot: (text) => (snapshot = text),
    });
    await expect(run).rejects.toThrow("enough");
    expect(client.asked).toEqual([undefined, "2"]);
    const { memory } = JSON.parse(snapshot);
    expect(Object.keys(memory).filter((key) => key.includes("tools_list"))).toEqual([]);
    const next = clientWith("fresh");
    expect(namesOf(await inAgent(() => equipMCP(next, options), { snapshot }))).toEqual(["fresh"]);
  });
});
