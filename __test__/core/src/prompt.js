import { findPartsFlaw } from "./content.js";
import { requireContext } from "./context.js";

/**
 * @param {string} text
 * @returns {void}
 */
export function equipSystem(text) {
  const { system } = requireContext("equipSystem");
  if (typeof text !== "string") throw new TypeError(`equipSystem: expected a string, not ${typeof text}`);
  system.push(text);
}

/**
 * @param {import("../index.js").MessageContent} content
 * @returns {void}
 */
export function equipInstruction(content) {
  const { instructions } = requireContext("equipInstruction");
  if (typeof content !== "string") {
    const flaw = findPartsFlaw(content, "content");
    if (flaw !== undefined) throw new TypeError(`equipInstruction: ${flaw.path}: ${flaw.found}`);
  }
  instructions.push(content);
}
