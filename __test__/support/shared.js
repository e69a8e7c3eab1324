/** What `../shared` holds; the project must also pass its tests where it is absent. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../../shared/", import.meta.url);

export const hasShared = existsSync(fileURLToPath(new URL("cases.jsonl", root)));
if (!hasShared) console.log("skipped: ../shared is absent, so its cases and catalogs are not tried");

/**
 * The cases of one area, or none where `../shared` is absent.
 * @param {string} area
 * @returns {any[]}
 */
export function casesOf(area) {
  if (!hasShared) return [];
  return readFileSync(new URL("cases.jsonl", root), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => unfold(JSON.parse(line)))
    .filter((entry) => entry.area === area);
}

/** @returns {{ server: string; tools: any[] }[]} */
export function catalogs() {
  if (!hasShared) return [];
  const folder = new URL("catalogs/", root);
  return readdirSync(folder).map((file) => {
    const content = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    return { server: file.replace(/\.json$/, ""), tools: Array.isArray(content) ? content : content.tools };
  });
}

/** `{ "$repeat": [text, n] }` stands for a long string. @param {any} value @returns {any} */
function unfold(value) {
  if (Array.isArray(value)) return value.map(unfold);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value.$repeat)) return value.$repeat[0].repeat(value.$repeat[1]);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, unfold(member)]));
}
