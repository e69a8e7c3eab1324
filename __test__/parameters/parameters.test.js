import Ajv from "ajv";
import { describe, expect, it, vi } from "vitest";
import { z as z4 } from "zod";
import { z as z3 } from "zod/v3";
import { zodToJsonSchema } from "zod-to-json-schema";
import { fromMCPTool, validateMcpToolArguments } from "../../index.js";
import { compare } from "../../scripts/facts.mjs";
import { casesOf, catalogs } from "../support/shared.js";

const client = { callTool: async () => ({ content: [] }) };
/** @param {any} inputSchema @returns {any} */
const parametersOf = (inputSchema) => fromMCPTool({ name: "t", inputSchema }, client).parameters;
/** @param {any} inputSchema @returns {any} */
const shownOf = (inputSchema) => zodToJsonSchema(parametersOf(inputSchema), { $refStrategy: "none" });
const options = { strict: false, validateFormats: false, logger: /** @type {const} */ (false) };

/** Text that JSON.parse reads: `__proto__` as an own key. @param {string} text */
const parsed = (text) => JSON.parse(text);

describe("a real zod schema (R14)", () => {
  const schema = {
    type: "object",
    description: "root",
    properties: {
      path: { type: "string", description: "where", minLength: 1, pattern: "^/" },
      head: { type: "integer", minimum: 1, default: 10 },
      any: {},
    },
    required: ["path", "head", "any"],
    additionalProperties: false,
  };
  const good = { path: "/a", head: 1, any: null };

  it("is an instance of zod's classes, with the methods that users call", async () => {
    const parameters = parametersOf(schema);
    expect(parameters).toBeInstanceOf(z3.ZodObject);
    expect(parameters).toBeInstanceOf(z3.ZodType);
    expect(Object.keys(parameters.shape)).toEqual(["path", "head", "any"]);
    expect(parameters.description).toBe("root");
    expect(parameters.parse(good)).toBe(good);
    expect(await parameters.parseAsync(good)).toBe(good);
    expect(parameters.safeParse(good)).toEqual({ success: true, data: good });
    expect(() => parameters.parse({})).toThrow(z3.ZodError);
    await expect(parameters.parseAsync({})).rejects.toThrow(z3.ZodError);
    const { safeParse } = parameters;
    expect(safeParse(good).success).toBe(true);
  });

  it("gives valid arguments back as they are: nothing stripped, coerced or defaulted", () => {
    const open = parametersOf({ type: "object", properties: { n: { type: "integer", default: 3 } } });
    const args = { extra: { deep: [1] } };
    const result = open.safeParse(args);
    expect(result.data).toBe(args);
    expect(args).toEqual({ extra: { deep: [1] } });
    expect(open.safeParse({ n: "3" }).success).toBe(false);
    expect(open.safeParse(undefined)).toEqual({ success: true, data: {} });
  });

  it("has issues with a path and a message that a model can act on", () => {
    const result = parametersOf(schema).safeParse({ path: 5, head: 0, any: 1, more: 1 });
    expect(result.error.issues.map((/** @type {any} */ { path, message }) => [path.join("."), message])).toEqual(
      expect.arrayContaining([
        ["path", "expected string, found 5 (number)"],
        ["head", "expected at least 1, found 0"],
        ["", 'unknown property "more"; known are "path", "head", "any"'],
      ]),
    );
  });

  it("stays native when it is described, and inside of wrappers", () => {
    const described = parametersOf(schema).describe("mine");
    expect(described).toBeInstanceOf(z3.ZodObject);
    expect(described.description).toBe("mine");
    expect(described.safeParse({ path: "no slash", head: 1, any: 1 }).success).toBe(false);
    expect(zodToJsonSchema(described, { $refStrategy: "none" })).toMatchObject({
      description: "mine",
      required: ["path", "head", "any"],
    });
    expect(z4.toJSONSchema(described)).toMatchObject({ description: "mine", properties: schema.properties });
    const parameters = parametersOf(schema);
    expect(parameters.optional().safeParse(undefined).success).toBe(true);
    expect(parameters.nullable().safeParse(null).success).toBe(true);
    expect(parameters.optional().safeParse({}).success).toBe(false);
    expect(parameters.refine(() => false, "never").safeParse(good).success).toBe(false);
    expect(parameters.array().safeParse([good, good]).success).toBe(true);
    expect(parameters.array().safeParse([good, {}]).error.issues[0].path[0]).toBe(1);
    expect(z3.object({ inner: parameters }).safeParse({ inner: { ...good, head: 0 } }).error.issues[0].path).toEqual([
      "inner",
      "head",
    ]);
  });

  it("can be reshaped into plain zod objects", () => {
    const parameters = parametersOf(schema);
    expect(Object.keys(parameters.pick({ path: true }).shape)).toEqual(["path"]);
    expect(parameters.extend({ more: z3.string() }).safeParse({ path: "/", head: 1, any: 1, more: "x" }).success).toBe(
      true,
    );
    expect(parameters.partial().safeParse({}).success).toBe(true);
    expect(parameters.keyof().options).toEqual(["path", "head", "any"]);
  });

  it("makes a described schema nobody looks at for next to nothing", () => {
    const kit = fromMCPTool({ name: "never shown", inputSchema: schema }, client);
    expect(Object.hasOwn(kit.parameters, "_def")).toBe(false);
    expect({ ...kit }.parameters).toBe(kit.parameters);
    expect(Object.hasOwn(kit.parameters, "_def")).toBe(false);
  });

  it("answers zod 4 and Standard Schema with the server's schema as it was sent (R15)", () => {
    const sent = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { a: { $ref: "#/definitions/A", "x-mine": 1 } },
      definitions: { A: { type: "string", not: { const: "x" } } },
    };
    const parameters = parametersOf(sent);
    expect(z4.toJSONSchema(parameters)).toEqual(sent);
    const standard = parameters["~standard"];
    expect(standard.version).toBe(1);
    expect(standard.validate({ a: "y" })).toEqual({ value: { a: "y" } });
    expect(standard.validate({ a: 1 }).issues[0]).toMatchObject({ path: ["a"] });
    expect(standard.jsonSchema.input({ target: "draft-07" })).toEqual(sent);
    expect(standard.jsonSchema.output({ target: "draft-07" })).toEqual(sent);
    standard.jsonSchema.input({}).properties.a.mine = true;
    expect(z4.toJSONSchema(parameters)).toEqual(sent);
  });
});

