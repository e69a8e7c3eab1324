import Ajv from "ajv";
import Ajv2019 from "ajv/dist/2019.js";
import Ajv2020 from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import AjvDraft4 from "ajv-draft-04";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zodToJsonSchema } from "zod-to-json-schema";
import { fromMCPTool, validateMcpToolArguments } from "../../index.js";

const client = { callTool: async () => ({ content: [] }) };
/** @param {any} inputSchema @returns {any} */
const parametersOf = (inputSchema) => fromMCPTool({ name: "t", inputSchema }, client).parameters;
const options = { strict: false, validateFormats: false, logger: /** @type {const} */ (false) };

/** Random schemas of one dialect, and values that often come near them. @param {"4" | "6" | "7" | "2019" | "2020"} draft */
function schemas(draft) {
  const names = fc.constantFrom("a", "b", "c");
  const number = fc.integer({ min: -3, max: 3 });
  const size = fc.integer({ min: 0, max: 3 });
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, false, "", "a", "ab", "b1"),
      number,
      fc.constantFrom(0.5, 1.5),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(names, tie("value"), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  const newer = draft === "2019" || draft === "2020";
  const schema = fc.letrec((tie) => {
    const one = tie("schema");
    const some = fc.array(one, { minLength: 1, maxLength: 3 });
    /** @type {Record<string, fc.Arbitrary<any>>} */
    const keywords = {
      type: fc.oneof(
        fc.constantFrom("string", "number", "integer", "boolean", "null", "array", "object"),
        fc.uniqueArray(fc.constantFrom("string", "integer", "null", "array", "object"), { minLength: 1, maxLength: 3 }),
      ),
      enum: fc.uniqueArray(value, {
        minLength: 1,
        maxLength: 4,
        comparator: (a, b) => JSON.stringify(a) === JSON.stringify(b),
      }),
      minimum: number,
      maximum: number,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      minLength: size,
      maxLength: size,
      pattern: fc.constantFrom("^a", "b$", "\\d"),
      minItems: size,
      maxItems: size,
      uniqueItems: fc.boolean(),
      minProperties: size,
      maxProperties: size,
      properties: fc.dictionary(names, one, { maxKeys: 3, noNullPrototype: true }),
      required: fc.uniqueArray(names, { minLength: 1, maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), one),
      patternProperties: fc.dictionary(fc.constantFrom("^a", "b"), one, { maxKeys: 2, noNullPrototype: true }),
      items: draft === "2020" ? one : fc.oneof(one, some),
      allOf: some,
      anyOf: some,
      oneOf: some,
      not: one,
      // Up to draft 7 what stands beside a reference is ignored; Ajv heeds it.
      ...(newer && { $ref: fc.constantFrom("#/definitions/d", "#/definitions/e") }),
      ...(draft !== "4" && { const: value, contains: one, propertyNames: one, exclusiveMinimum: number }),
      ...(draft !== "4" &&
        draft !== "6" && {
          if: one,
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, not of promises
          then: one,
          else: one,
        }),
      ...(draft === "4" && {
        dependencies: fc.dictionary(names, fc.uniqueArray(names, { minLength: 1, maxLength: 2 }), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
      }),
      ...(newer && {
        dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
        unevaluatedProperties: fc.boolean(),
      }),
      ...(draft === "2020" && { prefixItems: some }),
    };
    const object = fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { maxLength: 3 })
      .chain((chosen) =>
        fc.record(
          Object.fromEntries(chosen.map((keyword) => [keyword, /** @type {fc.Arbitrary<any>} */ (keywords[keyword])])),
        ),
      )
      // Ajv takes an empty array for valid where `contains` stands beside a list of `items`.
      .map(({ contains, ...rest }) =>
        contains === undefined || Array.isArray(rest.items) ? rest : { ...rest, contains },
      );
    return {
      schema:
        draft === "4" ? object : fc.oneof({ weight: 9, arbitrary: object }, { weight: 1, arbitrary: fc.boolean() }),
    };
  }).schema;
  const leaf = fc.constantFrom(
    { type: "string" },
    { type: "object", properties: { a: { type: "integer" } } },
    { minimum: 1 },
  );
  return { schema: fc.record({ root: schema, d: leaf, e: leaf }), value };
}

/**
 * Ajv's verdict; undefined where the code that it generates does not run (it loses track of evaluated items in nested alternatives).
 * @param {(args: unknown) => boolean} judge
 * @param {unknown} args
 */
function verdictOf(judge, args) {
  try {
    return judge(args);
  } catch {
    return undefined;
  }
}

/** Ajv as it takes draft 6: it knows the keywords, and is told the meta-schema. */
class AjvDraft6 extends Ajv {
  /** @param {import("ajv").Options} options */
  constructor(options) {
    super(options);
    this.addMetaSchema(draft6);
  }
}

/** @type {[draft: "4" | "6" | "7" | "2019" | "2020", uri: string, ajv: any][]} */
const DRAFTS = [
  ["4", "http://json-schema.org/draft-04/schema#", AjvDraft4],
  ["6", "http://json-schema.org/draft-06/schema#", AjvDraft6],
  ["7", "http://json-schema.org/draft-07/schema#", Ajv],
  ["2019", "https://json-schema.org/draft/2019-09/schema", Ajv2019],
  ["2020", "https://json-schema.org/draft/2020-12/schema", Ajv2020],
];

describe.each(DRAFTS)("random schemas of draft %s", (draft, uri, Judge) => {
  it("are judged as Ajv judges them, and what is shown forbids nothing valid", () => {
    const { schema, value } = schemas(draft);
    fc.assert(
      fc.property(
        schema,
        fc.array(fc.dictionary(fc.constantFrom("a", "b", "c"), value, { maxKeys: 3, noNullPrototype: true }), {
          maxLength: 6,
        }),
        ({ root, d, e }, values) => {
          const inputSchema = {
            $schema: uri,
            ...(typeof root === "boolean" ? { allOf: [root] } : root),
            definitions: { d, e },
          };
          const judge = new Judge(options).compile(inputSchema);
          const parameters = parametersOf(inputSchema);
          const shown = new Ajv(options).compile(
            /** @type {any} */ (zodToJsonSchema(parameters, { $refStrategy: "none" })),
          );
          for (const args of values) {
            const valid = verdictOf(judge, args);
            if (valid === undefined) continue;
            const result = parameters.safeParse(args);
            expect([result.success, args]).toEqual([valid, args]);
            expect(validateMcpToolArguments(inputSchema, args).ok).toBe(valid);
            if (valid) expect([shown(args), shown.errors]).toEqual([true, null]);
          }
        },
      ),
      { numRuns: 200 },
    );
  }, 120_000);
});
