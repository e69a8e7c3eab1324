/**
 * The loop that most bridges are, written for this bench: every tool of the list becomes a zod object on every generation, by recursion over its
 * schema, and the list is kept in the agent's memory. It says less of a schema than this package does (no `$ref`, no bounds), so its time is a lower bound.
 */
import { equipMemo } from "@rejelly/core";
import { z } from "zod/v3";

/** @param {any} schema @returns {import("zod/v3").ZodTypeAny} */
export function toZod(schema) {
  const base = bare(schema ?? {});
  return schema?.description ? base.describe(schema.description) : base;
}

/** @param {any} schema @returns {import("zod/v3").ZodTypeAny} */
function bare(schema) {
  if (Array.isArray(schema.enum) && schema.enum.every((/** @type {unknown} */ one) => typeof one === "string")) {
    return z.enum(schema.enum);
  }
  if (Array.isArray(schema.anyOf ?? schema.oneOf)) {
    const [one, two, ...more] = (schema.anyOf ?? schema.oneOf).map(toZod);
    return two === undefined ? (one ?? z.any()) : z.union([one, two, ...more]);
  }
  switch (schema.type) {
    case "string":
      return z.string();
    case "number":
      return z.number();
    case "integer":
      return z.number().int();
    case "boolean":
      return z.boolean();
    case "null":
      return z.null();
    case "array":
      return z.array(toZod(schema.items));
    case "object":
      return objectOf(schema);
    default:
      return z.any();
  }
}

/** @param {any} schema */
function objectOf(schema) {
  const required = new Set(schema.required);
  /** @type {Record<string, import("zod/v3").ZodTypeAny>} */
  const shape = {};
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const type = toZod(property);
    shape[key] = required.has(key) ? type : type.optional();
  }
  return z.object(shape).passthrough();
}

/**
 * Tools as core takes them.
 * @param {any[]} tools
 * @param {any} client
 */
export function definitions(tools, client) {
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description ?? "",
    parameters: objectOf(tool.inputSchema ?? {}),
    handler: async (/** @type {any} */ args) => {
      const { content } = await client.callTool(tool.name, args);
      return content.map((/** @type {any} */ block) => block.text).join("\n");
    },
  }));
}

/** One generation. @param {any} client @param {string} clientId */
export async function bridge(client, clientId) {
  const tools = await equipMemo(`bridge::${clientId}`, async () => (await client.listTools()).tools, { clientId });
  return definitions(/** @type {any} */ (tools), client);
}
