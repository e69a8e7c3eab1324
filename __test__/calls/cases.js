/** Cases of `../shared/cases.jsonl` of the areas name, error and async: copies, so that they are tried where the shared folder is absent. */
import { readFileSync } from "node:fs";

/** @type {{ id: string; area: string; input: any; expect: string }[]} */
export const copies = JSON.parse(readFileSync(new URL("./cases.json", import.meta.url), "utf8"));

/** @param {string} id */
export function caseOf(id) {
  const found = copies.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return found.input;
}
