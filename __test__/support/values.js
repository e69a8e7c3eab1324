/** Values that no honest server or application sends. */
import fc from "fast-check";

/** Any UTF-16: characters of every plane, lone surrogates, U+0000. */
export const utf16 = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
);

/** The same, and strings that mean something to JavaScript, to JSON Schema or to the boundary. */
export const string = fc.oneof(
  { weight: 2, arbitrary: utf16 },
  fc.constantFrom(
    "",
    "\0",
    "\0F0:1:x",
    "\0P0:9000:a",
    "\ud800",
    "\udc00\ud800",
    "a\nb",
    "\u001b[31m",
    "\u202e",
    "#",
    "/",
  ),
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "toJSON", "then"),
);

/** Keys that the package, MCP or JSON Schema give a meaning to. */
export const key = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("name", "description", "inputSchema", "outputSchema", "annotations", "_meta"),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "type",
      "properties",
      "required",
      "items",
      "enum",
      "const",
      "anyOf",
      "allOf",
      "$ref",
      "$defs",
      "pattern",
      "not",
      "additionalProperties",
      "default",
      "format",
      "minimum",
      "$id",
      "$schema",
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "content",
      "structuredContent",
      "isError",
      "text",
      "data",
      "mimeType",
      "resource",
      "uri",
      "blob",
      "toolResult",
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "messages",
      "role",
      "prompts",
      "resources",
      "contents",
      "tools",
      "nextCursor",
      "arguments",
      "execution",
    ),
  },
  { weight: 2, arbitrary: string },
);

/** @param {[string, unknown][]} entries an object that has even `__proto__` as a key of its own */
export function ownKeys(entries) {
  const made = {};
  for (const [name, value] of entries)
    Object.defineProperty(made, name, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/**
 * JSON values of these strings and keys.
 * @param {fc.Arbitrary<string>} strings
 * @param {fc.Arbitrary<string>} keys
 * @returns {fc.Arbitrary<any>}
 */
export const jsonOf = (strings, keys) =>
  fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(
        strings,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
      ),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.array(fc.tuple(keys, tie("value")), { maxLength: 5 }).map(ownKeys),
    ),
  })).value;

export const json = jsonOf(string, key);

/** A getter's own error: the application may see it, since it is the application's. */
export class Trap extends Error {
  name = "Trap";
}

const trapped = () => {
  throw new Trap("a trap");
};

class Instance {
  field = 1;
}

/** An empty list that says it has so many items. @param {number} length @returns {any[]} */
export const lengthOf = (length) =>
  new Proxy(/** @type {any[]} */ ([]), {
    get: (target, name) => (name === "length" ? length : Reflect.get(target, name)),
  });

/** Makes a value that fast-check itself could not carry: it looks at what it generates. */
class Odd {
  /** @param {string} name @param {() => unknown} make */
  constructor(name, make) {
    this.name = name;
    this.make = make;
  }
}

/** @type {Record<string, () => unknown>} */
const ODDITIES = {
  undefined: () => undefined,
  NaN: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  "minus zero": () => -0,
  symbol: () => Symbol("s"),
  bigint: () => 10n ** 30n,
  function: () => () => 1,
  "async function": () => async () => 1,
  class: () => class {},
  "invalid date": () => new Date(Number.NaN),
  map: () => new Map([["a", 1]]),
  instance: () => new Instance(),
  bytes: () => new Uint8Array(3),
  "null prototype": () => Object.create(null, { a: { value: 1, enumerable: true } }),
  "boxed string": () => Object("boxed"),
  "sparse array": () => new Array(5),
  "array with a key": () => Object.assign([1, 2], { extra: 1 }),
  cycle: () => {
    /** @type {any} */
    const cycle = { a: [] };
    cycle.a.push(cycle);
    return cycle;
  },
  "trapped name": () => Object.defineProperty({}, "name", { get: trapped, enumerable: true }),
  "trapped type": () => Object.defineProperty({ text: "x" }, "type", { get: trapped, enumerable: true }),
  "trapped anything": () => new Proxy({}, { get: trapped }),
  "trapped keys": () => new Proxy({}, { ownKeys: trapped, getPrototypeOf: trapped }),
  "array without end": () => lengthOf(1e9),
  "revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "revoked array": () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  },
  "throwing toJSON": () => ({ toJSON: trapped }),
  "changing toJSON": () => ({ toJSON: () => "replaced" }),
  thenable: () => ({ [THEN]: (/** @type {(value: unknown) => void} */ settle) => settle({ content: [] }) }),
  deep: () => JSON.parse("[".repeat(5_000) + "]".repeat(5_000)),
  "just too deep": () => JSON.parse("[".repeat(1_025) + "]".repeat(1_025)),
  huge: () => "x\ud800".repeat(200_000),
};
/** Spelt so that no linter takes the object for a mistake. */
const THEN = "then";

