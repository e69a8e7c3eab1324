/** A task aborted, and its client closed, at every point; a server that dies or falls silent while one runs (R30). */
import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { getContextSignal } from "@rejelly/core";
import { describe, expect, it, vi } from "vitest";
import { equipMCP } from "../../index.js";
import { textResult, wired } from "../calls/wire.js";
import { inAgent } from "../support/agent.js";
import { failure, faulty, HARD_LIMIT, settled, watchFaults } from "./harness.js";
import { atEveryPoint } from "./points.js";

watchFaults();

const tool = { name: "t", inputSchema: { type: "object" }, execution: { taskSupport: "required" } };
const capabilities = { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };

/** A server that runs a task over a few polls, and knows what became of it. @param {number} polls */
function taskServer(polls) {
  const state = { made: 0, status: "none", left: polls };
  const task = () => ({
    taskId: `task-${state.made}`,
    status: state.status,
    ttl: null,
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    pollInterval: 1,
  });
  const answer = async (/** @type {any} */ { method }) => {
    if (method === "tools/list") return { tools: [tool] };
    if (method === "tools/call") {
      Object.assign(state, { made: state.made + 1, status: "working", left: polls });
      return { task: task() };
    }
    if (method === "tasks/get" && state.status === "working" && state.left-- <= 0) state.status = "completed";
    if (method === "tasks/get") return task();
    if (method === "tasks/result") return textResult("done");
    if (method === "tasks/cancel") {
      if (state.status !== "working") throw { code: -32602, message: `the task is ${state.status}` };
      state.status = "cancelled";
      return task();
    }
    throw { code: -32601, message: method };
  };
  return { state, answer };
}

/** @param {any} client @param {object} [run] @param {object} [options] @param {(signal: any) => void} [onSignal] */
const call = (client, run, options, onSignal) =>
  inAgent(async () => {
    onSignal?.(getContextSignal());
    const kit = /** @type {any} */ (await equipMCP(client, { clientId: "tasks", ...options }));
    return await kit.toolMap.t.handler({ a: 1 });
  }, run);

