/**
 * From a schema descriptor to zod: the tree that `zod-to-json-schema` reads, node by node what the descriptor says (R14, R16).
 *
 * It is built of zod 3's own classes with definitions of our own: a pattern is carried as the text that came, a bound as the number that came. Nothing
 * validates with this tree; what it parses it lets through at most as strictly as the schema does.
 */
import { z } from "zod/v3";

/** @typedef {import("../../index.js").McpSchemaDescriptor} Descriptor */
/** @typedef {import("zod/v3").ZodTypeAny} Zod */

const Kind = z.ZodFirstPartyTypeKind;

/**
 * The zod type of one node.
 * @param {Descriptor} node
 * @returns {Zod}
 */
export function zodOf(node) {
  let type = bare(node);
  if ("default" in node) {
    // zod-to-json-schema takes a default as a reason to drop the property from `required`, and asks isOptional() for that: see `property`.
    const value = node.default;
    type = new z.ZodDefault({ innerType: type, defaultValue: () => structuredClone(value), typeName: Kind.ZodDefault });
  }
  // A node of several zod types may have words of its own already.
  const words = type._def.description;
  const said = node.description;
  return described(type, said && words && !words.startsWith(said) ? `${said} ${words}` : (words ?? said));
}

/**
 * @template {Zod} T
 * @param {T} type
 * @param {string | undefined} description
 * @returns {T}
 */
function described(type, description) {
  // An empty description is shown as none by zod-to-json-schema, whatever is done here.
  if (description) type._def.description = description;
  return type;
}

/** @param {Descriptor} node @returns {Zod} */
function bare(node) {
  switch (node.kind) {
    case "any":
      return z.any();
    case "never":
      return z.never();
    case "null":
      return z.null();
    case "boolean":
      return z.boolean();
    case "string":
      return stringOf(node);
    case "number":
      return numberOf(node);
    case "enum":
      return enumOf(node.values, node.integer === true);
    case "array":
      return arrayOf(node);
    case "object":
      return new z.ZodObject(/** @type {any} */ (objectDef(node)));
    case "union":
      return unionOf(node.options.map(zodOf));
    case "all":
      return allOf(node.parts.map(zodOf));
  }
}

/** Formats that zod 3 has a check for, by the name that zod-to-json-schema gives them. @type {Record<string, object>} */
const FORMAT_CHECKS = {
  "date-time": { kind: "datetime", offset: true, precision: null, local: false },
  date: { kind: "date" },
  time: { kind: "time", precision: null },
  duration: { kind: "duration" },
  email: { kind: "email" },
  uuid: { kind: "uuid" },
  uri: { kind: "url" },
  ipv4: { kind: "ip", version: "v4" },
  ipv6: { kind: "ip", version: "v6" },
};

/** @param {Extract<Descriptor, { kind: "string" }>} node */
function stringOf({ minLength, maxLength, pattern, format }) {
  const checks = [];
  if (minLength !== undefined) checks.push({ kind: "min", value: minLength });
  if (maxLength !== undefined) checks.push({ kind: "max", value: maxLength });
  if (pattern !== undefined && isPattern(pattern)) checks.push({ kind: "regex", regex: patternOf(pattern) });
  if (format !== undefined) checks.push(FORMAT_CHECKS[format]);
  const type = new z.ZodString({ checks: /** @type {any} */ (checks), coerce: false, typeName: Kind.ZodString });
  // Whoever reads the schema next would fail at a pattern of another language.
  return pattern === undefined || isPattern(pattern) ? type : described(type, `(pattern: ${pattern})`);
}

/** @param {string} source */
function isPattern(source) {
  for (const flags of ["u", ""]) {
    try {
      new RegExp(source, flags);
      return true;
    } catch {}
  }
  return false;
}

/**
 * A pattern as its text. It is the server's, may be of another language than JavaScript's, and is matched by the native side only.
 * @param {string} source
 */
function patternOf(source) {
  return { source, flags: "", lastIndex: 0, test: () => true };
}