/** What no JSON has. @type {fc.Arbitrary<any>} */
export const oddity = fc.constantFrom(...Object.entries(ODDITIES)).map(([name, make]) => new Odd(name, make));

/** The generated value with its oddities in place. @param {any} value @returns {any} */
export function real(value) {
  if (value instanceof Odd) return value.make();
  if (Array.isArray(value)) return value.map(real);
  if (typeof value !== "object" || value === null) return value;
  return ownKeys(Object.keys(value).map((name) => [name, real(value[name])]));
}

/** Anything at all: JSON in which oddities stand. @type {fc.Arbitrary<any>} */
export const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    json,
    oddity,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 5 }).map(ownKeys),
  ),
})).value;

/** Members of an object, each there or not, each as it should be or anything. @param {Record<string, fc.Arbitrary<any>>} members */
export function almost(members) {
  return fc.record(
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [
        name,
        fc.oneof({ weight: 4, arbitrary: member }, { weight: 1, arbitrary: anything }),
      ]),
    ),
    { requiredKeys: [] },
  );
}

const words = fc.oneof(fc.constantFrom("a", "b", "read_file"), string);
const type = fc.constantFrom("object", "array", "string", "number", "integer", "boolean", "null");

/** Schemas, most of them sound. @type {fc.Arbitrary<any>} */
export const schema = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom({}, true, { type: "string" }, { $ref: "#" }, { $ref: "#/$defs/a" }, { pattern: "^(a+)+$" }),
    almost({
      type: fc.oneof(type, fc.array(type, { maxLength: 3 })),
      properties: fc.array(fc.tuple(words, tie("schema")), { maxLength: 3 }).map(ownKeys),
      required: fc.array(words, { maxLength: 3 }),
      items: tie("schema"),
      anyOf: fc.array(tie("schema"), { maxLength: 3 }),
      allOf: fc.array(tie("schema"), { maxLength: 3 }),
      not: tie("schema"),
      enum: fc.array(json, { maxLength: 3 }),
      additionalProperties: tie("schema"),
      $defs: fc.record({ a: tie("schema") }),
      description: words,
      default: json,
    }),
  ),
})).schema;

export const tool = almost({
  name: words,
  title: words,
  description: words,
  inputSchema: schema,
  outputSchema: schema,
  annotations: almost({ title: words, readOnlyHint: fc.boolean() }),
  execution: almost({ taskSupport: fc.constantFrom("required", "optional", "forbidden") }),
  _meta: json,
});

const contents = almost({ uri: words, mimeType: fc.constantFrom("text/plain", "image/png"), text: words, blob: words });
export const block = fc.oneof(
  almost({ type: fc.constant("text"), text: words }),
  almost({ type: fc.constantFrom("image", "audio", "video"), data: words, mimeType: words }),
  almost({ type: fc.constant("resource"), resource: contents }),
  almost({ type: fc.constant("resource_link"), uri: words, name: words, size: fc.integer() }),
);
export const callResult = almost({
  content: fc.array(fc.oneof(block, anything), { maxLength: 4 }),
  structuredContent: json,
  isError: fc.boolean(),
  toolResult: json,
  _meta: json,
});
export const readResult = almost({ contents: fc.array(fc.oneof(contents, anything), { maxLength: 3 }) });
export const promptResult = almost({
  messages: fc.array(almost({ role: fc.constantFrom("user", "assistant"), content: fc.oneof(block, words) }), {
    maxLength: 3,
  }),
  description: words,
});

/** Whether something was put on what all objects share. */
export function polluted() {
  const probe = /** @type {any} */ ({});
  return [Object.prototype, Array.prototype, Function.prototype, String.prototype]
    .flatMap((shared) => Object.keys(shared))
    .concat("polluted" in probe || "type" in probe || "text" in probe ? ["a probe"] : []);
}

/** Every object that can be reached from `value` by own keys, getters included. @param {unknown} value @returns {object[]} */
export function reachable(value) {
  /** @type {Set<object>} */
  const seen = new Set();
  const open = [value];
  for (let part = open.pop(); open.length > 0 || part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null || seen.has(part)) continue;
    seen.add(part);
    for (const name of Object.keys(part)) open.push(Reflect.get(part, name));
  }
  return [...seen];
}
