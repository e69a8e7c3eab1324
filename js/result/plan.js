/**
 * Plans of the native side (`src/result/pieces.rs`), carried out: pieces are joined, parts become core's content. Joining copies no
 * string: the engine keeps the pieces until somebody reads the whole.
 */
import { native } from "../binding.js";

/**
 * @typedef {string | number | ["json" | "repair", number] | ["decode", number, string]} Piece
 * @typedef {{ text?: Piece[]; parts?: ["text" | "image" | "video", Piece[]][]; failed?: Piece[]; invalid?: { code: string; message: string }; unreadable?: string }} Plan
 * @typedef {{ type: "text"; text: string } | { type: "image"; image: { url: string } } | { type: "video"; video: { url: string } }} ContentPart
 */

/**
 * @param {readonly Piece[]} pieces
 * @param {readonly string[]} strings
 */
export function joined(pieces, strings) {
  let text = "";
  for (const piece of pieces) text += typeof piece === "string" ? piece : fetched(piece, strings);
  return text;
}

/**
 * @param {Exclude<Piece, string>} piece
 * @param {readonly string[]} strings
 */
function fetched(piece, strings) {
  const [operation, index, otherwise] = typeof piece === "number" ? ["raw", piece] : piece;
  const string = /** @type {string} */ (strings[index]);
  switch (operation) {
    case "json":
      return JSON.stringify(string);
    case "repair":
      return native.repairBase64(string);
    case "decode":
      return native.decodeBase64Text(string) ?? otherwise;
    default:
      return string;
  }
}

/**
 * @param {NonNullable<Plan["parts"]>} parts
 * @param {readonly string[]} strings
 * @returns {ContentPart[]}
 */
export function contentParts(parts, strings) {
  return parts.map(([type, pieces]) => {
    const text = joined(pieces, strings);
    if (type === "text") return { type, text };
    return type === "image" ? { type, image: { url: text } } : { type, video: { url: text } };
  });
}
