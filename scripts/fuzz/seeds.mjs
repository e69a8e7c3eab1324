/**
 * What fuzzing begins with, beside the small set in `fuzz/seeds/`: everything that the tests' JSON files and, where they are there, the recorded
 * servers and cases hold of schemas, pages and results. One file for each input: lines of JSON, as the targets read them.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An input beyond this is slow to try, and its parts are seeds of their own. */
const MAX_SEED_BYTES = 16_384;
/** `$schema` for the suites whose schemas do not name their draft. @type {Record<string, string>} */
const DRAFTS = { draft4: "draft-04", draft6: "draft-06", draft7: "draft-07" };
const OPTIONS = [
  { autoPaginate: true, maxItems: 100 },
  { autoPaginate: true, maxItems: 3, skip: true },
  { autoPaginate: true, maxItems: 100, strict: true },
  { autoPaginate: true, maxItems: 100, filter: ["a", "read_file"] },
];

/**
 * Writes the seeds of every target below `folder`.
 * @param {string} root the repository
 * @param {string} folder
 */
export function writeSeeds(root, folder) {
  const seeds = new Map(
    ["page", "walk", "descriptor", "validate", "call_result", "prompt", "resource"].map((target) => [
      target,
      /** @type {Set<string>} */ (new Set()),
    ]),
  );
  /** @param {string} target @param {...unknown} documents */
  const add = (target, ...documents) => {
    const text = documents.map((document) => JSON.stringify(document)).join("\n");
    if (text.length <= MAX_SEED_BYTES) seeds.get(target)?.add(text);
  };
  for (const document of [...testDocuments(root), ...recorded(root)]) each(document, (value) => found(value, add));
  for (const { schema, tests } of suite(root)) {
    add("validate", schema, ...tests);
    add("descriptor", schema);
  }
  for (const [target, texts] of seeds) {
    mkdirSync(join(folder, target), { recursive: true });
    for (const text of texts) {
      const name = createHash("sha256").update(text).digest("hex").slice(0, 16);
      writeFileSync(join(folder, target, name), text);
    }
  }
}

/** What one object of any document is a seed of. @param {any} value @param {(target: string, ...documents: unknown[]) => void} add */
function found(value, add) {
  if (typeof value.inputSchema === "object" && value.inputSchema) {
    add("descriptor", value.inputSchema);
    add("validate", value.inputSchema, {});
    add("page", { tools: [value] });
  }
  if (value.input?.inputSchema) {
    add("validate", value.input.inputSchema, ...(value.valid ?? []), ...(value.invalid ?? []));
  }
  if (Array.isArray(value.tools)) {
    const pages = [];
    for (let at = 0; at < value.tools.length; at += 4) {
      pages.push({ tools: value.tools.slice(at, at + 4), nextCursor: `page ${at} %N` });
      add("page", pages.at(-1));
    }
    pages.push({ tools: [] });
    for (const options of OPTIONS) add("walk", options, ...pages.slice(-4));
  }
  if (value.pages && !Array.isArray(value.pages)) {
    for (const options of OPTIONS) add("walk", options, ...Object.values(value.pages));
  }
  if ("content" in value || "structuredContent" in value || "toolResult" in value) {
    for (const result of [value, carried(value)]) add("call_result", result);
    if ("role" in value) add("prompt", { messages: [value] });
  }
  if (Array.isArray(value.messages)) for (const result of [value, carried(value)]) add("prompt", result);
  if (Array.isArray(value.contents)) for (const result of [value, carried(value)]) add("resource", result);
  for (const key of ["resources", "resourceTemplates"]) {
    if (!Array.isArray(value[key])) continue;
    add("resource", { resources: { resources: value.resources ?? [] }, templates: { resourceTemplates: value[key] } });
    for (const { uriTemplate } of value[key])
      if (uriTemplate) add("resource", uriTemplate, { a: "b c", path: ["x", "é"] });
  }
}

/** `value` as the face sends it, with every string of some length in its table. @param {unknown} value */
function carried(value) {
  let index = 0;
  return JSON.parse(JSON.stringify(value), (_, part) => {
    if (typeof part !== "string" || part.length < 12) return part;
    const full = part.length <= 272;
    const excerpt = full ? part : part.slice(0, 256) + part.slice(-16);
    return `\0${full ? "F" : "P"}${index++}:${part.length}:${excerpt}`;
  });
}

/** @param {unknown} value @param {(value: object) => void} visit */
function each(value, visit) {
  if (typeof value !== "object" || value === null) return;
  visit(value);
  for (const inner of Object.values(value)) each(inner, visit);
}

/** Every JSON file of the tests. @param {string} root */
function testDocuments(root) {
  return files(join(root, "__test__"), /\.json$/).map(read);
}

/** Recorded servers and cases, which not every checkout has beside it. @param {string} root */
function recorded(root) {
  const shared = join(root, "..", "shared");
  const cases = join(shared, "cases.jsonl");
  const lines = existsSync(cases) ? readFileSync(cases, "utf8").trim().split("\n") : [];
  return [...files(join(shared, "catalogs"), /\.json$/).map(read), ...lines.map((line) => JSON.parse(line))];
}

/** Schemas of the official suite, each with the values it is tried on. @param {string} root */
function suite(root) {
  const folder = join(root, "..", "shared", "json-schema-test-suite");
  return files(folder, /\.json$/).flatMap((file) => {
    const draft = Object.keys(DRAFTS).find((name) => file.slice(folder.length).includes(name));
    const groups = read(file);
    if (!Array.isArray(groups)) return [];
    return groups.map(({ schema, tests }) => {
      const named = draft && typeof schema === "object" && !("$schema" in schema);
      return {
        schema: named ? { $schema: `http://json-schema.org/${DRAFTS[draft]}/schema#`, ...schema } : schema,
        tests: tests.map((/** @type {{ data: unknown }} */ { data }) => data),
      };
    });
  });
}

/** @param {string} folder @param {RegExp} name @returns {string[]} */
function files(folder, name) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((entry) => entry !== "node_modules")
    .flatMap((entry) => {
      const path = join(folder, entry);
      if (statSync(path).isDirectory()) return files(path, name);
      return name.test(entry) ? [path] : [];
    });
}

/** @param {string} file */
function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
