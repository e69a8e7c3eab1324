/** An agent aborted, and a client closed, at every point of a walk, of a memo hit, of a call and of the kit's other requests. */
import { getEventListeners } from "node:events";
import { getContextSignal } from "@rejelly/core";
import { describe, expect, it, vi } from "vitest";
import { equipMCP } from "../../index.js";
import { wired } from "../calls/wire.js";
import { inAgent } from "../support/agent.js";
import { generations } from "../support/clients.js";
import { call, equip, errors, failure, faulty, HARD_LIMIT, namesOf, settled, watchFaults } from "./harness.js";
import { atEveryPoint } from "./points.js";

watchFaults();

const PAGES = 3;
const WHOLE = ["echo", ...[0, 1, 2].flatMap((page) => [`p${page}_0`, `p${page}_1`])];
/** Some hundreds of runs. */
const LIMIT = 3 * HARD_LIMIT;
const base = { clientId: "abort", enableResources: true };
const ENTRY = "__rejelly_internal_mcp__::abort::list_entry";

/** @param {any} message */
const isRequest = ({ method, id }) => method !== undefined && id !== undefined;
/** @param {any[]} messages @returns {string[]} */
const methodsOf = (messages) => messages.filter(isRequest).map(({ method }) => method);

/** Lets the process do all that it still does of its own accord for what is over. */
const calm = async () => {
  for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate);
};

/**
 * What is interrupted, from the beginning of the agent's run on.
 * @typedef {object} Operation
 * @property {string} name
 * @property {string[]} requests what it sends
 * @property {"nothing" | "list" | "text"} memory what the run remembers: nothing, the list, or the list's text without the entry beside it
 * @property {object} [options] of `equipMCP`
 * @property {(kit: any) => unknown} work
 */
const lists = Array(PAGES).fill("tools/list");
/** @param {any} kit */
const inject = (kit) => kit.inject();
/** @type {Operation[]} */
const OPERATIONS = [
  { name: "a walk", requests: lists, memory: "nothing", work: inject },
  { name: "a refresh", requests: lists, memory: "list", options: { forceRefresh: true }, work: inject },
  { name: "a memo hit", requests: [], memory: "list", work: inject },
  { name: "a restored list", requests: [], memory: "text", work: inject },
  { name: "a call", requests: ["tools/call"], memory: "list", work: (kit) => kit.toolMap.echo.handler({ n: 1 }) },
  {
    name: "list_resources",
    requests: ["resources/list", "resources/templates/list"],
    memory: "list",
    work: (kit) => kit.resourceToolMap.mcp_list_resources.handler({}),
  },
  {
    name: "read_resource",
    requests: ["resources/read"],
    memory: "list",
    work: (kit) => kit.resourceToolMap.mcp_read_resource.handler({ uri: "fault://echo" }),
  },
  {
    name: "prompts.list",
    requests: Array(PAGES).fill("prompts/list"),
    memory: "list",
    work: (kit) => kit.prompts.list(),
  },
  { name: "prompts.get", requests: ["prompts/get"], memory: "list", work: (kit) => kit.prompts.get("echo") },
];

/**
 * The memory of a run that has listed whole, or of one that has not begun.
 * @param {any} client
 * @param {Operation["memory"]} what
 */
async function memoryOf(client, what) {
  let snapshot = "";
  if (what !== "nothing") await equip(client, base, { onSnapshot: (text) => (snapshot = text) });
  if (what === "text") {
    const state = JSON.parse(snapshot);
    delete state.memory[ENTRY];
    snapshot = JSON.stringify(state);
  }
  return snapshot;
}

/** @param {string} snapshot */
const restored = (snapshot) => (snapshot === "" ? {} : { snapshot });

/**
 * @param {any} client
 * @param {Operation} operation
 * @param {import("@rejelly/core").RunOptions & { onSignal?: (signal: any) => void }} run
 */
const runOf = (client, { options, work }, { onSignal, ...run }) =>
  inAgent(async () => {
    onSignal?.(getContextSignal());
    const kit = await equipMCP(client, { ...base, ...options });
    await work(kit);
    return namesOf(kit);
  }, run);

/** A facade that takes no signal: what ends with an abort there ends by this package alone. @param {any} client */
const facadeOf = (client) => ({
  listTools: (/** @type {any} */ params) => client.listTools(params),
  callTool: (/** @type {string} */ name, /** @type {any} */ args) => client.callTool({ name, arguments: args }),
  listResources: (/** @type {any} */ params) => client.listResources(params),
  listResourceTemplates: (/** @type {any} */ params) => client.listResourceTemplates(params),
  readResource: (/** @type {string} */ uri) => client.readResource({ uri }),
  listPrompts: (/** @type {any} */ params) => client.listPrompts(params),
  getPrompt: (/** @type {string} */ name) => client.getPrompt({ name }),
});

