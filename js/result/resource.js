/**
 * What the two resource tools answer (R27).
 */
import { native } from "../binding.js";
import { copied, invalid } from "./call.js";
import { partsOf, textOf } from "./plan.js";
import { skeletonOf, skeletonsOf } from "./skeleton.js";

/**
 * What the model is to read of a resource.
 * @param {unknown} raw the answer to `resources/read`
 * @param {{ toolContent: (parts: any[]) => any }} how
 * @returns {any} a string, or content parts where an image is among the contents
 */
export function readResourceResult(raw, { toolContent }) {
  const { text, strings } = skeletonOf(copied(raw, { strict: false }) ?? null);
  /** @type {import("./plan.js").Plan} */
  const plan = JSON.parse(native.planResource(text));
  if ("parts" in plan) return toolContent(partsOf(plan.parts, strings));
  return textIn(plan, strings);
}

/**
 * A page of resources as JSON text for the model.
 * @param {unknown} rawPage the answer to `resources/list`
 * @param {unknown} [rawTemplates] the answer to `resources/templates/list`, where there is one
 * @returns {string}
 */
export function listResourcesResult(rawPage, rawTemplates) {
  const both = [copied(rawPage, { strict: false }) ?? null, copied(rawTemplates, { strict: false }) ?? null];
  const { texts, strings } = skeletonsOf(both);
  return textIn(
    JSON.parse(native.planResourceListing(/** @type {string} */ (texts[0]), both[1] === null ? undefined : texts[1])),
    strings,
  );
}

/**
 * @param {import("./plan.js").Plan} plan
 * @param {readonly string[]} strings
 */
function textIn(plan, strings) {
  if ("text" in plan) return textOf(plan.text, strings);
  throw invalid("invalid" in plan ? plan.invalid : "expected text");
}
