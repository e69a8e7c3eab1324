/**
 * Whatever a server or an application hands in, through every exported function: it ends, soon, in an answer or in an error that is documented, and
 * nothing shared is changed.
 */
import { createAgent } from "@rejelly/core";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { zodToJsonSchema } from "zod-to-json-schema";
import {
  callMcpTool,
  equipMCP,
  fromMCPTool,
  loadMcpToolCatalog,
  McpProtocolError,
  normalizeMcpCallResult,
  normalizeMcpToolCatalog,
  validateMcpToolArguments,
} from "../../index.js";
import { native } from "../../js/binding.js";
import { findFlaw } from "../core/src/strict-json.js";
import * as values from "../support/values.js";
import { hearWarnings } from "../support/warnings.js";

const RUNS = { numRuns: 1_500 };
/** Milliseconds that one answer may take, on a machine that does other things besides. */
const SOON = 5_000;
const CODES = new Set(native.protocolErrorCodes());

/** @type {unknown[]} */
const unhandled = [];
const note = (/** @type {unknown} */ error) => unhandled.push(error);
beforeAll(() => process.on("unhandledRejection", note));
afterAll(() => process.off("unhandledRejection", note));
hearWarnings(() => {});
afterEach(() => {
  expect(values.polluted()).toEqual([]);
  expect(unhandled).toEqual([]);
});

/**
 * The answer, or the error where it is one of those that are promised.
 * @param {() => unknown} work
 */
async function outcome(work) {
  const start = performance.now();
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof McpProtocolError) expect(CODES).toContain(error.code);
    else expect(error).toBeInstanceOf(Error);
    // A slip of this package's own would say so.
    expect(String(/** @type {Error} */ (error).message)).not.toMatch(
      /is not a function|of undefined|of null|is not iterable|Maximum call stack|napi|panick/i,
    );
    return { error: /** @type {any} */ (error) };
  } finally {
    expect(performance.now() - start).toBeLessThan(SOON);
  }
}

/** @param {() => unknown} handler */
const inRun = (handler) => createAgent({ id: "hostile", handler: /** @type {any} */ (handler) })();

const okClient = { callTool: async (/** @type {string} */ _name, /** @type {unknown} */ _args) => ({ content: [] }) };

