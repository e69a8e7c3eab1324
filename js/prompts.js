/**
 * The prompts of a server (R28).
 */
import { getContextSignal } from "@rejelly/core";
import { getClientPrompt } from "./client.js";
import { deepFreeze, kindOf } from "./json.js";
import { listPrompts } from "./listing.js";
import { promptResult, stringifyPromptArguments } from "./result/index.js";
import { quoted } from "./warnings.js";

/** Arguments that one message names. */
const MOST_NAMED = 10;

/**
 * @param {import("./client.js").ClientKind} kind
 * @param {import("./tool.js").Binding} binding
 */
export function promptsKit(kind, { timeout }) {
  /** Names of the arguments that each prompt needs, as the last listing had them. @type {Map<string, string[]> | undefined} */
  let needed;
  return {
    /** All prompts, over all pages. */
    list: async () => {
      const prompts = deepFreeze(await listPrompts(kind, getContextSignal()));
      needed = new Map(prompts.map((prompt) => [prompt?.name, requiredOf(prompt)]));
      return prompts;
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
      // Servers answer a missing argument in many ways; what was listed before is told without asking.
      const missing = needed?.get(name)?.filter((argument) => !Object.hasOwn(strings ?? {}, argument)) ?? [];
      if (missing.length > 0) {
        throw new TypeError(
          `prompts.get: expected a value for each required argument of the prompt ${quoted(name)}, got none for ${listed(missing)}`,
        );
      }
      return promptResult(await getClientPrompt(kind, name, strings, { signal: getContextSignal(), timeout }));
    },
  };
}

/**
 * @param {any} prompt as the server listed it
 * @returns {string[]}
 */
function requiredOf(prompt) {
  if (!Array.isArray(prompt?.arguments)) return [];
  return prompt.arguments
    .filter((/** @type {any} */ argument) => argument?.required === true && typeof argument.name === "string")
    .map((/** @type {any} */ argument) => argument.name);
}

/** @param {string[]} names */
function listed(names) {
  const shown = names.slice(0, MOST_NAMED).map(quoted).join(", ");
  return names.length > MOST_NAMED ? `${shown} and ${names.length - MOST_NAMED} more` : shown;
}
