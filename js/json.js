/**
 * JavaScript values as JSON text, with nothing left out in silence: `JSON.stringify` drops functions and symbols, turns NaN into null and
 * calls `toJSON`. What crosses to the native side is checked first.
 */

/** Levels of nesting that are walked; the native side reads fewer (`MAX_DEPTH` in `src/limits.rs`). */
const MOST_LEVELS = 2_000;
/** Values in one text. A graph that shares objects can unfold to more than any memory holds. */
const MOST_VALUES = 1_000_000;
/** Items of one array: no text that is read further holds more, and a length may be a lie. */
const MOST_ITEMS = 50_000_000;

/**
 * What kind of value this is, in words: `a string`, `null`, `an array`.
 * @param {unknown} value
 */
export function kindOf(value) {
  if (value === null) return "null";
  if (value === undefined) return "undefined";
  if (Array.isArray(value)) return "an array";
  const type = typeof value;
  return type === "object" ? "an object" : `a ${type}`;
}

/**
 * The JSON text of `value`, of which every part is JSON. A member that is `undefined` counts as absent.
 * @param {unknown} value
 * @throws {TypeError} that names the first part which is not JSON, and where it stands
 */
export function jsonText(value) {
  // Most values are JSON; only for one that is not does it matter where.
  if (!isJson(value)) check(value);
  // Circular structures that the depth did not betray, and getters that throw, end in JSON.stringify's own error.
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`expected JSON, got ${kindOf(value)}`);
  return text;
}

/** Levels that `isJson` walks; real schemas have a dozen. */
const FEW_LEVELS = 200;
/** Values that the `isJson` at work may still walk. */
let valuesLeft = 0;

/**
 * Whether every part of `value` is JSON, found without keeping account of where it stands. A `false` may also mean that `value` is larger or deeper than
 * this looks: `jsonText` then says.
 * @param {unknown} value
 */
export function isJson(value) {
  valuesLeft = MOST_VALUES;
  return isJsonWithin(value, FEW_LEVELS);
}

/**
 * @param {unknown} value
 * @param {number} levels
 * @returns {boolean}
 */
function isJsonWithin(value, levels) {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || levels === 0) return false;
  valuesLeft -= 1;
  if (valuesLeft < 0) return false;
  if (Array.isArray(value)) {
    if (value.length > MOST_ITEMS) return false;
    for (let index = 0; index < value.length; index += 1) {
      if (!isJsonWithin(value[index], levels - 1)) return false;
    }
    return true;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  // Twice as fast as over Object.keys. What an application put on Object.prototype is looked at as well: no harm, since a `false` is only a doubt.
  for (const key in value) {
    const member = /** @type {Record<string, unknown>} */ (value)[key];
    if (typeof member !== "string" && member !== undefined && !isJsonWithin(member, levels - 1)) return false;
  }
  return true;
}

/** @param {unknown} root */
function check(root) {
  let values = 0;
  /** @type {(string | number)[]} */
  const path = [];
  /** @param {string} what */
  const fail = (what) => {
    const where = path.length === 0 ? "" : ` at ${pointer(path)}`;
    return new TypeError(`expected JSON, got ${what}${where}`);
  };
  /** @param {unknown} value */
  const visit = (value) => {
    switch (typeof value) {
      case "string":
      case "boolean":
        return;
      case "number":
        if (!Number.isFinite(value)) throw fail(String(value));
        return;
      case "object":
        break;
      default:
        throw fail(kindOf(value));
    }
    if (value === null) return;
    if (path.length >= MOST_LEVELS) throw fail("a cycle, or more than 2,000 levels of nesting,");
    values += 1;
    if (values > MOST_VALUES) throw fail("more than 1,000,000 values");
    if (Array.isArray(value)) {
      if (value.length > MOST_ITEMS) throw fail(`more than ${MOST_ITEMS} items`);
      for (let index = 0; index < value.length; index += 1) {
        path.push(index);
        visit(value[index]);
        path.pop();
      }
      return;
    }
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype && Object.getPrototypeOf(prototype) !== null) {
      throw fail(`an instance of ${value.constructor?.name || "a class"}`);
    }
    for (const key of Object.keys(value)) {
      const member = /** @type {Record<string, unknown>} */ (value)[key];
      if (member === undefined) continue;
      path.push(key);
      visit(member);
      path.pop();
    }
  };
  visit(root);
}

/** @param {readonly (string | number)[]} path */
function pointer(path) {
  const shown = path.slice(0, 20).map((key) => `/${String(key).slice(0, 40).replace(/~/g, "~0").replace(/\//g, "~1")}`);
  return JSON.stringify(shown.join("") + (path.length > 20 ? "/…" : ""));
}

/**
 * Freezes `value` and all that is in it. Does not recurse, so that no depth of a server's schema overflows the stack.
 * @template T
 * @param {T} value plain JSON, as JSON.parse gives it
 * @returns {T}
 */
export function deepFreeze(value) {
  /** @type {unknown[]} */
  const open = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const member of Object.values(next)) {
      if (typeof member === "object" && member !== null) open.push(member);
    }
  }
  return value;
}