describe("arguments that JSON cannot say", () => {
  const cycle = /** @type {any} */ ({});
  cycle.self = cycle;
  let deep = /** @type {any} */ ([]);
  for (let n = 0; n < 100_000; n += 1) deep = [deep];
  class Mine {
    a = 1;
  }
  it.each([
    ["a function", { f() {} }, /a function at "\/f"/],
    ["a symbol", { s: Symbol("s") }, /a symbol at "\/s"/],
    ["a bigint", { n: 1n }, /a bigint at "\/n"/],
    ["NaN", { n: [Number.NaN] }, /NaN at "\/n\/0"/],
    ["undefined in an array", { n: [undefined] }, /undefined at "\/n\/0"/],
    ["a hole", { n: new Array(1) }, /undefined at "\/n\/0"/],
    ["a class instance", { m: new Mine() }, /an instance of Mine at "\/m"/],
    ["a date", { d: new Date(0) }, /an instance of Date/],
    ["a cycle", cycle, /a cycle/],
    ["100,000 levels", { deep }, /levels of nesting/],
  ])("%s is an issue, not a throw", (_, args, message) => {
    const started = performance.now();
    const result = parametersOf({ type: "object" }).safeParse(args);
    expect(result.success).toBe(false);
    expect(result.error.issues[0].message).toMatch(message);
    expect(validateMcpToolArguments({ type: "object" }, args)).toMatchObject({
      ok: false,
      reason: "invalid_arguments",
    });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("a getter that throws is an issue too, and an undefined member is absent", () => {
    const thrower = {
      get bad() {
        throw new Error("no");
      },
    };
    expect(parametersOf({ type: "object" }).safeParse(thrower).success).toBe(false);
    expect(parametersOf({ type: "object", additionalProperties: false }).safeParse({ a: undefined }).success).toBe(
      true,
    );
  });

  it("lone surrogates are characters of their own", () => {
    const parameters = parametersOf({
      type: "object",
      properties: { s: { type: "string", maxLength: 1 }, e: { enum: ["\ud800"] } },
    });
    expect(parameters.safeParse({ s: "\ud800", e: "\ud800" }).success).toBe(true);
    expect(parameters.safeParse({ e: "\ud801" }).success).toBe(false);
    expect(parameters.safeParse({ s: "\ud800\ud800" }).success).toBe(false);
  });
});

describe("what the model is shown", () => {
  /** @type {[what: string, sent: any, shown: any][]} */
  const properties = [
    [
      "descriptions at every level",
      { type: "array", description: "a", items: { type: "string", description: "b" } },
      { type: "array", description: "a", items: { type: "string", description: "b" } },
    ],
    ["a type list with null", { type: ["string", "null"] }, { type: ["string", "null"] }],
    [
      "integer or null",
      { type: ["integer", "null"], description: "n" },
      { type: ["integer", "null"], description: "n" },
    ],
    [
      "constraints beside null",
      { type: ["string", "null"], minLength: 2 },
      { anyOf: [{ type: "string", minLength: 2 }, { type: "null" }] },
    ],
    ["const", { const: "x" }, { type: "string", const: "x" }],
    ["an enum of strings", { enum: ["a", "b"] }, { type: "string", enum: ["a", "b"] }],
    ["an enum of numbers", { type: "number", enum: [1, 2.5] }, { type: "number", enum: [1, 2.5] }],
    [
      "a mixed enum",
      { enum: ["x", 0, null, true] },
      { type: ["string", "number", "null", "boolean"], enum: ["x", 0, null, true] },
    ],
    [
      "bounds",
      { type: "number", minimum: 1, exclusiveMaximum: 5, multipleOf: 0.5 },
      { type: "number", minimum: 1, exclusiveMaximum: 5, multipleOf: 0.5 },
    ],
    [
      "bounds past 2^53",
      { type: "integer", maximum: 9223372036854776000 },
      { type: "integer", maximum: 9223372036854776000 },
    ],
    ["a pattern", { type: "string", pattern: "^a/\\p{L}+$" }, { type: "string", pattern: "^a/\\p{L}+$" }],
    [
      "a pattern of another language",
      { type: "string", pattern: "(?i)^a$" },
      { type: "string", description: "(pattern: (?i)^a$)" },
    ],
    ["format", { type: "string", format: "date-time" }, { type: "string", format: "date-time" }],
    ["an unknown format", { type: "string", format: "color" }, { type: "string", description: "(format: color)" }],
    ["default null", { type: "string", default: null }, { type: "string", default: null }],
    [
      "a structured default",
      { type: "object", default: { a: [1] } },
      { type: "object", properties: {}, additionalProperties: true, default: { a: [1] } },
    ],
    [
      "lengths of arrays",
      { type: "array", items: {}, minItems: 1, maxItems: 3 },
      { type: "array", minItems: 1, maxItems: 3 },
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "number" } },
      { type: "object", properties: {}, additionalProperties: { type: "number" } },
    ],
    ["nullable of OpenAPI", { type: "string", nullable: true }, { type: ["string", "null"] }],
    [
      "alternatives with descriptions",
      { anyOf: [{ type: "string", description: "s" }, { type: "null" }] },
      { anyOf: [{ type: "string", description: "s" }, { type: "null" }] },
    ],
    [
      "allOf",
      { allOf: [{ type: "integer", minimum: 1 }, { maximum: 5 }, { minimum: 3 }] },
      { type: "integer", minimum: 3, maximum: 5 },
    ],
    [
      "not",
      { type: "string", not: { enum: ["root"] } },
      { type: "string", description: '(must not match {"enum":["root"]})' },
    ],
    ["null keywords", { type: "string", enum: null, description: null, minLength: null }, { type: "string" }],
    [
      "a title that says more",
      { type: "string", title: "Unix path" },
      { type: "string", description: "(title: Unix path)" },
    ],
    ["a title that repeats the name", { type: "string", title: "P" }, { type: "string" }],
    ["a dangling reference", { $ref: "#/$defs/Missing" }, {}],
    ["a remote reference", { $ref: "https://example.test/x.json" }, {}],
  ];
  it.each(properties)("%s", (_, sent, shown) => {
    expect(shownOf({ type: "object", properties: { p: sent }, required: ["p"] }).properties.p).toEqual(shown);
  });

  it("references to $defs, definitions, anchors, pointers and ids", () => {
    const schema = {
      $id: "https://example.test/tool.json",
      type: "object",
      properties: {
        a: { $ref: "#/$defs/item" },
        b: { $ref: "#pos", description: "own" },
        c: { $ref: "tool.json#/definitions/x~1y" },
        d: { $ref: "#/properties/a" },
      },
      $defs: {
        item: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
        p: { $anchor: "pos", type: "integer", minimum: 1 },
      },
      definitions: { "x/y": { type: "boolean" } },
    };
    const item = {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      additionalProperties: true,
    };
    expect(shownOf(schema).properties).toEqual({
      a: item,
      b: { type: "integer", minimum: 1, description: "own" },
      c: { type: "boolean" },
      d: item,
    });
  });

  it("recursion is shown a few levels deep, without a word on the console", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const schema = {
      type: "object",
      properties: { name: { type: "string" }, children: { type: "array", items: { $ref: "#" } } },
      required: ["name"],
    };
    const shown = shownOf(schema);
    expect(shown.properties.children.items.properties.children.items.properties.name).toEqual({ type: "string" });
    expect(JSON.stringify(shown)).toContain("again of the kind that it is inside of");
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it("alternatives of the root become one object, and are said in words", () => {
    const shown = shownOf({
      type: "object",
      properties: { kind: { type: "string" } },
      oneOf: [
        { properties: { url: { type: "string" } }, required: ["url"] },
        { properties: { path: { type: "string" } }, required: ["path"] },
      ],
    });
    expect(Object.keys(shown.properties)).toEqual(["kind", "url", "path"]);
    expect(shown.required).toBeUndefined();
    expect(shown.description).toMatch(/exactly one of these applies/);
    expect(shownOf({ type: "object", oneOf: [{ required: ["a"] }, { required: ["b"] }] }).description).toBe(
      "(exactly one of these is required: a | b)",
    );
  });

  it("awkward property names are kept, and __proto__ sets no prototype", () => {
    const schema = parsed(
      '{"type":"object","properties":{"__proto__":{"type":"number"},"constructor":{"type":"string"},"":{"type":"string"},"a.b":{},"2":{},"1":{}},"required":["__proto__"]}',
    );
    const shown = shownOf(schema);
    expect(Object.getPrototypeOf(shown.properties)).toBe(Object.prototype);
    expect(Object.keys(shown.properties)).toEqual(expect.arrayContaining(["constructor", "", "a.b", "1", "2"]));
    expect(shown.description).toContain("__proto__");
    const parameters = parametersOf(schema);
    expect(parameters.safeParse({}).success).toBe(false);
    expect(parameters.safeParse(parsed('{"__proto__":1}')).success).toBe(true);
    expect(parameters.safeParse(parsed('{"__proto__":"bad"}')).success).toBe(false);
    expect(/** @type {any} */ ({}).type).toBeUndefined();
  });

  it("a schema that cannot be shown in full is shown in part, soon", () => {
    const nest = (/** @type {number} */ levels) => {
      let schema = /** @type {any} */ ({ type: "string" });
      for (let n = 0; n < levels; n += 1) schema = { type: "object", properties: { d: schema } };
      return schema;
    };
    const defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [
        `d${n}`,
        { type: "object", properties: { a: { $ref: `#/$defs/d${n + 1}` }, b: { $ref: `#/$defs/d${n + 1}` } } },
      ]),
    );
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`p${n}`, { type: "string" }]));
    for (const schema of [
      nest(300),
      nest(900),
      { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: defs },
      { type: "object", properties: many },
      { type: "object", properties: { e: { enum: Array.from({ length: 100_000 }, (_, n) => `v${n}`) } } },
      { type: "object", allOf: [{ $ref: "#" }] },
      { type: "object", properties: { a: { $ref: "#/properties/b" }, b: { $ref: "#/properties/a" } } },
    ]) {
      const started = performance.now();
      expect(shownOf(schema).type).toBe("object");
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });
});

