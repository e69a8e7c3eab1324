/** `docs/limits.md` has every limit, with the number that is in force, and every limit is in a test. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (/** @type {string} */ file) => readFile(join(root, file), "utf8");

/** The files under `folder` whose name ends so. @param {string} folder @param {RegExp} ending */
async function files(folder, ending) {
  const names = await readdir(join(root, folder), { recursive: true });
  return names.filter((name) => ending.test(name) && !name.includes("node_modules")).map((name) => join(folder, name));
}

it("has every limit, with its number", async () => {
  const page = await read("docs/limits.md");
  const rows = new Map(
    [...page.matchAll(/^\| `(\w+)`(?: \(js\))? +\| (\d+) +\|/gm)].map(([, name, number]) => [name, Number(number)]),
  );
  const source = await read("src/limits.rs");
  const limits = [...source.matchAll(/^pub const (\w+): \w+ = ([\d_ *]+);$/gm)].map(([, name, product]) => [
    name,
    String(product)
      .replaceAll("_", "")
      .split("*")
      .reduce((all, factor) => all * Number(factor), 1),
  ]);
  expect(limits.length).toBe(source.match(/^pub const /gm)?.length);
  expect(limits.length).toBeGreaterThan(40);
  for (const file of await files("js", /\.js$/)) {
    for (const [, name, number] of (await read(file)).matchAll(
      /^const (MOST_ENTRIES|MOST_ITEMS|MOST_VALUES) = ([\d_]+);$/gm,
    ))
      limits.push([name, Number(number?.replaceAll("_", ""))]);
  }
  for (const [name, number] of limits) expect([name, rows.get(/** @type {string} */ (name))]).toEqual([name, number]);
  expect(rows.size).toBe(new Set(limits.map(([name]) => name)).size);
});

it("has no limit without a test", async () => {
  const source = await read("src/limits.rs");
  const names = [...source.matchAll(/^pub const (\w+)/gm)].map(([, name]) => String(name));
  let tests = "";
  for (const file of await files("src", /\.rs$/)) {
    const text = await read(file);
    tests += /tests\.rs$/.test(file)
      ? text
      : text.slice(Math.max(0, text.indexOf("#[cfg(test)]\nmod tests {")) || text.length);
  }
  // Those that only the whole process shows, or that cross to the face.
  const inTheFace = ["MAX_CACHED_CATALOGS", "MAX_CACHED_CATALOG_BYTES", "MAX_CROSSING_UNITS", "MAX_COMPARED_UNITS"];
  const untested = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(tests) && !inTheFace.includes(name));
  expect(untested).toEqual([]);
});
