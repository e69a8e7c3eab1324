/** Tools that run as a task only (R30); the real thing is driven in `__test__/integration/everything.test.js`. */
import { describe, expect, it, vi } from "vitest";
import { equipMCP } from "../../index.js";
import { modelReads } from "../integration/reads.js";
import { inAgent } from "../support/agent.js";
import { textResult, wired } from "./wire.js";

const tool = (/** @type {string | undefined} */ taskSupport) => ({
  name: "t",
  inputSchema: { type: "object" },
  ...(taskSupport && { execution: { taskSupport } }),
});
const capabilities = { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } };

/**
 * A server with one task, whose status is `statuses` in turn; the last one stays.
 * @param {string[]} statuses
 * @param {object} [options]
 * @param {any} [options.result] of `tasks/result`
 * @param {any} [options.listed]
 * @param {() => Promise<void>} [options.beforeCreated]
 */
function taskServer(statuses, { result = textResult("done"), listed = tool("required"), beforeCreated } = {}) {
  let polls = 0;
  const task = (/** @type {string | undefined} */ status) => ({
    taskId: "task-1",
    status,
    ttl: null,
    createdAt: "2026-01-01T00:00:00Z",
    lastUpdatedAt: "2026-01-01T00:00:00Z",
    pollInterval: 5,
  });
  return async (/** @type {any} */ { method, params }) => {
    switch (method) {
      case "tools/list":
        return { tools: [listed] };
      case "tools/call":
        if (params.task === undefined) return textResult("plain");
        await beforeCreated?.();
        return { task: task("working") };
      case "tasks/get":
        polls += 1;
        return task(statuses[Math.min(polls, statuses.length) - 1]);
      case "tasks/result":
        if (result instanceof Error) throw { code: -32603, message: result.message };
        return result;
      case "tasks/cancel":
        return task("cancelled");
    }
    throw { code: -32601, message: method };
  };
}

/** @param {any} client @param {object} [options] @param {object} [run] */
const call = (client, options, run) =>
  inAgent(
    async () =>
      /** @type {any} */ (await equipMCP(client, { clientId: "tasks", ...options })).toolMap.t.handler({ a: 1 }),
    run,
  );