/** @param {Extract<Descriptor, { kind: "number" }>} node */
function numberOf(node) {
  const checks = [];
  if (node.integer) checks.push({ kind: "int" });
  if (node.minimum !== undefined) checks.push({ kind: "min", value: node.minimum, inclusive: true });
  if (node.exclusiveMinimum !== undefined) checks.push({ kind: "min", value: node.exclusiveMinimum, inclusive: false });
  if (node.maximum !== undefined) checks.push({ kind: "max", value: node.maximum, inclusive: true });
  if (node.exclusiveMaximum !== undefined) checks.push({ kind: "max", value: node.exclusiveMaximum, inclusive: false });
  if (node.multipleOf !== undefined) checks.push({ kind: "multipleOf", value: node.multipleOf });
  return new z.ZodNumber({ checks: /** @type {any} */ (checks), coerce: false, typeName: Kind.ZodNumber });
}

/**
 * @param {readonly unknown[]} values
 * @param {boolean} integer
 * @returns {Zod}
 */
function enumOf(values, integer) {
  if (values.every((value) => typeof value === "string")) {
    const [only] = values;
    return values.length === 1 ? z.literal(/** @type {string} */ (only)) : z.enum(/** @type {any} */ (values));
  }
  if (values.every((value) => value === null || typeof value !== "object")) {
    const literals = values.map((value) => (value === null ? nullLiteral() : z.literal(/** @type {any} */ (value))));
    const union = unionOf(literals);
    // zod-to-json-schema names the type of a literal by its JavaScript type, which knows no integers.
    return integer ? allOf([numberOf({ kind: "number", integer: true }), union]) : union;
  }
  // Arrays and objects have no literal in zod-to-json-schema: each is told by its parts.
  return unionOf(values.map(exactly));
}

/** A literal of null, which zod-to-json-schema puts into an enum only as a literal. */
function nullLiteral() {
  return new z.ZodLiteral({ value: null, typeName: Kind.ZodLiteral });
}

/**
 * The type that one JSON value has alone.
 * @param {unknown} value
 * @returns {Zod}
 */
function exactly(value) {
  if (value === null) return z.null();
  if (Array.isArray(value) && value.length === 0) return z.array(z.any()).max(0);
  if (Array.isArray(value)) return z.tuple(/** @type {any} */ (value.map(exactly)));
  if (typeof value !== "object") return z.literal(/** @type {any} */ (value));
  const properties = Object.entries(value).map(
    ([name, member]) => /** @type {const} */ ([name, exactly(member), true]),
  );
  return new z.ZodObject(/** @type {any} */ (defOf(shapeOf(properties), z.never(), "strict")));
}

/** @param {Extract<Descriptor, { kind: "array" }>} node @returns {Zod} */
function arrayOf({ positions = [], rest, minItems, maxItems }) {
  const exactLength = null;
  const length = (/** @type {number | undefined} */ value) => (value === undefined ? null : { value });
  if (positions.length === 0) {
    // `items: false` allows the empty array alone.
    const most = rest.kind === "never" ? 0 : maxItems;
    // zod-to-json-schema leaves out items of any kind, and what they are described as with them.
    const type = rest.kind === "never" ? z.any() : apart(zodOf(rest));
    return new z.ZodArray({
      type,
      minLength: length(minItems),
      maxLength: length(most),
      exactLength,
      typeName: Kind.ZodArray,
    });
  }
  // A tuple of zod's must have all its positions; positions of JSON Schema bind only the items that are there.
  const isFixed = rest.kind === "never" && minItems === positions.length;
  if (isFixed) return z.tuple(/** @type {any} */ (positions.map(zodOf)));
  const types = [...positions, ...(rest.kind === "never" ? [] : [rest])];
  const list = types.map((type, index) => `${index < positions.length ? index + 1 : "further"}: ${wordsOf(type)}`);
  const most = rest.kind === "never" ? Math.min(maxItems ?? positions.length, positions.length) : maxItems;
  const type = types.some(({ kind }) => kind === "any") ? z.any() : unionOf(types.map(zodOf));
  const array = new z.ZodArray({
    type,
    minLength: length(minItems),
    maxLength: length(most),
    exactLength,
    typeName: Kind.ZodArray,
  });
  return described(array, `(items by position: ${list.join("; ")})`);
}

/**
 * What a node is, in a word or two.
 * @param {Descriptor} node
 */
