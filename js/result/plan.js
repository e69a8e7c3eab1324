/**
 * Plans of the native side (`src/result/plan.rs`) put together with the strings that stayed here.
 *
 * @typedef {string | number | { json: number; to?: number } | { base64: string | number } | { utf8: string | number; otherwise: string }} Piece
 * @typedef {{ text: Piece[] } | { image: Piece[] } | { video: Piece[] }} PlannedPart
 * @typedef {{ invalid: string } | { failed: Piece[] } | { text: Piece[] } | { parts: PlannedPart[] }} Plan
 */

/**
 * @param {readonly Piece[]} pieces
 * @param {readonly string[]} strings
 */
export function textOf(pieces, strings) {
  let text = "";
  // Concatenation, not join: a rope holds the parts by reference, whatever their size.
  for (const piece of pieces) text += pieceOf(piece, strings);
  return text;
}

/**
 * @param {readonly PlannedPart[]} parts
 * @param {readonly string[]} strings
 * @returns {import("@rejelly/core").ContentPart[]}
 */
export function partsOf(parts, strings) {
  return parts.map((part) => {
    if ("text" in part) return { type: "text", text: textOf(part.text, strings) };
    if ("image" in part) return { type: "image", image: { url: textOf(part.image, strings) } };
    return { type: "video", video: { url: textOf(part.video, strings) } };
  });
}

/**
 * @param {Piece} piece
 * @param {readonly string[]} strings
 */
function pieceOf(piece, strings) {
  if (typeof piece !== "object") return at(piece, strings);
  if ("json" in piece) {
    const text = at(piece.json, strings);
    return JSON.stringify(piece.to === undefined ? text : `${text.slice(0, piece.to)}…`);
  }
  if ("base64" in piece) return repaired(at(piece.base64, strings));
  return decoded(at(piece.utf8, strings)) ?? piece.otherwise;
}

/**
 * @param {string | number} source
 * @param {readonly string[]} strings
 */
function at(source, strings) {
  return typeof source === "string" ? source : /** @type {string} */ (strings[source]);
}

/** @param {string} base64 with line breaks, in the url alphabet or without padding */
function repaired(base64) {
  const digits = base64
    .replace(/[\s=]+/g, "")
    .replace(/-/g, "+")
    .replace(/_/g, "/");
  return digits + "=".repeat((4 - (digits.length % 4)) % 4);
}

/** @param {string} base64 @returns {string | undefined} the text it stands for, or nothing where that is no UTF-8 */
function decoded(base64) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}
