/** The official everything server over stdio, with both client generations: tools, prompts, resources, templates, and the tool that runs as a task. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { connect, generations, servers } from "../support/clients.js";
import { listing, modelReads, transcript, withoutPictures } from "./reads.js";

const TASK_TOOL = "simulate-research-query";

/** What differs from run to run: the clock, the environment, the server's memory. @param {string} text */
const settled = (text) =>
  text
    .replace(/\d{1,2}:\d{2}:\d{2}(\s[AP]M)?/g, "<time>")
    .replace(/(blob\/\d+, text\/plain, )\d+ bytes/g, "$1<n> bytes")
    .replace(/\b[0-9a-f]{32}\b/g, "<task>");

describe.each(generations)("the everything server and the client of %s", (generation) => {
  /** @type {any} */
  let client;
  /** @type {string[]} */
  const asked = [];
  const handlers = {
    "roots/list": () => ({ roots: [{ uri: "file:///project", name: "Project" }] }),
    "sampling/createMessage": () => {
      asked.push("sampling");
      return { model: "tests", role: "assistant", content: { type: "text", text: "sampled" } };
    },
    "elicitation/create": (/** @type {any} */ { params }) => {
      asked.push(`elicitation ${params.mode ?? "form"}`);
      return params.mode === "url" ? { action: "accept" } : { action: "accept", content: { name: "Ada", check: true } };
    },
  };
  beforeAll(async () => {
    client = await connect(generation, servers.everything, process.execPath, handlers);
  });
  afterAll(() => client.close());

  /** @param {(kit: any) => Promise<any>} work @param {object} [options] @param {object} [run] */
  const withKit = (work, options, run) =>
    inAgent(async () => work(await equipMCP(client, { clientId: "all", ...options })), run);

  it("every tool but the task tool, called once with valid arguments", async () => {
    /** @type {[string, any][]} */
    const calls = [
      ["echo", { message: "hi" }],
      ["get-annotated-message", { messageType: "error", includeImage: true }],
      ["get-env", {}],
      ["get-resource-links", { count: 2 }],
      ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
      ["get-resource-reference", { resourceType: "Blob", resourceId: 2 }],
      ["get-structured-content", { location: "Chicago" }],
      ["get-sum", { a: 2, b: 3.5 }],
      ["get-tiny-image", {}],
      ["gzip-file-as-resource", { name: "a.gz", data: "data:text/plain,hello", outputType: "resourceLink" }],
      ["gzip-file-as-resource", { name: "b.gz", data: "data:text/plain,hello", outputType: "resource" }],
      ["get-roots-list", {}],
      ["trigger-elicitation-request", {}],
      ["trigger-url-elicitation", { url: "https://example.com/form", elicitationId: "e1" }],
      ["trigger-sampling-request", { prompt: "say something", maxTokens: 10 }],
      ["trigger-long-running-operation", { duration: 0.02, steps: 2 }],
      ["toggle-simulated-logging", {}],
      ["toggle-subscriber-updates", {}],
    ];
    asked.length = 0;
    const { shown, answers } = await modelReads(client, {}, calls);
    const own = shown.map(({ name }) => name).filter((name) => !name.startsWith("mcp_"));
    expect(own.sort()).toEqual([...new Set([...calls.map(([name]) => name), TASK_TOOL])].sort());
    expect(asked).toEqual(["elicitation form", "elicitation url", "sampling"]);

    // The environment is not ours to hold: it is the server's, in JSON.
    const env = calls.findIndex(([name]) => name === "get-env");
    expect(JSON.parse(answers[env])).toMatchObject({ PATH: process.env.PATH });
    answers[env] = "<environment>";
    await expect(listing(shown)).toMatchFileSnapshot("./__snapshots__/everything.tools.json");
    await expect(transcript(calls, answers, settled)).toMatchFileSnapshot("./__snapshots__/everything.answers.md");
    // Both are switches; off again.
    await modelReads(client, {}, [
      ["toggle-simulated-logging", {}],
      ["toggle-subscriber-updates", {}],
    ]);
  });

  it("every prompt, as an instruction", async () => {
    const args = {
      "args-prompt": { city: "Paris", state: "Texas" },
      "completable-prompt": { department: "Engineering", name: "Alice" },
      // A number is sent as the string that MCP wants.
      "resource-prompt": { resourceType: "Text", resourceId: 7 },
    };
    const { prompts, instructions } = await withKit(async ({ prompts: kit }) => {
      const list = await kit.list();
      const got = [];
      for (const { name } of list) got.push([name, (await kit.get(name, Reflect.get(args, name))).asInstruction()]);
      return { prompts: list, instructions: got };
    });
    expect(prompts.map((/** @type {any} */ { name }) => name)).toEqual(["simple-prompt", ...Object.keys(args)]);
    const text = settled(`${JSON.stringify({ prompts, instructions: withoutPictures(instructions) }, null, 2)}\n`);
    await expect(text).toMatchFileSnapshot("./__snapshots__/everything.prompts.json");
  });

  it("every resource, listed and read through the resource tools, and the templates", async () => {
    const { answers: first } = await modelReads(client, {}, [["mcp_list_resources", {}]]);
    const page = JSON.parse(first[0]);
    // Resources that a tool made in another test are of that session alone.
    page.resources = page.resources.filter((/** @type {any} */ { uri }) => !uri.includes("/session/"));
    await expect(`${JSON.stringify(page, null, 2)}\n`).toMatchFileSnapshot("./__snapshots__/everything.resources.json");
    const uris = page.resources.map((/** @type {any} */ { uri }) => uri);
    expect(uris).toHaveLength(7);
    const { answers } = await modelReads(
      client,
      {},
      uris.map((/** @type {string} */ uri) => ["mcp_read_resource", { uri }]),
    );
    for (const [at, uri] of uris.entries()) {
      const { contents } = await client.readResource({ uri });
      expect(answers[at]).toBe(contents[0].text);
      expect(answers[at].length).toBeGreaterThan(100);
    }
    /** @type {[string, object][]} */
    const templated = [
      ["mcp_read_resource", { uri: page.resourceTemplates[0].uriTemplate.replace("{resourceId}", "3") }],
      ["mcp_read_resource", { uri: page.resourceTemplates[1].uriTemplate.replace("{resourceId}", "4") }],
      ["mcp_read_resource", { uri: "demo://resource/dynamic/text/none" }],
      ["mcp_read_resource", {}],
    ];
    const read = await modelReads(client, {}, templated);
    await expect(transcript(templated, read.answers, settled)).toMatchFileSnapshot(
      "./__snapshots__/everything.read.md",
    );
  });

  it("progress of a long call reaches onProgress", async () => {
    /** @type {any[]} */
    const seen = [];
    const onProgress = (/** @type {any} */ update, /** @type {any} */ context) => seen.push([update, context]);
    const run = (/** @type {any} */ kit) =>
      kit.toolMap["trigger-long-running-operation"].handler({ duration: 0.3, steps: 3 });
    expect(await withKit(run, { onProgress })).toContain("Long running operation completed");
    const steps = seen.map(([{ progress, total }, { tool }]) => [progress, total, tool]);
    // The last one comes in one piece with the answer; both clients then drop it.
    expect(steps.slice(0, 2)).toEqual([1, 2].map((step) => [step, 3, "trigger-long-running-operation"]));
  });

  if (generation === "sdk2") {
    it("a 2.x client, which cannot drive tasks, is told so (R30)", async () => {
      const calls = /** @type {[string, object][]} */ ([[TASK_TOOL, { topic: "tides" }]]);
      const { answers } = await modelReads(client, {}, calls);
      expect(answers[0]).toBe(
        `Tool "${TASK_TOOL}" execution failed: The MCP tool "${TASK_TOOL}" runs as a task only (execution.taskSupport is "required"), ` +
          "and this client cannot drive tasks: it has no experimental.tasks.callToolStream. A client of @modelcontextprotocol/sdk 1.24 or later has.",
      );
    });
    return;
  }

  it("the task tool is driven to its end, its status told on the way (R30)", async () => {
    /** @type {any[]} */
    const told = [];
    const onProgress = (/** @type {any} */ { task }, /** @type {any} */ { tool }) => told.push([tool, task]);
    const calls = /** @type {[string, object][]} */ ([[TASK_TOOL, { topic: "tides" }]]);
    const { answers } = await modelReads(client, { onProgress }, calls);
    await expect(transcript(calls, answers, settled)).toMatchFileSnapshot("./__snapshots__/everything.task.md");
    expect(new Set(told.map(([tool]) => tool))).toEqual(new Set([TASK_TOOL]));
    const tasks = told.map(([, task]) => task);
    expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(1);
    expect(tasks.at(0).status).toBe("working");
    expect(tasks.at(-1).status).toBe("completed");
    expect(tasks.map(({ statusMessage }) => statusMessage)).toContain("Synthesizing findings...");
  });

  it("a task that asks the user goes on with the answer", async () => {
    asked.length = 0;
    const states = new Set();
    const onProgress = (/** @type {any} */ { task }) => states.add(task.status);
    const calls = /** @type {[string, object][]} */ ([[TASK_TOOL, { topic: "python", ambiguous: true }]]);
    const { answers } = await modelReads(client, { onProgress }, calls);
    expect(asked).toEqual(["elicitation form"]);
    expect([...states]).toEqual(expect.arrayContaining(["working", "input_required"]));
    expect(answers[0]).toContain("# Research Report");
  });

  it("an aborted agent cancels the task on the server (R30)", async () => {
    const controller = new AbortController();
    /** @type {string | undefined} */
    let taskId;
    const onProgress = (/** @type {any} */ { task }) => {
      taskId ??= task.taskId;
      controller.abort(new Error("stop"));
    };
    const run = withKit(
      (kit) => kit.toolMap[TASK_TOOL].handler({ topic: "tides" }),
      { onProgress },
      { signal: controller.signal },
    );
    await expect(run).rejects.toThrow("stop");
    const { tasks } = client.experimental;
    await expect.poll(async () => (await tasks.getTask(taskId)).status, { timeout: 5000 }).toBe("cancelled");
  });
});

