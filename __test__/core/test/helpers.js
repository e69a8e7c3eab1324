import { z } from "zod/v3";
import { createAgent, equipTool, promptAgent } from "../index.js";

/**
 * A model that plays a script: each turn is a final text, or a list of calls, or a list of raw events, or a function
 * `(messages, options)` that gives one of these. What it was sent is in `model.turns`.
 * @param {...any} script
 */
export function scripted(...script) {
  /** @type {{ messages: any[], options: any }[]} */
  const turns = [];
  return {
    id: "scripted",
    turns,
    /**
     * @param {any} messages
     * @param {any} options
     */
    async *stream(messages, options) {
      turns.push({ messages, options });
      let step = script[turns.length - 1];
      if (typeof step === "function") step = await step(messages, options);
      yield* typeof step === "string" ? [{ type: "text", content: step }] : step;
      yield { type: "finish", finishReason: "stop" };
    },
  };
}

/**
 * @param {string} name
 * @param {unknown} args a string is taken as the JSON text
 * @param {number} [index]
 */
export function call(name, args, index = 0) {
  const text = typeof args === "string" ? args : JSON.stringify(args);
  return { type: "tool_call", toolCall: { index, id: `id${index}`, name, arguments: text } };
}

/**
 * @param {string} name
 * @param {(args: any) => any} handler
 * @param {any} [parameters]
 */
export function tool(name, handler, parameters = z.object({}).passthrough()) {
  return {
    name,
    description: `the tool ${name}`,
    parameters,
    handler: async (/** @type {any} */ args) => handler(args),
  };
}

/**
 * Runs `handler` as an agent, once.
 * @param {(props: any) => any} handler
 * @param {any} [options] of the run
 * @param {any} [agentOptions]
 * @returns {Promise<any>}
 */
export function inAgent(handler, options, agentOptions) {
  return createAgent({ id: "test", handler, ...agentOptions })(undefined, options);
}

/**
 * An agent that has these tools and prompts at once.
 * @param {any} model
 * @param {any[]} tools
 * @param {any} [schema]
 * @param {any} [options]
 */
export function prompt(model, tools, schema = z.string(), options = {}) {
  const handler = () => {
    for (const each of tools) equipTool(each);
    return promptAgent(schema);
  };
  return inAgent(handler, options, { model });
}

/** A promise and its handles. */
export function deferred() {
  /** @type {(value?: any) => void} */
  let resolve = () => {};
  /** @type {(reason?: any) => void} */
  let reject = () => {};
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