function wordsOf(node) {
  const name = node.kind === "number" && node.integer ? "integer" : node.kind;
  return node.description ? `${name}, ${node.description}` : name;
}

/** @param {readonly Zod[]} options @returns {Zod} */
function unionOf(options) {
  const [only] = options;
  if (options.length === 0) return z.never();
  if (options.length === 1 && only && !(only instanceof z.ZodLiteral && only.value === null)) return only;
  const shown = options.some(({ description }) => description) ? options.map(apart) : options.map(plainInteger);
  return new z.ZodUnion({ options: /** @type {any} */ (shown), typeName: Kind.ZodUnion });
}

/**
 * zod-to-json-schema shows a union of plain types as a list of types, and leaves out what each is described as. A brand, which it looks through, keeps
 * an option apart.
 * @param {Zod} option
 * @returns {Zod}
 */
function apart(option) {
  if (!option.description) return option;
  return described(new z.ZodBranded({ type: option, typeName: Kind.ZodBranded }), option.description);
}

/**
 * In a union of plain types an integer that has no bounds is one of a list of types; zod-to-json-schema makes that list of types without checks.
 * @param {Zod} type
 * @param {number} _index
 * @param {readonly Zod[]} all
 * @returns {Zod}
 */
function plainInteger(type, _index, all) {
  const isPlain = (/** @type {Zod} */ option) =>
    !option.description &&
    (option instanceof z.ZodNull ||
      option instanceof z.ZodBoolean ||
      (option instanceof z.ZodString && option._def.checks.length === 0) ||
      (option instanceof z.ZodNumber && option._def.checks.every(({ kind }) => kind === "int")));
  if (!(type instanceof z.ZodNumber && type._def.checks.length > 0) || !all.every(isPlain)) return type;
  return new z.ZodNumber(/** @type {any} */ ({ typeName: Kind.ZodBigInt, checks: [], coerce: false }));
}

/** @param {readonly Zod[]} parts @returns {Zod} */
function allOf(parts) {
  return parts.length === 0
    ? z.any()
    : parts.reduce((left, right) => new z.ZodIntersection({ left, right, typeName: Kind.ZodIntersection }));
}

/**
 * The definition of a ZodObject.
 * @param {Extract<Descriptor, { kind: "object" }>} node
 */
export function objectDef({ properties, rest, description }) {
  const shape = shapeOf(
    properties.map(([name, node, required]) => /** @type {const} */ ([name, zodOf(node), required])),
  );
  const unknown = rest.kind === "never" ? "strict" : "passthrough";
  const isPlain = (rest.kind === "any" || rest.kind === "never") && rest.description === undefined;
  const catchall = isPlain ? z.never() : zodOf(rest);
  const named = properties.find(([name]) => name === "__proto__");
  // zod-to-json-schema assigns properties by name, which for this one sets a prototype and shows nothing.
  const words = named && `(property "__proto__"${named[2] ? ", required" : ""}: ${wordsOf(named[1])})`;
  const text = [description, words].filter(Boolean).join(" ");
  return { ...defOf(shape, catchall, unknown), ...(text && { description: text }) };
}

/**
 * @param {Record<string, Zod>} shape
 * @param {Zod} catchall
 * @param {"strict" | "passthrough"} unknownKeys
 */
function defOf(shape, catchall, unknownKeys) {
  return { shape: () => shape, unknownKeys, catchall, typeName: Kind.ZodObject };
}

/**
 * @param {readonly (readonly [name: string, type: Zod, required: boolean])[]} properties
 * @returns {Record<string, Zod>}
 */
function shapeOf(properties) {
  /** @type {Record<string, Zod>} */
  const shape = {};
  for (const [name, type, required] of properties) {
    Object.defineProperty(shape, name, {
      value: property(type, required),
      // Whoever copies a shape by assignment would set a prototype with this name.
      enumerable: name !== "__proto__",
      configurable: true,
      writable: true,
    });
  }
  return shape;
}

/**
 * Whether a property must be there is for the schema to say, not for what the type could parse: `z.any()` and a default admit undefined.
 * @param {Zod} type
 * @param {boolean} required
 */
function property(type, required) {
  if (!required) return type.optional();
  if (type.isOptional()) type.isOptional = () => false;
  return type;
}