describe("a tool that requires a task, with a 1.x client (R30)", () => {
  it("is called once, as a task, followed to its end, and gives its result", async () => {
    const { client, of } = await wired("sdk1", taskServer(["working", "working", "completed"]), capabilities);
    /** @type {any[]} */
    const told = [];
    const onProgress = (/** @type {any} */ { task }, /** @type {any} */ context) => told.push([task.status, context]);
    expect(await call(client, { onProgress })).toBe("done");
    expect(of("tools/call").map(({ params }) => [params.name, params.arguments, params.task])).toEqual([
      ["t", { a: 1 }, {}],
    ]);
    expect(told).toEqual(["working", "working", "working", "completed"].map((status) => [status, { tool: "t" }]));
    expect(of("tasks/cancel")).toEqual([]);
  });

  it("that fails gives the tool's own words, not those of the client", async () => {
    const result = { ...textResult("no such topic"), isError: true };
    const { client } = await wired("sdk1", taskServer(["failed"], { result }), capabilities);
    const error = await call(client).catch((/** @type {any} */ e) => e);
    expect([error.message, error.cause]).toEqual(["MCP tool error: no such topic", result]);
  });

  it("that fails without words gives the client's error", async () => {
    for (const result of [new Error("no result"), textResult("no failure")]) {
      const { client } = await wired("sdk1", taskServer(["failed"], { result }), capabilities);
      await expect(call(client)).rejects.toThrow(/Task task-1 failed/);
    }
  });

  it("that the server cancels gives the client's error", async () => {
    const { client } = await wired("sdk1", taskServer(["cancelled"]), capabilities);
    await expect(call(client)).rejects.toThrow(/Task task-1 was cancelled/);
  });

  it("goes on when a progress callback throws; the client's onerror is told", async () => {
    const { client } = await wired("sdk1", taskServer(["working", "completed"]), capabilities);
    const thrown = new Error("callback");
    client.onerror = vi.fn();
    const onProgress = () => {
      throw thrown;
    };
    expect(await call(client, { onProgress })).toBe("done");
    expect(client.onerror.mock.calls).toEqual(Array(3).fill([thrown]));
  });

  it("ends the stream also where cancelling throws", async () => {
    const { client, of } = await wired("sdk1", taskServer(["working"]), capabilities);
    vi.spyOn(client.experimental.tasks, "cancelTask").mockImplementation(() => {
      throw new Error("no");
    });
    const controller = new AbortController();
    const run = call(client, { onProgress: () => controller.abort(new Error("stop")) }, { signal: controller.signal });
    await expect(run).rejects.toThrow("stop");
    await new Promise((resolve) => setTimeout(resolve, 20));
    const polls = of("tasks/get").length;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(of("tasks/get")).toHaveLength(polls);
  });

  it("is cancelled once when the agent is aborted, and the caller has its answer at once", async () => {
    const { client, of } = await wired("sdk1", taskServer(["working"]), capabilities);
    const controller = new AbortController();
    const reason = new Error("stop");
    const run = call(client, { onProgress: () => controller.abort(reason) }, { signal: controller.signal });
    await expect(run).rejects.toThrow("stop");
    await vi.waitFor(() => expect(of("tasks/cancel").map(({ params }) => params.taskId)).toEqual(["task-1"]));
    // One cancellation at most besides: that of a request under way, not of those that were answered.
    expect(of("notifications/cancelled").length).toBeLessThanOrEqual(1);
    const polls = of("tasks/get").length;
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(of("tasks/get").length).toBeLessThanOrEqual(polls + 1);
  });

  it("is cancelled also where the abort comes before its id is known", async () => {
    const controller = new AbortController();
    const beforeCreated = async () => {
      controller.abort(new Error("early"));
      await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const { client, of } = await wired("sdk1", taskServer(["working"], { beforeCreated }), capabilities);
    await expect(call(client, {}, { signal: controller.signal })).rejects.toThrow("early");
    await vi.waitFor(() => expect(of("tasks/cancel")).toHaveLength(1));
  });

  it("is not even started by an agent that is aborted already", async () => {
    const { client, of } = await wired("sdk1", taskServer(["completed"]), capabilities);
    await expect(call(client, {}, { signal: AbortSignal.abort(new Error("gone")) })).rejects.toThrow("gone");
    expect(of("tools/call")).toEqual([]);
  });

  it("that never ends is cancelled after callTimeout", async () => {
    const { client, of } = await wired("sdk1", taskServer(["working"]), capabilities);
    const warned = vi.fn();
    process.on("warning", warned);
    await expect(call(client, { callTimeout: 150 })).rejects.toMatchObject({ name: "TimeoutError" });
    await vi.waitFor(() => expect(of("tasks/cancel")).toHaveLength(1));
    expect(of("tasks/get").length).toBeGreaterThan(11);
    expect(of("notifications/cancelled").length).toBeLessThanOrEqual(1);
    process.off("warning", warned);
    expect(warned).not.toHaveBeenCalled();
  });

  it.each(["optional", "forbidden", undefined])("with taskSupport %s is called plainly", async (taskSupport) => {
    const { client, of } = await wired("sdk1", taskServer([], { listed: tool(taskSupport) }), capabilities);
    expect(await call(client)).toBe("plain");
    expect(of("tools/call").map(({ params }) => params.task)).toEqual([undefined]);
  });
});

describe("with a client that cannot drive tasks (R30)", () => {
  it.each(["sdk2", "facade"])("%s: the tool is listed, the handler says why, nothing is sent", async (which) => {
    const callTool = vi.fn(async (/** @type {any} */ _name, /** @type {any} */ _args) => textResult("plain"));
    const facade = { listTools: async () => ({ tools: [tool("required")] }), callTool };
    const wire = which === "facade" ? undefined : await wired("sdk2", taskServer([]), capabilities);
    const { shown, answers } = await modelReads(wire?.client ?? facade, { enableResources: false }, [["t", {}]]);
    expect(shown.map(({ name }) => name)).toEqual(["t"]);
    expect(answers[0]).toContain('The MCP tool "t" runs as a task only (execution.taskSupport is "required")');
    expect(callTool).not.toHaveBeenCalled();
    if (wire) expect(wire.of("tools/call")).toEqual([]);
  });

  it("a client that cannot cancel is none the worse for an abort", async () => {
    const controller = new AbortController();
    const client = {
      listTools: async () => ({ tools: [tool("required")] }),
      callTool: async (/** @type {any} */ _name, /** @type {any} */ _args) => textResult("plain"),
      experimental: {
        tasks: {
          async *callToolStream() {
            yield { type: "taskCreated", task: { taskId: "x", status: "working" } };
            controller.abort(new Error("stop"));
            await new Promise((resolve) => setTimeout(resolve, 10));
            yield { type: "result", result: textResult("late") };
          },
        },
      },
    };
    await expect(call(client, {}, { signal: controller.signal })).rejects.toThrow("stop");
  });
});