describe.each([...generations, /** @type {const} */ ("facade")])("an abort, and the client of %s", (generation) => {
  it.each(OPERATIONS)("at every point of $name", { timeout: LIMIT }, async (operation) => {
    const { requests, memory } = operation;
    const list = [[{ page: PAGES }]];
    const real = await faulty(generation === "facade" ? "sdk1" : generation, {
      "tools/list": list,
      "prompts/list": list,
    });
    const client = generation === "facade" ? facadeOf(real.client) : real.client;
    const { sent, reached } = real;
    const remembered = await memoryOf(client, memory);
    const ends = { aborted: 0, whole: 0 };
    const reason = new Error("stop");
    const points = await atEveryPoint(async (interrupted, point) => {
      const before = sent.length;
      let atAbort = Number.POSITIVE_INFINITY;
      let snapshot = remembered;
      const controller = new AbortController();
      const signals = [controller.signal];
      const stop = interrupted(() => {
        atAbort = sent.length;
        controller.abort(reason);
      });
      const onSnapshot = (/** @type {string} */ text) => {
        snapshot = text;
      };
      const outcome = await settled(
        runOf(client, operation, {
          signal: controller.signal,
          ...restored(remembered),
          onSnapshot,
          onSignal: (signal) => signals.push(signal),
        }),
      );
      const wasReached = stop();
      await calm();
      const at = (/** @type {unknown} */ value) => ({ point, value });
      const asked = methodsOf(sent.slice(before));
      if ("value" in outcome) {
        ends.whole += 1;
        expect(at(outcome.value)).toEqual(at(WHOLE));
        expect(at(asked)).toEqual(at(requests));
      } else {
        ends.aborted += 1;
        // A client that heeds its signal rejects with an error of its own, which holds the reason's words.
        if (generation === "facade") expect(outcome.error).toBe(reason);
        expect(at(outcome.error.message)).toEqual(at(expect.stringMatching(/stop/)));
        expect(at(asked)).toEqual(at(requests.slice(0, asked.length)));
      }
      // Nothing is asked for after the abort, and nothing waits for it any more.
      expect(at(methodsOf(sent.slice(atAbort)))).toEqual(at([]));
      expect(at(signals.flatMap((signal) => getEventListeners(signal, "abort")))).toEqual(at([]));
      // The next run with this memory has the whole catalog; it lists anew only where none was remembered whole.
      const afterwards = sent.length;
      expect(at(namesOf(await equip(client, base, restored(snapshot))))).toEqual(at(WHOLE));
      const again = methodsOf(sent.slice(afterwards)).length;
      expect(at(again)).toEqual(at(snapshot.includes("tools_list") ? 0 : PAGES));
      if ("value" in outcome || memory !== "nothing") expect(at(again)).toEqual(at(0));
      return wasReached;
    });
    expect(points).toBeGreaterThan(5);
    expect(ends.whole).toBeGreaterThan(0);
    // What needs nothing of the server is not in vain.
    expect(ends.aborted > 0).toBe(requests.length > 0);
    for (const method of new Set(requests)) {
      expect(reached(method)).toHaveLength(methodsOf(sent).filter((name) => name === method).length);
    }
  });
});

/** A server in this process, of the same lists. @param {any} request */
function answer({ method, params }) {
  const page = Number(params?.cursor ?? 0);
  const names = [...(page === 0 ? ["echo"] : []), `p${page}_0`, `p${page}_1`];
  const next = page + 1 < PAGES ? { nextCursor: String(page + 1) } : {};
  if (method === "tools/list")
    return { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })), ...next };
  if (method === "prompts/list") return { prompts: names.map((name) => ({ name })), ...next };
  if (method === "resources/list") return { resources: [] };
  if (method === "resources/templates/list") return { resourceTemplates: [] };
  if (method === "resources/read") return { contents: [{ uri: params.uri, text: "content" }] };
  if (method === "prompts/get") return { messages: [{ role: "user", content: { type: "text", text: "hello" } }] };
  return { content: [{ type: "text", text: "answer" }] };
}

describe.each(generations)("a client of %s that is closed", (generation) => {
  const { closed } = errors[generation];
  const connected = () => wired(generation, answer, { tools: {}, prompts: {}, resources: {} });

  it.each(OPERATIONS)("at every point of $name", { timeout: LIMIT }, async (operation) => {
    const { requests, memory } = operation;
    const fresh = await connected();
    const remembered = await memoryOf(fresh.client, memory);
    const ends = { closed: 0, whole: 0 };
    await atEveryPoint(async (interrupted, point) => {
      const { client, sent } = await connected();
      let snapshot = remembered;
      let atClose = Number.POSITIVE_INFINITY;
      /** @type {Promise<void> | undefined} */
      let closing;
      const stop = interrupted(() => {
        atClose = sent.length;
        closing = client.close();
      });
      const onSnapshot = (/** @type {string} */ text) => {
        snapshot = text;
      };
      const outcome = await settled(runOf(client, operation, { ...restored(remembered), onSnapshot }));
      const wasReached = stop();
      await closing;
      await calm();
      const at = (/** @type {unknown} */ value) => ({ point, value });
      if ("value" in outcome) {
        ends.whole += 1;
        expect(at(outcome.value)).toEqual(at(WHOLE));
      } else {
        ends.closed += 1;
        const { code, message } = outcome.error;
        expect(at(message === "Not connected" || code)).toEqual(at(message === "Not connected" || closed.code));
      }
      expect(at(methodsOf(sent.slice(atClose)))).toEqual(at([]));
      expect(at(namesOf(await equip(fresh.client, base, restored(snapshot))))).toEqual(at(WHOLE));
      return wasReached;
    });
    expect(ends.whole).toBeGreaterThan(0);
    expect(ends.closed > 0).toBe(requests.length > 0);
  });

  it.each([0, 1, 2])("while page %i of a real server is out", { timeout: HARD_LIMIT }, async (page) => {
    const { client, reached } = await faulty(generation, {
      "tools/list": [...Array(page).fill([{ page: PAGES }]), []],
    });
    const run = failure(equip(client));
    await vi.waitFor(() => expect(reached("tools/list")).toHaveLength(page + 1));
    await client.close();
    expect(await run).toMatchObject(closed);
    expect(reached("tools/list")).toHaveLength(page + 1);
  });

  it("while a call is out", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty(generation, { "tools/call": [[]] });
    const run = failure(call(client));
    await vi.waitFor(() => expect(reached("tools/call")).toHaveLength(1));
    await client.close();
    expect(await run).toMatchObject(closed);
    expect(reached("tools/call")).toHaveLength(1);
  });
});