describe("a schema that cannot be compiled (R18)", () => {
  it("still makes a tool, which checks the rest, and warns once with name and reason", async () => {
    const warnings = /** @type {any[]} */ ([]);
    const listen = (/** @type {Error} */ warning) => warnings.push(warning.message);
    process.on("warning", listen);
    const inputSchema = {
      type: "object",
      properties: { q: { type: "string" }, s: { $ref: "#/$defs/Missing" } },
      required: ["q"],
    };
    const parameters = /** @type {any} */ (fromMCPTool({ name: "broken\n", inputSchema }, client).parameters);
    for (let n = 0; n < 3; n += 1) {
      expect(parameters.safeParse({ q: "x", s: { any: 1 } }).success).toBe(true);
      expect(parameters.safeParse({ q: 1 }).success).toBe(false);
      zodToJsonSchema(parameters, { $refStrategy: "none" });
    }
    await new Promise(setImmediate);
    process.off("warning", listen);
    const own = warnings.filter((message) => message.includes("broken\\n"));
    expect(own).toHaveLength(1);
    expect(own[0]).toMatch(/"broken\\n".*#\/\$defs\/Missing/);
    expect(validateMcpToolArguments(inputSchema, { q: "x" })).toMatchObject({ ok: false, reason: "invalid_schema" });
  });

  it.each([[5], ["x"], [null], [undefined], [[]], [() => {}]])(
    "validateMcpToolArguments takes %s for no schema",
    (schema) => {
      expect(validateMcpToolArguments(schema, {})).toMatchObject({ ok: false, reason: "invalid_schema" });
    },
  );
});

describe("schema cases of other bridges' bugs", () => {
  for (const { id, input, valid, invalid } of casesOf("schema")) {
    it(id, () => {
      const parameters = parametersOf(input.inputSchema);
      const judge = new Ajv(options).compile(shownOf(input.inputSchema));
      for (const args of valid) {
        const before = structuredClone(args);
        const result = parameters.safeParse(args);
        expect(result).toEqual({ success: true, data: args });
        expect(result.data).toBe(args);
        expect(args).toEqual(before);
        expect([args, judge(args), judge.errors]).toEqual([args, true, null]);
      }
      for (const args of invalid) {
        const result = parameters.safeParse(args);
        expect([args, result.success]).toEqual([args, false]);
        for (const { message } of result.error.issues)
          expect(message).toMatch(/expected|required|unknown|must|allowed/);
      }
    });
  }
});

describe("real catalogs", () => {
  for (const { server, tools } of catalogs()) {
    it(`${server}: every fact reaches the model`, () => {
      for (const tool of tools) {
        const { lost, invented } = compare(
          tool.inputSchema ?? { type: "object", properties: {} },
          shownOf(tool.inputSchema),
        );
        expect({ tool: tool.name, lost, invented }).toEqual({ tool: tool.name, lost: [], invented: [] });
      }
    });
  }
});
