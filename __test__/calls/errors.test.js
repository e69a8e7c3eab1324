/** Errors, timeouts and aborts (R20–R23) with both client generations on a transport that shows every message. */
import { getEventListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { callMcpTool, equipMCP, loadMcpToolCatalog } from "../../index.js";
import { modelReads } from "../integration/reads.js";
import { inAgent } from "../support/agent.js";
import { generations } from "../support/clients.js";
import { caseOf } from "./cases.js";
import { serverOf, textResult, wired } from "./wire.js";

const tool = { name: "t", inputSchema: { type: "object" } };
const never = () => undefined;

/** @param {any} client @param {object} [options] @param {object} [run] */
const callInAgent = (client, options, run) =>
  inAgent(async () => {
    const kit = /** @type {any} */ (await equipMCP(client, { clientId: "errors", ...options }));
    return await kit.toolMap.t.handler({});
  }, run);

/** @param {Promise<unknown>} run */
const failure = (run) =>
  run.then(
    (value) => expect.unreachable(`expected a rejection, got ${JSON.stringify(value)}`),
    (error) => error,
  );

/** Rejections that nobody handles while `work` runs. @param {() => Promise<void>} work */
async function unhandledDuring(work) {
  /** @type {unknown[]} */
  const unhandled = [];
  const note = (/** @type {unknown} */ reason) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  await work();
  await sleep(20);
  process.off("unhandledRejection", note);
  return unhandled;
}

describe.each(generations)("shared cases with the client of %s", (generation) => {
  it("E01-protocol-error", async () => {
    const { error } = caseOf("E01-protocol-error");
    const { client, of } = await wired(
      generation,
      serverOf([tool], () => {
        throw error;
      }),
    );
    const own = await failure(client.callTool({ name: "t", arguments: {} }));
    const ours = await failure(callInAgent(client));
    expect(ours.constructor).toBe(own.constructor);
    expect(ours).toMatchObject({ code: error.code, data: error.data });
    expect(ours.message).toContain(error.message);
    expect(of("tools/call")).toHaveLength(2);
    // The run goes on: to the model it is the text of one call.
    const { answers } = await modelReads(client, { enableResources: false }, [
      ["t", {}],
      ["t", {}],
    ]);
    expect(answers).toEqual(Array(2).fill(expect.stringMatching(/^Tool "t" execution failed: .*rate limited$/)));
  });

  it("E03-retry-after-dropped-connection", async () => {
    const { client, of } = await wired(
      generation,
      serverOf([{ ...tool, annotations: { idempotentHint: true } }], (_params, _request, server) => server.close()),
    );
    const error = await failure(callInAgent(client));
    // What became of the call is unknown; the client's own error says that the connection went, and nothing is sent again.
    expect(error.message).toMatch(/connection closed/i);
    await sleep(20);
    expect(of("tools/call")).toHaveLength(1);
  });

  it("E04-retry-on-iserror", async () => {
    const { result } = caseOf("E04-retry-on-iserror");
    const { client, of } = await wired(
      generation,
      serverOf([tool], () => result),
    );
    const error = await failure(callInAgent(client));
    expect([error.name, error.message]).toEqual(["Error", "MCP tool error: already exists"]);
    expect(error.cause).toEqual(result);
    expect(of("tools/call")).toHaveLength(1);
    expect(await callMcpTool(client, "t")).toEqual(result);
    expect(of("tools/call")).toHaveLength(2);
  });

  it("E06-timeout", async () => {
    const { timeoutMs, longTimeoutMs } = caseOf("E06-timeout");
    const { client, of } = await wired(generation, serverOf([tool], never));
    const started = performance.now();
    const error = await failure(callInAgent(client, { callTimeout: timeoutMs }));
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(error.code).toBe(generation === "sdk1" ? -32001 : "REQUEST_TIMEOUT");
    expect(error.message).toMatch(/timed out/);
    await vi.waitFor(() => expect(of("notifications/cancelled")).toHaveLength(1));
    const callTool = vi.spyOn(client, "callTool").mockImplementation(async () => textResult("ok"));
    await callInAgent(client, { callTimeout: longTimeoutMs });
    const options = callTool.mock.calls[0]?.[generation === "sdk1" ? 2 : 1];
    expect(options).toMatchObject({ timeout: longTimeoutMs });
  });

  it("E07-abort", async () => {
    const { abortAfterMs } = caseOf("E07-abort");
    const { client, of } = await wired(generation, serverOf([tool], never));
    const controller = new AbortController();
    const started = performance.now();
    const run = failure(callInAgent(client, {}, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("stop")), abortAfterMs);
    expect((await run).message).toMatch(/stop/);
    expect(performance.now() - started).toBeLessThan(abortAfterMs + 2_000);
    const [call] = of("tools/call");
    const cancelled = of("notifications/cancelled");
    expect(cancelled.map(({ params }) => params.requestId)).toEqual([call?.id]);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);

    const gone = failure(callInAgent(client, {}, { signal: AbortSignal.abort(new Error("gone")) }));
    expect((await gone).message).toMatch(/gone/);
    expect(of("tools/call")).toHaveLength(1);
    expect(of("notifications/cancelled")).toHaveLength(1);
  });

  it("a call that ends leaves no listener on the caller's signal", async () => {
    const { client } = await wired(
      generation,
      serverOf([tool], () => textResult("ok")),
    );
    const { signal } = new AbortController();
    for (let count = 0; count < 20; count += 1) await callMcpTool(client, "t", {}, { signal, timeout: 1_000 });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("E09-one-bad-annotation", async () => {
    const { tools } = caseOf("E09-one-bad-annotation");
    const { client } = await wired(
      generation,
      serverOf(tools, ({ name }) => textResult(name)),
    );
    expect((await loadMcpToolCatalog(client)).map(({ name }) => name)).toEqual(["bad", "good"]);
    const { answers } = await modelReads(client, { enableResources: false }, [
      ["good", {}],
      ["bad", {}],
    ]);
    expect(answers).toEqual(["good", "bad"]);
  });

  it("E10-one-bad-tool", async () => {
    const { tools } = caseOf("E10-one-bad-tool");
    const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { client } = await wired(
      generation,
      serverOf(tools, ({ name }) => textResult(name)),
    );
    const kit = /** @type {any} */ (
      await inAgent(() => equipMCP(client, { clientId: `bad-tools-${generation}`, onInvalidTool: "skip" }))
    );
    for (const name of ["good", "good2"]) expect(await kit.toolMap[name].handler({})).toBe(name);
    // Each is either usable or named in a warning.
    for (const { name } of tools) {
      kit.toolMap[name]?.parameters.safeParse({});
      const named = warned.mock.calls.some(([message]) => String(message).includes(JSON.stringify(name)));
      expect([name, name in kit.toolMap || named]).toEqual([name, true]);
    }
    expect(Object.keys(kit.toolMap)).not.toContain("nil");
    warned.mockRestore();
  });

  it("E12-unhandled-late-answer", async () => {
    const { answerAfterMs, abortAfterMs } = caseOf("E12-unhandled-late-answer");
    const { client } = await wired(
      generation,
      serverOf([tool], async () => {
        await sleep(answerAfterMs);
        return textResult("late");
      }),
    );
    const unhandled = await unhandledDuring(async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error("stop")), abortAfterMs);
      await expect(callInAgent(client, {}, { signal: controller.signal })).rejects.toThrow(/stop/);
      await expect(callInAgent(client, { callTimeout: abortAfterMs })).rejects.toThrow(/timed out/);
      await sleep(answerAfterMs * 2);
    });
    expect(unhandled).toEqual([]);
    // The client is none the worse.
    expect(await callInAgent(client)).toBe("late");
  });

  it("E13-concurrent-calls", async () => {
    const { calls } = caseOf("E13-concurrent-calls");
    const { client, server } = await wired(
      generation,
      serverOf([tool], async ({ arguments: { id } }) => {
        const call = calls.find((/** @type {any} */ one) => one.id === id);
        if (call === undefined) return undefined;
        await sleep(call.answerAfterMs);
        return call.result;
      }),
    );
    const unhandled = await unhandledDuring(async () => {
      const kit = /** @type {any} */ (await inAgent(() => equipMCP(client, { clientId: "errors" })));
      const order = /** @type {number[]} */ ([]);
      const answers = calls.map(async (/** @type {any} */ { id }) => {
        const answer = await kit.toolMap.t.handler({ id });
        order.push(id);
        return answer;
      });
      expect(await Promise.all(answers)).toEqual(["one", "two"]);
      expect(order).toEqual([2, 1]);
      const pending = failure(kit.toolMap.t.handler({ id: "never" }));
      setTimeout(server.close, 5);
      expect((await pending).message).toMatch(/connection closed/i);
    });
    expect(unhandled).toEqual([]);
  });
});