/** These two are offered to clients alone that run tasks for the server; a 2.x client does not. */
describe("the everything server and a 1.x client that runs tasks", () => {
  /** @type {any} */
  let client;
  beforeAll(async () => {
    const requests = { sampling: { createMessage: {} }, elicitation: { create: {} } };
    client = new Client(
      { name: "adapter-mcp-tests", version: "1.0.0" },
      {
        capabilities: { sampling: {}, elicitation: { form: {} }, tasks: { list: {}, cancel: {}, requests } },
        taskStore: new InMemoryTaskStore(),
      },
    );
    const inTheBackground =
      (/** @type {object} */ result) => async (/** @type {any} */ _request, /** @type {any} */ extra) => {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 10 });
        await extra.taskStore.storeTaskResult(task.taskId, "completed", result);
        return { task };
      };
    const sampled = { model: "tests", role: "assistant", content: { type: "text", text: "sampled" } };
    client.setRequestHandler(CreateMessageRequestSchema, inTheBackground(sampled));
    client.setRequestHandler(ElicitRequestSchema, inTheBackground({ action: "accept", content: { name: "Ada" } }));
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: servers.everything, stderr: "ignore" }),
    );
  });
  afterAll(() => client.close());

  it("its two tools more, called once", async () => {
    const calls = /** @type {[string, object][]} */ ([
      ["trigger-sampling-request-async", { prompt: "say something", maxTokens: 10 }],
      ["trigger-elicitation-request-async", {}],
    ]);
    const { answers } = await modelReads(client, { enableResources: false }, calls);
    await expect(transcript(calls, answers, settled)).toMatchFileSnapshot("./__snapshots__/everything.async.md");
  });
});
