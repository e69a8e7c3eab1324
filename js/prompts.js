/**
 * The prompts of a server (R28).
 */
import { getContextSignal } from "@rejelly/core";
import { getClientPrompt } from "./client.js";
import { deepFreeze, kindOf } from "./json.js";
import { listPrompts } from "./listing.js";
import { promptResult, stringifyPromptArguments } from "./result/index.js";
import { quoted } from "./warnings.js";

/**
 * @param {import("./client.js").ClientKind} kind
 * @param {import("./tool.js").Binding} binding
 */
export function promptsKit(kind, { timeout }) {
  /** @type {ReadonlyMap<string, readonly string[]>} */
  let required = new Map();
  return {
    /** All prompts, over all pages. */
    list: async () => {
      const prompts = await listPrompts(kind, getContextSignal());
      required = requiredArguments(prompts);
      return deepFreeze(prompts);
    },
    /**
     * @param {string} name
     * @param {Record<string, unknown>} [args]
     */
    get: async (name, args) => {
      if (typeof name !== "string" || name === "") {
        throw new TypeError(`prompts.get: expected the name of a prompt, got ${kindOf(name)}`);
      }
      const strings = args === undefined ? undefined : stringifyPromptArguments(args);
      // Only a prompt that this kit has listed is checked: to list for the check alone would be a request that nobody asked for.
      const missing = required.get(name)?.filter((argument) => !Object.hasOwn(strings ?? {}, argument)) ?? [];
      if (missing.length > 0) {
        throw new Error(`prompts.get: the prompt ${quoted(name)} requires ${missing.map(quoted).join(", ")}`);
      }
      return promptResult(await getClientPrompt(kind, name, strings, { signal: getContextSignal(), timeout }));
    },
  };
}

/**
 * The names of each prompt's required arguments.
 * @param {readonly any[]} prompts as listed: what a server sent, whatever it is
 */
function requiredArguments(prompts) {
  return new Map(
    prompts.map((prompt) => {
      const list = Array.isArray(prompt?.arguments) ? prompt.arguments : [];
      const named = list.filter((/** @type {any} */ one) => one?.required === true && typeof one.name === "string");
      return [prompt?.name, named.map((/** @type {any} */ { name }) => name)];
    }),
  );
}
