/** The caller's async context in calls (R22) against the shared cases; the matrix of Node versions over every method is in `__test__/client`. */
import { AsyncLocalStorage } from "node:async_hooks";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { callTool } from "@rejelly/core";
import { describe, expect, it } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { generations } from "../support/clients.js";
import { hasRuntimes, nodeBinary } from "../support/runtimes.js";
import { caseOf } from "./cases.js";
import { serverOf, textResult, wired } from "./wire.js";

const tool = { name: "t", inputSchema: { type: "object" } };

/** A facade that notes the store in each of its methods, before and after it waits. @param {AsyncLocalStorage<any>} als */
function seeing(als) {
  /** @type {any[]} */
  const seen = [];
  const look = async (/** @type {any} */ answer) => {
    seen.push(als.getStore());
    await new Promise((resolve) => setTimeout(resolve, 1));
    seen.push(als.getStore());
    return answer;
  };
  return {
    seen,
    listTools: (/** @type {any} */ { cursor }) =>
      look(cursor === undefined ? { tools: [tool], nextCursor: "2" } : { tools: [{ ...tool, name: "u" }] }),
    callTool: (/** @type {any} */ _name, /** @type {any} */ _args) => look(textResult(JSON.stringify(als.getStore()))),
  };
}

describe("shared cases", () => {
  it("A01-threadsafe-function", async () => {
    const { als } = caseOf("A01-threadsafe-function");
    const storage = new AsyncLocalStorage();
    // The client is made, and the tools are listed once, outside of the run: nothing may cling to that context.
    const client = seeing(storage);
    await inAgent(() => equipMCP(client, { clientId: "outside" }));
    expect(client.seen.splice(0)).toEqual([undefined, undefined, undefined, undefined]);
    await storage.run(als.store, () =>
      inAgent(async () => {
        const kit = /** @type {any} */ (await equipMCP(client, { clientId: "inside" }));
        expect(await callTool(kit.toolMap.t, {})).toBe(JSON.stringify(als.store));
      }),
    );
    // Two pages, which the native side asked for, and one call; each before and after it waits.
    expect(client.seen).toEqual(Array(6).fill(als.store));
  });

  it("A03-tool-execute-context", async () => {
    const { als } = caseOf("A03-tool-execute-context");
    const storage = new AsyncLocalStorage();
    const client = seeing(storage);
    const run = (/** @type {any} */ store) =>
      storage.run(store, () =>
        inAgent(async () => {
          const kit = /** @type {any} */ (await equipMCP(client, { clientId: "a" }));
          /** @type {any[]} */
          const inside = [];
          const handler = async (/** @type {any} */ _ctx, /** @type {() => Promise<unknown>} */ next) => {
            inside.push(storage.getStore());
            const answer = await next();
            inside.push(storage.getStore());
            return answer;
          };
          const answer = await callTool(kit.toolMap.t, {}, { middleware: [{ name: "look", handler }] });
          return [...inside, JSON.parse(/** @type {string} */ (answer)), storage.getStore()];
        }),
      );
    const other = { userId: "abc" };
    expect(await Promise.all([run(als.store), run(other)])).toEqual([Array(4).fill(als.store), Array(4).fill(other)]);
    expect(client.seen.filter((store) => store === als.store)).toHaveLength(6);
    expect(client.seen.filter((store) => store === other)).toHaveLength(6);
  });

  it("A06-second-call", async () => {
    const { als, hostCalls } = caseOf("A06-second-call");
    const storage = new AsyncLocalStorage();
    const client = seeing(storage);
    await storage.run(als.store, () =>
      inAgent(async () => {
        const kit = /** @type {any} */ (await equipMCP(client, { clientId: "a" }));
        for (let call = 0; call < hostCalls; call += 1) {
          expect(await callTool(kit.toolMap.u, {})).toBe(JSON.stringify(als.store));
        }
      }),
    );
    expect(client.seen).toEqual(Array(4 + 2 * hostCalls).fill(als.store));
  });

  const script = fileURLToPath(new URL("./context.mjs", import.meta.url));
  const majors = hasRuntimes ? [20, 22, 24, 26] : [Number(process.versions.node.split(".")[0])];
  const each = generations.flatMap((generation) => majors.map((major) => /** @type {const} */ ([generation, major])));

  it.each(each)(
    '"A04-transport-context-handlers": a real server and the client of %s on Node %i',
    { timeout: 150_000 },
    async (generation, major) => {
      const { stdout } = await promisify(execFile)(await nodeBinary(major), [script, generation], { timeout: 25_000 });
      const { progress, elicitation, calls, after } = JSON.parse(stdout);
      // Progress goes to whoever made the call, though it comes through the transport, and runs do not mix.
      expect(progress).toEqual(expect.arrayContaining(["u1", "u2"]));
      expect(new Set(progress)).toEqual(new Set(["u1", "u2"]));
      expect(calls.sort()).toEqual(["u1", "u1", "u2", "u2"]);
      expect(after.sort()).toEqual(["u1", "u1", "u2", "u2"]);
      // Handlers of the server's own requests belong to the client: they see the context in which it was connected, as index.d.ts says.
      expect(elicitation).toEqual(["connect", "connect"]);
    },
  );
});

describe.each(generations)("progress with the client of %s", (generation) => {
  it("comes in the caller's context, with the tool's native name, whatever context the message comes in", async () => {
    const storage = new AsyncLocalStorage();
    const { client } = await storage.run("connect", () =>
      wired(
        generation,
        serverOf([tool], (_params, request, server) => {
          const params = { progressToken: request.params._meta.progressToken, progress: 1, total: 2, message: "half" };
          storage.run("transport", () => server.send({ method: "notifications/progress", params }));
          return new Promise((resolve) => setTimeout(resolve, 10, textResult("done")));
        }),
      ),
    );
    /** @type {any[]} */
    const seen = [];
    const onProgress = (/** @type {any} */ { progress, total, message }, /** @type {any} */ context) =>
      seen.push([storage.getStore(), progress, total, message, context]);
    const run = (/** @type {string} */ user) =>
      storage.run(user, () =>
        inAgent(async () => {
          const kit = /** @type {any} */ (await equipMCP(client, { clientId: "p", namespace: "ns", onProgress }));
          return await callTool(kit.toolMap.ns_t, {});
        }),
      );
    expect(await Promise.all([run("u1"), run("u2")])).toEqual(["done", "done"]);
    expect(seen.sort()).toEqual(["u1", "u2"].map((user) => [user, 1, 2, "half", { tool: "t" }]));
  });
});
