/**
 * Keys that mean something to JavaScript, on every way from a server's JSON to an object of this process: they arrive as keys of their own, and nothing
 * that objects share is changed.
 */
import { createAgent } from "@rejelly/core";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { zodToJsonSchema } from "zod-to-json-schema";
import {
  callMcpTool,
  equipMCP,
  loadMcpToolCatalog,
  normalizeMcpCallResult,
  normalizeMcpToolCatalog,
  validateMcpToolArguments,
} from "../../index.js";
import { clientWith } from "../support/clients.js";
import { json, polluted, reachable } from "../support/values.js";

/** What an attacker would like every object to have. JSON.parse makes it an own key. */
const EVIL = () =>
  JSON.parse('{"__proto__":{"polluted":1,"__proto__":{"polluted":2}},"constructor":{"prototype":{"polluted":3}}}');
const KEYS = ["__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "then"];

afterEach(() => expect(polluted()).toEqual([]));

/** Every object is a plain one, an array, or has no prototype. @param {unknown} value */
function expectPlain(value) {
  for (const part of reachable(value)) {
    expect([Object.prototype, Array.prototype, null]).toContain(Object.getPrototypeOf(part));
  }
}

const evilTool = () => ({
  name: "__proto__",
  description: "constructor",
  inputSchema: {
    type: "object",
    properties: JSON.parse(
      `{${KEYS.map((key) => `"${key}":{"type":"object","properties":{"__proto__":{"type":"integer"}}}`).join(",")}}`,
    ),
    required: KEYS,
    ...EVIL(),
  },
  outputSchema: { type: "object", ...EVIL() },
  annotations: { title: "t", ...EVIL() },
  execution: EVIL(),
  _meta: EVIL(),
  ...EVIL(),
});

describe("keys of the prototype", () => {
  it("stay keys of their own in a catalog, a kit and what middleware reads", async () => {
    const client = /** @type {any} */ (clientWith(evilTool(), "constructor", "toString", "then"));
    for (const tools of [await loadMcpToolCatalog(client), normalizeMcpToolCatalog([evilTool()])]) {
      expectPlain(tools);
      const tool = /** @type {any} */ (tools.find(({ name }) => name === "__proto__"));
      expect(Object.keys(tool.inputSchema.properties)).toEqual(KEYS);
      expect(Object.keys(tool.inputSchema)).toContain("__proto__");
    }
    await createAgent({
      id: "evil",
      handler: async () => {
        const kit = await equipMCP(client, { clientId: "evil" });
        expect(Object.getPrototypeOf(kit.toolMap)).toBeNull();
        expect(Object.keys(kit.toolMap).sort()).toEqual(["__proto__", "constructor", "then", "toString"]);
        const tool = /** @type {any} */ (Object.getOwnPropertyDescriptor(kit.toolMap, "__proto__")?.value);
        expect(tool.name).toBe("__proto__");
        expectPlain(tool.mcp);
        expect(Object.hasOwn(tool.mcp._meta, "__proto__")).toBe(true);
        expect(Object.hasOwn(tool.mcp.annotations, "__proto__")).toBe(true);
      },
    })();
  });

  it("are shown to the model, and validated, like any other name", async () => {
    const { inputSchema } = evilTool();
    await createAgent({
      id: "evil",
      handler: async () => {
        const kit = await equipMCP(/** @type {any} */ (clientWith(evilTool())), { clientId: "evil" });
        const parameters = /** @type {any} */ (kit.tools[0]).parameters;
        const shown = /** @type {any} */ (zodToJsonSchema(parameters, { $refStrategy: "none" }));
        // zod-to-json-schema itself assigns properties by name, so that this one is said in words.
        expect([...shown.required].sort()).toEqual(KEYS.filter((key) => key !== "__proto__").sort());
        expect(shown.description).toContain('property "__proto__", required');
        expectPlain(shown.properties);
        const given = JSON.parse(`{${KEYS.map((key) => `"${key}":{"__proto__":1}`).join(",")}}`);
        expect(parameters.safeParse(given)).toEqual({ success: true, data: given });
        const wrong = JSON.parse(`{${KEYS.map((key) => `"${key}":{"__proto__":"x"}`).join(",")}}`);
        const { error } = parameters.safeParse(wrong);
        expect(error.issues.map((/** @type {any} */ { path }) => path).sort()).toEqual(
          KEYS.map((key) => [key, "__proto__"]).sort(),
        );
      },
    })();
    const missing = /** @type {any} */ (validateMcpToolArguments(inputSchema, {}));
    expect(missing).toMatchObject({ ok: false, reason: "invalid_arguments" });
    expectPlain(missing);
  });

  it("stay keys of their own in results, resources and prompts", async () => {
    const answer = {
      content: [
        { type: "text", text: "x", ...EVIL() },
        { type: "__proto__", ...EVIL() },
      ],
      structuredContent: EVIL(),
      ...EVIL(),
    };
    const client = /** @type {any} */ ({
      callTool: async (/** @type {string} */ _name, /** @type {unknown} */ _args) => answer,
      listTools: async (/** @type {unknown} */ _params) => ({ tools: [], ...EVIL() }),
      listPrompts: async (/** @type {unknown} */ _params) => ({
        prompts: [{ name: "__proto__", arguments: [{ name: "__proto__", required: true, ...EVIL() }], ...EVIL() }],
      }),
      getPrompt: async (/** @type {string} */ _name, /** @type {any} */ args) => {
        expect(Object.hasOwn(args, "__proto__")).toBe(true);
        return { messages: [{ role: "user", content: { type: "text", text: "p", ...EVIL() }, ...EVIL() }], ...EVIL() };
      },
      listResources: async (/** @type {unknown} */ _params) => ({
        resources: [{ uri: "x://a", name: "__proto__", ...EVIL() }],
      }),
      readResource: async (/** @type {unknown} */ _params) => ({
        contents: [{ uri: "x://a", text: "r", ...EVIL() }],
        ...EVIL(),
      }),
    });
    const normalized = /** @type {any} */ (normalizeMcpCallResult(answer));
    expectPlain(normalized);
    expect(Object.keys(normalized.structuredContent)).toEqual(["__proto__", "constructor"]);
    expectPlain(await callMcpTool(client, "t", JSON.parse('{"__proto__":1}')));
    await createAgent({
      id: "evil",
      handler: async () => {
        const kit = await equipMCP(client, { clientId: "evil", enableResources: true });
        expectPlain(await kit.prompts.list());
        const prompt = await kit.prompts.get("__proto__", JSON.parse('{"__proto__":"v"}'));
        expectPlain(prompt.messages);
        expectPlain(prompt.asInstruction());
        for (const tool of kit.resourceTools) expectPlain(await tool.handler(/** @type {any} */ ({ uri: "x://a" })));
      },
    })();
  });

  it("never reach what objects share, whatever the JSON", () => {
    fc.assert(
      fc.property(json, (value) => {
        try {
          expectPlain(normalizeMcpCallResult({ content: [{ type: "x", value }], structuredContent: value }));
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid_call_result" });
        }
        const tool = {
          name: "t",
          inputSchema: { type: "object", default: value, properties: { p: { const: value } } },
          _meta: { value },
        };
        const [copy] = /** @type {any} */ (normalizeMcpToolCatalog([tool]));
        expectPlain(copy);
        // -0 is 0 in JSON.
        expect(JSON.stringify(copy.inputSchema)).toBe(JSON.stringify(tool.inputSchema));
        expectPlain(validateMcpToolArguments(tool.inputSchema, { p: value }));
        expect(polluted()).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });
});
