/**
 * What a JSON Schema says, fact by fact: path, keyword, value. Two schemas that say the same in other words have the same facts:
 * - `$ref` is followed (two levels into itself), `allOf` is said at the level it stands on;
 * - an alternative that is `null` only, or a list of plain types, is a list of types of the level; a lone other alternative is the level itself;
 * - `const` is an `enum` of one;
 * - a fact below a keyword that binds no value of its level's types (`items` of an object) is kept where that level's description quotes the keyword;
 * - `nullable`, and draft 4's boolean bounds, are read as the types and bounds that they mean; a `null` keyword is none.
 */

const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];
const LENGTHS = ["minLength", "maxLength", "minItems", "maxItems"];

/**
 * @typedef {{ path: string; keyword: string; value: unknown; idle: { path: string; text: string }[] }} Fact
 * @param {any} root
 * @returns {Map<string, Fact>}
 */
export function factsOf(root) {
  /** @type {Map<string, Fact>} */
  const facts = new Map();
  /** Keywords that bind nothing, with their JSON text, around what is walked. @type {{ path: string; text: string }[]} */
  let idle = [];
  const add = (/** @type {string} */ path, /** @type {string} */ keyword, /** @type {unknown} */ value) => {
    facts.set(JSON.stringify([path, keyword, value]), { path, keyword, value, idle });
  };
  walk(root, "", []);
  return facts;

  /** @param {any} schema @param {string} path @param {any[]} inside */
  function walk(schema, path, inside) {
    if (typeof schema !== "object" || schema === null || path.length > 2_000) return;
    if (typeof schema.$ref === "string") {
      const target = resolve(root, schema.$ref);
      if (target !== undefined && inside.filter((one) => one === target).length < 2)
        walk(target, path, [...inside, target]);
    }
    for (const part of schema.allOf ?? []) walk(part, path, inside);
    if (schema.description) add(path, "description", schema.description);
    if (Object.hasOwn(schema, "default")) add(path, "default", schema.default);
    const types = schema.type == null ? [] : [schema.type].flat();
    for (const type of types) add(path, "type", type);
    if (schema.nullable === true && types.length > 0) add(path, "type", "null");
    if (Object.hasOwn(schema, "const")) add(path, "enum", schema.const);
    for (const value of schema.enum ?? []) add(path, "enum", value);
    for (const keyword of [...BOUNDS, ...LENGTHS, "pattern", "format"]) bound(schema, keyword, path);
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      add(path, "property", name);
      walk(property, `${path}/${name.replace(/[~/]/g, (c) => (c === "~" ? "~0" : "~1"))}`, inside);
    }
    for (const name of schema.required ?? []) add(path, "required", name);
    if (schema.additionalProperties === false) add(path, "closed", true);
    else walk(schema.additionalProperties, `${path}/*`, inside);
    if (Array.isArray(schema.items ?? schema.prefixItems)) {
      (schema.prefixItems ?? schema.items).forEach((/** @type {any} */ item, /** @type {number} */ n) => {
        walk(item, `${path}/[${n}]`, inside);
      });
    } else if (types.length > 0 && !types.includes("array")) {
      const around = idle;
      idle = [...idle, { path, text: `items: ${JSON.stringify(schema.items)}` }];
      walk(schema.items, `${path}/[]`, inside);
      idle = around;
    } else walk(schema.items, `${path}/[]`, inside);
    for (const keyword of ["anyOf", "oneOf"])
      if (Array.isArray(schema[keyword])) alternatives(schema[keyword], path, inside);
  }

  /** @param {any} schema @param {string} keyword @param {string} path */
  function bound(schema, keyword, path) {
    const value = schema[keyword];
    if (value == null) return;
    const exclusive = keyword === "exclusiveMinimum" || keyword === "exclusiveMaximum";
    if (typeof value === "boolean" && exclusive) return;
    const isExclusive = schema[keyword.replace("m", "exclusiveM")] === true;
    add(
      path,
      (keyword === "minimum" || keyword === "maximum") && isExclusive ? keyword.replace("m", "exclusiveM") : keyword,
      value,
    );
  }

  /** @param {any[]} options @param {string} path @param {any[]} inside */
  function alternatives(options, path, inside) {
    const isPlain = (/** @type {any} */ option) =>
      typeof option?.type !== "undefined" && Object.keys(option).length === 1;
    const others = options.filter((option) => !isPlain(option) && !isAnything(option));
    for (const option of options.filter(isPlain)) for (const type of [option.type].flat()) add(path, "type", type);
    if (others.length === 1) walk(others[0], path, inside);
    else for (const [n, option] of others.entries()) walk(option, `${path}/|${n}`, inside);
  }
}

/** An alternative that says nothing: it stands for values of the types that a schema without `type` does not speak of. @param {any} option */
function isAnything(option) {
  return option === true || (typeof option === "object" && option !== null && Object.keys(option).length === 0);
}

/** @param {any} root @param {string} reference */
function resolve(root, reference) {
  if (!reference.startsWith("#")) return undefined;
  let at = root;
  for (const segment of decodeURIComponent(reference.slice(1)).split("/").slice(1)) {
    at = at?.[segment.replace(/~1/g, "/").replace(/~0/g, "~")];
  }
  return at;
}

/**
 * The facts of `original` that `shown` does not have, and those that it has of its own.
 * @param {any} original
 * @param {any} shown
 */
export function compare(original, shown) {
  const [sent, seen] = [factsOf(original), factsOf(shown)];
  const at = (/** @type {string} */ path, /** @type {string} */ keyword, /** @type {Map<string, any>} */ facts) =>
    [...facts.values()].filter((fact) => fact.path === path && fact.keyword === keyword);
  const lost = [...sent].filter(([key, fact]) => !seen.has(key) && !isKeptInOtherWords(fact)).map(([, fact]) => fact);
  const invented = [...seen].filter(([key, fact]) => !sent.has(key) && !isImplied(fact)).map(([, fact]) => fact);
  return { total: sent.size, lost, invented };

  /** A description may have words added at its end; a format that zod 3 has no check for is among them. @param {Fact} fact */
  function isKeptInOtherWords({ path, keyword, value, idle }) {
    const quotes = (/** @type {{ path: string; text: string }} */ { path, text }) =>
      at(path, "description", seen).some((fact) => String(fact.value).includes(text));
    if (idle.some(quotes)) return true;
    const said = at(path, "description", seen).map((fact) => String(fact.value));
    if (keyword === "description") return said.some((text) => text.includes(String(value)));
    if (keyword === "format") return said.some((text) => text.includes(`format: ${value}`));
    return false;
  }

  /** @param {any} fact */
  function isImplied({ path, keyword, value }) {
    // Words of ours stand in brackets, after the server's own.
    if (keyword === "description") {
      const own = at(path, "description", sent).map((fact) => String(fact.value));
      return own.length === 0 ? /^\(.*\)$/s.test(String(value)) : own.every((text) => String(value).includes(text));
    }
    // The root is an object: arguments are.
    if (keyword === "type" && path === "" && value === "object") return true;
    // The types of the values of an `enum` are those of the values.
    if (keyword === "type") {
      const values = at(path, "enum", sent).map((fact) => (fact.value === null ? "null" : typeof fact.value));
      return values.some((type) => type === value);
    }
    return false;
  }
}
