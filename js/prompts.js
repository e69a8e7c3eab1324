/**
 * The prompts of a server (R28).
 */
import { getContextSignal } from "@rejelly/core";
import { getClientPrompt } from "./client.js";
import { deepFreeze, kindOf } from "./json.js";
import { listPrompts } from "./listing.js";
import { promptResult, stringifyPromptArguments } from "./result/index.js";

/**
 * @param {import("./client.js").ClientKind} kind
 * @param {import("./tool.js").Binding} binding
 */
export function promptsKit(kind, { timeout }) {
  return {
    /** All prompts, over all pages. */
    list: async () => deepFreeze(await listPrompts(kind, getContextSignal())),
    /**
     * @param {string} name
     * @param {Record<string, unknown>} [args]
     */
    get: async (name, args) => {
      if (typeof name !== "string" || name === "") {
        throw new TypeError(`prompts.get: expected the name of a prompt, got ${kindOf(name)}`);
      }
      const strings = args === undefined ? undefined : stringifyPromptArguments(args);
      return promptResult(await getClientPrompt(kind, name, strings, { signal: getContextSignal(), timeout }));
    },
  };
}
