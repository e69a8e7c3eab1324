import { formatIssues } from "./call.js";

/**
 * The model's answer as the schema wants it: plain text for a string schema, else JSON.
 * @template T
 * @param {import("../index.js").SchemaLike<T>} schema
 * @param {string} text
 * @returns {T}
 */
export function parseResult(schema, text) {
  let value;
  if (isStringSchema(schema)) value = text;
  else {
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw new Error(`The model's answer is not valid JSON: ${/** @type {Error} */ (cause).message}`, { cause });
    }
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Error(`The model's answer does not fit the schema: ${formatIssues(parsed.error)}`);
  return /** @type {T} */ (parsed.data);
}

/**
 * Looks through what wraps a schema without changing what goes in, in zod 3 (`typeName`) and in zod 4 (`type`).
 * @param {any} schema
 * @returns {boolean}
 */
function isStringSchema(schema) {
  const def = schema?._zod?.def ?? schema?._def;
  switch (def?.typeName ?? def?.type) {
    case "ZodString":
    case "string":
      return true;
    case "ZodEffects":
      // z.preprocess() is one too, but takes whatever comes: text is as good as anything.
      return isStringSchema(def.schema);
    case "ZodBranded":
      return isStringSchema(def.type);
    case "ZodPipeline":
    case "pipe":
      return isStringSchema(def.in);
    case "ZodOptional":
    case "ZodDefault":
    case "ZodCatch":
    case "ZodReadonly":
    case "optional":
    case "default":
    case "catch":
    case "readonly":
      return isStringSchema(def.innerType);
    default:
      return false;
  }
}
