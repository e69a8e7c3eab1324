import { findFlaw } from "./strict-json.js";

/**
 * @typedef {import("../index.js").ContentPart} ContentPart
 * @typedef {import("../index.js").ToolContent} ToolContent
 * @typedef {import("./strict-json.js").Flaw} Flaw
 */

const DETAILS = ["auto", "low", "high"];

/**
 * @param {ContentPart[]} parts
 * @returns {ToolContent}
 */
export function toolContent(parts) {
  return { $rejellyContent: parts };
}

/**
 * @param {unknown} value
 * @returns {value is ToolContent}
 */
export function isToolContent(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.hasOwn(value, "$rejellyContent") &&
    Object.keys(value).length === 1 &&
    Array.isArray(/** @type {ToolContent} */ (value).$rejellyContent)
  );
}

/**
 * The first place where `parts` are no content parts.
 * @param {unknown} parts
 * @param {string} root
 * @returns {Flaw | undefined}
 */
export function findPartsFlaw(parts, root) {
  const flaw = findFlaw(parts, root);
  if (flaw !== undefined) return flaw;
  if (!Array.isArray(parts)) return { path: root, found: "no array of content parts" };
  for (const [index, part] of parts.entries()) {
    const found = findPartFlaw(part);
    if (found !== undefined) return { path: `${root}[${index}]${found.path}`, found: found.found };
  }
  return undefined;
}

/**
 * @param {any} part strict JSON of any shape
 * @returns {Flaw | undefined}
 */
function findPartFlaw(part) {
  switch (part?.type) {
    case "text":
      return typeof part.text === "string" ? undefined : { path: ".text", found: "not a string" };
    case "image":
      if (typeof part.image?.url !== "string") return { path: ".image.url", found: "not a string" };
      if (part.image.detail === undefined || DETAILS.includes(part.image.detail)) return undefined;
      return { path: ".image.detail", found: `none of ${DETAILS.join(", ")}` };
    case "video":
      return typeof part.video?.url === "string" ? undefined : { path: ".video.url", found: "not a string" };
    default:
      return { path: "", found: 'no content part (its type must be "text", "image" or "video")' };
  }
}
