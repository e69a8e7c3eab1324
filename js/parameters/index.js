/**
 * `parameters` of a tool: a real zod schema that asks the native validator (R14–R17).
 */
import { z } from "zod/v3";
import { jsonText } from "../json.js";
import { objectDef } from "./build.js";

/**
 * Where the schema comes from. It is asked when the schema is first shown or used, not before.
 * @typedef {object} ParametersSource
 * @property {() => import("../native.cjs").InputSchema} schema
 * @property {(reason: string) => void} [onProblem] told once why the schema cannot be compiled as the server sent it
 */

/** The source of a schema, carried by its definition: a described copy is made from the definition alone. */
const SOURCE = Symbol("rejelly.mcp.parameters");

/** @type {PropertyDescriptor & ThisType<McpParameters>} */
const lazyDefinition = {
  configurable: true,
  enumerable: true,
  get() {
    const definition = definitionOf(/** @type {any} */ (this).source);
    hold(this, definition);
    return definition;
  },
  set(definition) {
    hold(this, definition);
  },
};

/** @param {object} parameters @param {object} definition */
function hold(parameters, definition) {
  Object.defineProperty(parameters, "_def", {
    value: definition,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** @param {ParametersSource} source */
function definitionOf(source) {
  const schema = source.schema();
  const problem = schema.problem();
  if (problem !== null) source.onProblem?.(problem);
  const descriptor = JSON.parse(schema.descriptor());
  return { ...objectDef(descriptor), [SOURCE]: source };
}

/**
 * A ZodObject whose definition is made when it is first looked at, and which validates with the server's own schema. What is derived from it with
 * `.describe()` does so too; what `.extend()`, `.pick()` and the like make is a plain ZodObject of the same shape.
 *
 * Made without running zod's constructor, which binds two dozen methods to each instance: a catalog has a thousand of these.
 */
// @ts-expect-error: zod's types have no word for a definition that is made late, nor for a getter where zod has a field.
class McpParameters extends z.ZodObject {
  /** @param {any} input @returns {any} */
  _parse(input) {
    const ctx = this._getOrReturnCtx(input);
    const { data = {} } = input;
    const issues = issuesOf(sourceOf(this), data);
    if (issues === undefined) return { status: "valid", value: data };
    for (const { path, message } of issues) {
      ctx.common.issues.push({ code: "custom", path: [...ctx.path, ...path], message });
    }
    return z.INVALID;
  }

  /** @param {string} description @returns {any} */
  describe(description) {
    return ofDefinition({ ...this._def, description });
  }

  /** What zod 4's `z.toJSONSchema` asks for: the server's schema, exactly as it was sent (R15). */
  get _zod() {
    return {
      def: { type: "object" },
      toJSONSchema: () => exactSchema(this),
    };
  }

  /** Standard Schema, and Standard JSON Schema. @returns {any} */
  // @ts-expect-error: a field in zod's types
  get "~standard"() {
    return {
      version: 1,
      vendor: "zod",
      validate: (/** @type {unknown} */ data = {}) => {
        const issues = issuesOf(sourceOf(this), data);
        return issues === undefined ? { value: data } : { issues };
      },
      jsonSchema: { input: () => exactSchema(this), output: () => exactSchema(this) },
    };
  }

  // zod's constructor makes this an own property of every schema, to which this class gives a meaning of its own.
  set "~standard"(_) {}
}

/** @param {McpParameters} parameters @returns {ParametersSource} */
function sourceOf(parameters) {
  return /** @type {any} */ (parameters).source ?? /** @type {any} */ (parameters._def)[SOURCE];
}

/**
 * The issues of arguments as zod and Standard Schema have them; undefined where there are none.
 * @param {ParametersSource} source
 * @param {unknown} data
 * @returns {{ path: (string | number)[]; message: string }[] | undefined}
 */
function issuesOf(source, data) {
  let text;
  try {
    text = jsonText(data);
  } catch (error) {
    return [{ path: [], message: error instanceof Error ? error.message : String(error) }];
  }
  const schema = source.schema();
  const issues = schema.check(text);
  if (issues === null) {
    if (source.onProblem !== undefined) reportOnce(source, schema);
    return undefined;
  }
  return JSON.parse(issues).map(
    (/** @type {{ path?: (string | number)[]; message: string }} */ { path = [], message }) => ({
      path,
      message,
    }),
  );
}

/** Sources whose problem, if any, has been told. @type {WeakSet<ParametersSource>} */
const reported = new WeakSet();

/**
 * @param {ParametersSource} source
 * @param {import("../native.cjs").InputSchema} schema
 */
function reportOnce(source, schema) {
  if (reported.has(source)) return;
  reported.add(source);
  const problem = schema.problem();
  if (problem !== null) source.onProblem?.(problem);
}

/** @param {McpParameters} parameters */
function exactSchema(parameters) {
  const schema = JSON.parse(sourceOf(parameters).schema().text);
  const described = Object.hasOwn(parameters, "_def") && parameters._def.description;
  // A description that the application gave replaces the server's; the rest stays as it was sent.
  return described && /** @type {any} */ (parameters).source === undefined
    ? { ...schema, description: described }
    : schema;
}

/**
 * zod's constructor binds its methods, so that they may be passed around on their own. Here they are bound when they are first taken.
 */
const BOUND = [
  "parse",
  "safeParse",
  "parseAsync",
  "safeParseAsync",
  "spa",
  "refine",
  "refinement",
  "superRefine",
  "optional",
  "nullable",
  "nullish",
  "array",
  "promise",
  "or",
  "and",
  "transform",
  "brand",
  "default",
  "catch",
  "describe",
  "pipe",
  "readonly",
  "isNullable",
  "isOptional",
];

for (const name of BOUND) {
  const method = /** @type {any} */ (
    Object.hasOwn(McpParameters.prototype, name) ? McpParameters.prototype : z.ZodObject.prototype
  )[name];
  Object.defineProperty(McpParameters.prototype, name, {
    configurable: true,
    get() {
      const bound = method.bind(this);
      Object.defineProperty(this, name, { value: bound, configurable: true, writable: true, enumerable: true });
      return bound;
    },
  });
}
Object.defineProperty(McpParameters.prototype, "_def", lazyDefinition);

/** What zod's constructor would set besides: caches and old names. @type {any} */
const shared = Object.create(McpParameters.prototype, {
  nonstrict: { value: z.ZodObject.prototype.passthrough, writable: true },
  augment: { value: z.ZodObject.prototype.extend, writable: true },
});

/** @param {object} definition */
function ofDefinition(definition) {
  const parameters = Object.create(shared);
  parameters._cached = null;
  hold(parameters, definition);
  return parameters;
}

/**
 * The `parameters` of a tool. Costs an object of two fields until it is used.
 * @param {ParametersSource} source
 * @returns {import("zod/v3").ZodObject<any>}
 */
export function createParameters(source) {
  const parameters = Object.create(shared);
  parameters._cached = null;
  parameters.source = source;
  return parameters;
}