describe("a task of a 1.x client", () => {
  it("aborted at every point: sent once at most, and never left running", { timeout: 3 * HARD_LIMIT }, async () => {
    let snapshot = "";
    const ends = /** @type {Record<string, number>} */ ({});
    const points = await atEveryPoint(async (interrupted, point) => {
      const { state, answer } = taskServer(2);
      const { client, of, sent } = await wired("sdk1", answer, capabilities);
      if (snapshot === "")
        await inAgent(() => equipMCP(client, { clientId: "tasks" }), { onSnapshot: (text) => (snapshot = text) });
      const controller = new AbortController();
      const signals = [controller.signal];
      let atAbort = Number.POSITIVE_INFINITY;
      const stop = interrupted(() => {
        atAbort = sent.length;
        controller.abort(new Error("stop"));
      });
      const outcome = await settled(
        call(client, { signal: controller.signal, snapshot }, {}, (signal) => signals.push(signal)),
      );
      const wasReached = stop();
      const at = (/** @type {unknown} */ value) => ({ point, value });
      expect(at(of("tools/call").length <= 1)).toEqual(at(true));
      // No task is made for an agent that is aborted already.
      expect(at(sent.slice(atAbort).map(({ method }) => method))).not.toEqual(
        at(expect.arrayContaining(["tools/call"])),
      );
      if ("value" in outcome) expect(outcome.value).toBe("done");
      else {
        expect(at(outcome.error.message)).toEqual(at(expect.stringMatching(/stop/)));
        await vi.waitFor(() => expect(at(state.status)).not.toEqual(at("working")));
      }
      await sleep(5);
      const polls = of("tasks/get").length;
      await sleep(5);
      expect(at(of("tasks/get").length)).toEqual(at(polls));
      expect(at(of("tasks/cancel").length <= 1)).toEqual(at(true));
      expect(at(signals.flatMap((signal) => getEventListeners(signal, "abort")))).toEqual(at([]));
      const end = `${"value" in outcome ? "done" : "aborted"}, ${state.status}`;
      ends[end] = (ends[end] ?? 0) + 1;
      return wasReached;
    });
    expect(points).toBeGreaterThan(20);
    expect(Object.keys(ends).sort()).toEqual([
      "aborted, cancelled",
      "aborted, completed",
      "aborted, none",
      "done, completed",
    ]);
  });

  it("whose client is closed at every point", { timeout: 3 * HARD_LIMIT }, async () => {
    const ends = /** @type {Record<string, number>} */ ({});
    await atEveryPoint(async (interrupted, point) => {
      const { state, answer } = taskServer(2);
      const { client, of, sent } = await wired("sdk1", answer, capabilities);
      let atClose = Number.POSITIVE_INFINITY;
      const stop = interrupted(() => {
        atClose = sent.length;
        client.close();
      });
      const outcome = await settled(call(client));
      const wasReached = stop();
      const at = (/** @type {unknown} */ value) => ({ point, value });
      expect(at(of("tools/call").length <= 1)).toEqual(at(true));
      if ("value" in outcome) expect(outcome.value).toBe("done");
      else expect(at(outcome.error.message)).toEqual(at(expect.stringMatching(/Not connected$|Connection closed$/)));
      await sleep(3);
      expect(at(sent.slice(atClose).map(({ method }) => method))).toEqual(at([]));
      const end = `${"value" in outcome ? "done" : "closed"}, ${state.status}`;
      ends[end] = (ends[end] ?? 0) + 1;
      return wasReached;
    });
    expect(Object.keys(ends).sort()).toEqual([
      "closed, completed",
      "closed, none",
      "closed, working",
      "done, completed",
    ]);
  });

  /** Its server's script: the task is made, and then goes on so. @param {object[][]} polls @param {object} [more] */
  const script = (polls, more) => ({
    initialize: [
      [{ result: { protocolVersion: "2025-11-25", capabilities, serverInfo: { name: "faults", version: "1.0.0" } } }],
    ],
    "tools/list": [[{ result: { tools: [tool] } }]],
    "tools/call": [[{ result: { task: working } }]],
    "tasks/get": polls,
    ...more,
  });
  const time = "2026-01-01T00:00:00Z";
  const working = { taskId: "1", status: "working", ttl: null, createdAt: time, lastUpdatedAt: time, pollInterval: 5 };

  it("whose server dies: the client's own error, sent once", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty("sdk1", script([[{ result: working }], [{ kill: true }]]));
    expect((await failure(call(client))).message).toMatch(/Connection closed/);
    expect([reached("tools/call").length, reached("tasks/get").length]).toEqual([1, 2]);
  });

  it("whose server falls silent: callTimeout ends it, and cancels it once", { timeout: HARD_LIMIT }, async () => {
    const { client, reached } = await faulty("sdk1", script([[{ result: working }], []], { "tasks/cancel": [[]] }));
    const error = await failure(call(client, {}, { callTimeout: 100 }));
    expect(error.message).toMatch(/did not end within 100 ms|timed out/);
    await sleep(150);
    expect([reached("tools/call").length, reached("tasks/get").length]).toEqual([1, 2]);
    expect(reached("tasks/cancel").length).toBeLessThanOrEqual(1);
  });

  it("whose status makes no sense: a rejection", { timeout: HARD_LIMIT }, async () => {
    for (const result of [{}, { ...working, status: "lost" }, { ...working, taskId: 7 }]) {
      const { client, reached } = await faulty("sdk1", script([[{ result }]]));
      expect(await failure(call(client, {}, { callTimeout: 500 }))).toBeInstanceOf(Error);
      expect(reached("tools/call")).toHaveLength(1);
    }
  });
});