describe("anything at all", () => {
  it("as tools: normalizeMcpToolCatalog and fromMCPTool", async () => {
    const tools = fc.oneof(fc.array(fc.oneof(values.tool, values.anything), { maxLength: 4 }), values.anything);
    await fc.assert(
      fc.asyncProperty(tools, values.json, async (generated, args) => {
        const tools = values.real(generated);
        const { answer } = await outcome(() => normalizeMcpToolCatalog(tools));
        if (answer !== undefined) {
          for (const part of values.reachable(answer)) expect(Object.isFrozen(part)).toBe(true);
        }
        for (const tool of Array.isArray(generated) ? tools.slice(0, 2) : [tools]) {
          const { answer: made } = await outcome(() => fromMCPTool(tool, /** @type {any} */ (okClient)));
          if (made === undefined) continue;
          const { parameters, handler } = /** @type {any} */ (made);
          expect(findFlaw(zodToJsonSchema(parameters, { $refStrategy: "none" }), "shown")).toBeUndefined();
          expect(typeof parameters.safeParse(args).success).toBe("boolean");
          await outcome(() => handler(args));
        }
      }),
      RUNS,
    );
  });

  it("as pages: loadMcpToolCatalog and equipMCP", async () => {
    const page = fc.oneof(
      values.almost({
        tools: fc.array(fc.oneof({ weight: 3, arbitrary: values.tool }, values.anything), { maxLength: 3 }),
        nextCursor: values.string,
      }),
      values.anything,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 3 }), fc.boolean(), async (generated, skip) => {
        const pages = values.real(generated);
        const client = () => {
          let asked = 0;
          return /** @type {any} */ ({
            ...okClient,
            listTools: async (/** @type {unknown} */ _params) => {
              asked += 1;
              return asked <= pages.length ? pages[asked - 1] : { tools: [] };
            },
          });
        };
        await outcome(() => loadMcpToolCatalog(client()));
        const { answer } = await outcome(() =>
          inRun(async () => {
            const kit = await equipMCP(client(), { clientId: "h", onInvalidTool: skip ? "skip" : "throw" });
            kit.inject();
            return kit.tools.map(({ name, mcp }) => ({ name, info: JSON.stringify(mcp) })).length;
          }),
        );
        if (answer !== undefined) expect(answer).toBeGreaterThanOrEqual(0);
      }),
      RUNS,
    );
  });

  it("as schema and arguments: validateMcpToolArguments", async () => {
    const schema = fc.oneof({ weight: 3, arbitrary: values.schema }, values.anything);
    await fc.assert(
      fc.asyncProperty(schema, fc.oneof(values.json, values.anything), async (...generated) => {
        const [schema, args] = values.real(generated);
        const { answer, error } = await outcome(() => validateMcpToolArguments(schema, args));
        expect(error).toBeUndefined();
        const { ok, reason, issues } = /** @type {any} */ (answer);
        if (ok) return;
        expect(["invalid_schema", "invalid_arguments"]).toContain(reason);
        expect(issues.length).toBeGreaterThan(0);
        for (const issue of issues) expect(findFlaw(issue, "issue")).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("as the answer to a call: normalizeMcpCallResult, callMcpTool and a handler", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(values.callResult, values.anything), async (generated) => {
        const raw = values.real(generated);
        const { answer } = await outcome(() => normalizeMcpCallResult(raw));
        if (answer !== undefined) {
          for (const part of values.reachable(answer)) expect(Object.isFrozen(part)).toBe(true);
        }
        const client = /** @type {any} */ ({
          callTool: async (/** @type {string} */ _n, /** @type {unknown} */ _a) => raw,
        });
        await outcome(() => callMcpTool(client, "t", {}));
        const { answer: shown } = await outcome(() =>
          fromMCPTool({ name: "t", inputSchema: { type: "object" } }, client).handler({}),
        );
        if (shown !== undefined) expect(findFlaw(shown, "result")).toBeUndefined();
      }),
      RUNS,
    );
  });

  it("as resources and prompts", async () => {
    const list = (/** @type {string} */ key) =>
      fc.oneof(
        values.almost({ [key]: fc.array(fc.oneof(values.json, values.anything), { maxLength: 3 }) }),
        values.anything,
      );
    await fc.assert(
      fc.asyncProperty(
        list("resources"),
        fc.oneof(values.readResult, values.anything),
        list("prompts"),
        fc.oneof(values.promptResult, values.anything),
        async (...generated) => {
          const [resources, contents, prompts, prompt] = values.real(generated);
          const client = /** @type {any} */ ({
            ...okClient,
            listTools: async (/** @type {unknown} */ _params) => ({ tools: [] }),
            listResources: async (/** @type {unknown} */ _params) => resources,
            readResource: async (/** @type {unknown} */ _params) => contents,
            listPrompts: async (/** @type {unknown} */ _params) => prompts,
            getPrompt: async (/** @type {string} */ _name, /** @type {unknown} */ _args) => prompt,
          });
          await inRun(async () => {
            const kit = await equipMCP(client, { clientId: "h", enableResources: true });
            for (const tool of kit.resourceTools) {
              const { answer } = await outcome(() => tool.handler({ uri: "x://a" }));
              if (answer !== undefined) expect(findFlaw(answer, "result")).toBeUndefined();
            }
            await outcome(() => kit.prompts.list());
            const { answer } = await outcome(() => kit.prompts.get("p", { a: 1 }));
            if (answer === undefined) return;
            const { answer: instruction } = await outcome(() => /** @type {any} */ (answer).asInstruction());
            if (instruction !== undefined) expect(findFlaw(instruction, "instruction")).toBeUndefined();
          });
        },
      ),
      RUNS,
    );
  });

  it("as a client, as options and as other arguments", async () => {
    await fc.assert(
      fc.asyncProperty(values.anything, values.anything, values.anything, async (...generated) => {
        const [client, options, args] = values.real(generated);
        await outcome(() => loadMcpToolCatalog(client, options));
        await outcome(() => callMcpTool(client, args, args, options));
        await outcome(() => callMcpTool(/** @type {any} */ (okClient), "t", args, options));
        await outcome(() => fromMCPTool({ name: "t" }, client, options));
        await outcome(() => inRun(() => equipMCP(client, options)));
        await outcome(() => inRun(() => equipMCP(/** @type {any} */ (okClient), options)));
      }),
      RUNS,
    );
  });
});

describe("a length that is a lie", () => {
  const endless = () => values.lengthOf(1e9);

  it("is refused before anything is read by it", async () => {
    const { error } = await outcome(() => normalizeMcpToolCatalog(endless()));
    expect(error).toMatchObject({ code: "invalid_catalog_shape" });
    expect(error.message).toContain("a list of 1000000000 entries");
    expect((await outcome(() => normalizeMcpCallResult({ content: endless() }))).error).toMatchObject({
      code: "invalid_call_result",
    });
    expect(validateMcpToolArguments({}, { list: endless() })).toMatchObject({ ok: false, reason: "invalid_arguments" });
    expect(validateMcpToolArguments({ enum: endless() }, {})).toMatchObject({ ok: false, reason: "invalid_schema" });
  });
});