describe.each(generations)("output schemas and the client of %s (R12, R13, R15 of the shared cases)", (generation) => {
  const outputSchema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const uncompilable = { type: "object", properties: { s: { $ref: "#/$defs/Missing" } } };

  it("say nothing about a failure, and a text that stands for them is delivered", async () => {
    const tools = [
      { ...tool, name: "fails", outputSchema },
      { ...tool, name: "text", outputSchema },
    ];
    const { client } = await wired(
      generation,
      serverOf(tools, ({ name }) => ({
        ...textResult(name === "fails" ? "bad path" : '{"n":1}'),
        isError: name === "fails",
      })),
    );
    const { answers } = await modelReads(client, { enableResources: false }, [
      ["fails", {}],
      ["text", {}],
    ]);
    expect(answers).toEqual(['Tool "fails" execution failed: MCP tool error: bad path', '{"n":1}']);
  });

  it("that cannot be compiled cost no tool", async () => {
    const tools = [
      tool,
      { ...tool, name: "bad", outputSchema: uncompilable },
      { ...tool, name: "typo", outputSchema: { type: "objet" } },
    ];
    const { client } = await wired(
      generation,
      serverOf(tools, ({ name }) => ({ ...textResult(name), structuredContent: { result: name } })),
    );
    const names = ["t", "bad", "typo"];
    const { answers } = await modelReads(
      client,
      { enableResources: false },
      names.map((name) => [name, {}]),
    );
    expect(answers).toEqual(names);
  });
});
