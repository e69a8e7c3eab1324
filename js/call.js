/**
 * `callMcpTool` and `validateMcpToolArguments`: one call and one check, without an agent.
 */
import { native } from "./binding.js";
import { assertClient, callClientTool, clientKind } from "./client.js";
import { compiledForm } from "./compiled.js";
import { jsonText, kindOf } from "./json.js";
import { refuse } from "./options.js";
import { normalizeMcpCallResult } from "./result/index.js";

/**
 * Calls a tool and gives its normalised result (`index.d.ts` has the contract).
 * @param {unknown} client
 * @param {string} name
 * @param {unknown} [args]
 * @param {{ signal?: AbortSignal; timeout?: number; onProgress?: (progress: any) => void; callStyle?: "auto" | "params" | "positional" }} [options]
 */
export async function callMcpTool(client, name, args = {}, options = {}) {
  assertClient(client, "callMcpTool");
  if (typeof name !== "string" || name === "") {
    throw new TypeError(`callMcpTool: expected the name of a tool, got ${name === "" ? '""' : kindOf(name)}`);
  }
  const { signal, timeout, onProgress, callStyle = "auto" } = options;
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout > 0)) {
    throw refuse("callMcpTool", "timeout", "a positive number of milliseconds", timeout);
  }
  if (!["auto", "params", "positional"].includes(callStyle)) {
    throw refuse("callMcpTool", "callStyle", '"auto", "params" or "positional"', callStyle);
  }
  return normalizeMcpCallResult(
    await callClientTool(clientKind(client, callStyle), name, args, { signal, timeout, onProgress }),
  );
}

/**
 * Checks arguments against a tool's input schema, exactly (`index.d.ts` has the contract).
 * @param {unknown} inputSchema
 * @param {unknown} args
 * @returns {import("../index.js").McpJsonSchemaValidationResult}
 */
export function validateMcpToolArguments(inputSchema, args) {
  const schema = compiledSchema(inputSchema);
  if (typeof schema === "string") return failed("invalid_schema", "schema", schema);
  let text;
  try {
    text = jsonText(args);
  } catch (error) {
    return failed("invalid_arguments", "type", error instanceof Error ? error.message : String(error));
  }
  const answer = schema.validate(text);
  return answer === null ? { ok: true } : JSON.parse(answer);
}

/** @param {unknown} inputSchema @returns {import("./native.cjs").InputSchema | string} the schema, or why there is none */
function compiledSchema(inputSchema) {
  if (typeof inputSchema !== "boolean" && (typeof inputSchema !== "object" || inputSchema === null)) {
    return `expected a JSON Schema (an object or a boolean), got ${kindOf(inputSchema)}`;
  }
  if (typeof inputSchema === "object") {
    const known = compiledForm(inputSchema);
    if (known !== undefined) return known;
  }
  try {
    return new native.InputSchema(jsonText(inputSchema));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * @param {"invalid_schema" | "invalid_arguments"} reason
 * @param {string} keyword
 * @param {string} message
 * @returns {import("../index.js").McpJsonSchemaValidationResult}
 */
function failed(reason, keyword, message) {
  return { ok: false, reason, issues: [{ instancePath: "", schemaPath: "", keyword, message }] };
}
