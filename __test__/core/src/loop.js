import { channel } from "node:diagnostics_channel";
import { inspect } from "node:util";
import { zodToJsonSchema } from "zod-to-json-schema";
import { raceAbort } from "./abort.js";
import { checkArguments, runTool } from "./call.js";
import { isToolContent } from "./content.js";
import { requireContext } from "./context.js";
import { parseResult } from "./result-schema.js";
import { readTurn } from "./turn.js";

/**
 * @typedef {import("../index.js").ToolDefinition<any>} Tool
 * @typedef {import("../index.js").Message} Message
 * @typedef {import("../index.js").MessageContent} MessageContent
 * @typedef {import("../index.js").Model} Model
 * @typedef {import("../index.js").ModelTool} ModelTool
 * @typedef {import("./context.js").Generation} Generation
 */

const MAX_TURNS = 64;

const telemetry = channel("rejelly.core.turn");

/**
 * @template T
 * @param {import("../index.js").SchemaLike<T>} resultSchema
 * @returns {Promise<T>}
 */
export async function promptAgent(resultSchema) {
  const generation = requireContext("promptAgent");
  const { signal, model, agentId } = generation.run;
  generation.prompted = true;
  signal.throwIfAborted();
  if (model === undefined) throw new Error(`promptAgent: agent "${agentId}" has no model`);
  return parseResult(resultSchema, await raceAbort(converse(generation, model, resultSchema), signal));
}

/**
 * @param {Generation} generation
 * @param {Model} model
 * @param {import("../index.js").SchemaLike<unknown>} schema
 * @returns {Promise<string>} the text of the turn without tool calls
 */
async function converse(generation, model, schema) {
  const { run, tools } = generation;
  const messages = firstMessages(generation);
  for (let turn = 1; turn <= MAX_TURNS; turn++) {
    run.signal.throwIfAborted();
    const shown = tools.map(describeTool);
    // Telemetry derives the schemas again, whether anybody listens or not: that cost is part of the contract.
    telemetry.publish({ agentId: run.agentId, modelId: model.id, turn, tools: tools.map(describeTool) });
    // A copy: a model that keeps what it was sent must not see later turns in it.
    const events = model.stream([...messages], { tools: shown, schema, signal: run.signal });
    const { text, calls } = await readTurn(events, turn, run.signal);
    if (calls.length === 0) return text;
    messages.push({ role: "assistant", content: text, toolCalls: calls });
    const answers = await Promise.all(calls.map((call) => answerCall(tools, call)));
    for (const [index, content] of answers.entries()) {
      const call = /** @type {(typeof calls)[number]} */ (calls[index]);
      messages.push({ role: "tool", toolCallId: call.id, name: call.name, content });
    }
  }
  throw new Error(`promptAgent: agent "${run.agentId}" had no final answer after ${MAX_TURNS} turns`);
}

/**
 * @param {Generation} generation
 * @returns {Message[]}
 */
function firstMessages({ system, instructions }) {
  /** @type {Message[]} */
  const messages = instructions.map((content) => ({ role: "user", content }));
  if (system.length > 0) messages.unshift({ role: "system", content: system.join("\n\n") });
  return messages;
}

/**
 * @param {Tool} tool
 * @returns {ModelTool}
 */
function describeTool(tool) {
  const parameters = zodToJsonSchema(tool.parameters, { $refStrategy: "none" });
  return { name: tool.name, description: tool.description, parameters };
}

/**
 * Never rejects: whatever goes wrong with a call is for the model to read.
 * @param {Tool[]} tools
 * @param {import("./turn.js").Call} call
 * @returns {Promise<MessageContent>}
 */
async function answerCall(tools, call) {
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (tool === undefined) return `Unknown tool "${call.name}"`;
  /** @type {unknown} */
  let args;
  try {
    args = JSON.parse(call.arguments);
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    return `Invalid arguments for tool "${call.name}": not valid JSON: ${message}`;
  }
  try {
    const checked = checkArguments(tool, args);
    if (!checked.ok) return checked.message;
    return toMessageContent(await runTool(tool, checked.data, call.id));
  } catch (error) {
    return `Tool "${call.name}" execution failed: ${describeError(error)}`;
  }
}

/**
 * @param {unknown} result
 * @returns {MessageContent}
 */
function toMessageContent(result) {
  if (typeof result === "string") return result;
  return isToolContent(result) ? result.$rejellyContent : JSON.stringify(result);
}

/** @param {unknown} error */
function describeError(error) {
  if (!(error instanceof Error)) return typeof error === "string" ? error : inspect(error);
  return error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
}
