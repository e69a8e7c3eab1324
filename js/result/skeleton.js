/**
 * Answers on their way to the native side. One walk makes a copy and the copy's JSON text, in which long strings are references into a
 * table (`src/result/carried.rs` has their form): a picture of ten megabytes is neither copied nor read.
 */
import { Buffer } from "node:buffer";
import { native } from "../binding.js";
import { kindOf } from "../json.js";
import { quoted } from "../warnings.js";

const LIMITS = native.skeletonLimits();
/** Values in one answer: a graph that shares objects can unfold to more than any memory holds. */
const MOST_VALUES = 1_000_000;
/** UTF-16 units of a string that stays behind by which the native side knows it; Rust tells the sixteen at the end apart. */
const HEAD_UNITS = 256;
const TAIL_UNITS = 16;
/** UTF-16 units up to which V8 hashes all of a string, less a margin. */
const LONGEST_HASHED = 10_000;
/** Longer strings of one length that are compared; what comes after them counts as new. */
const MOST_ALIKE = 16;
/** A surrogate without its partner, which no Rust string can hold. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * An answer, copied: its strings are the same strings, everything else is new.
 * @typedef {object} Skeleton
 * @property {any} copy
 * @property {string} text JSON
 * @property {string[]} strings what the text refers to
 * @property {object[]} holders every array and object of the copy
 */

/** One walk. */
class Walk {
  /** @type {object[]} */
  holders = [];
  /** Strings that stay behind, as places in the copy. @type {[holder: any, key: string | number][]} */
  long = [];
  /** @type {(string | number)[]} */
  path = [];
  values = 0;

  /** @param {boolean} strict */
  constructor(strict) {
    this.strict = strict;
  }

  /**
   * @param {string} what
   * @param {number} depth
   * @param {unknown} [cause]
   */
  fail(what, depth, cause) {
    const shown = this.path.slice(0, Math.min(depth, 20)).map((key) => {
      if (typeof key === "number") return `[${key}]`;
      return /^[\w$]{1,40}$/.test(key) ? `.${key}` : `[${quoted(key)}]`;
    });
    const where = shown.length === 0 ? "" : `${shown.join("").replace(/^\./, "")}: `;
    return new TypeError(`${where}expected JSON, got ${what}`, cause === undefined ? undefined : { cause });
  }

  /**
   * The copy of `value`; `undefined` is none.
   * @param {any} value
   * @param {number} depth levels above it
   * @returns {any}
   */
  copy(value, depth) {
    this.values += 1;
    if (this.values > MOST_VALUES) throw this.fail(`more than ${MOST_VALUES} values`, 0);
    switch (typeof value) {
      case "string":
      case "boolean":
      case "undefined":
        return value;
      case "number":
        if (Number.isFinite(value)) return value;
        if (this.strict) throw this.fail(String(value), depth);
        return null;
      case "object":
        return value === null ? null : this.copyObject(value, depth);
      default:
        if (this.strict) throw this.fail(kindOf(value), depth);
        return typeof value === "bigint" ? String(value) : undefined;
    }
  }

  /**
   * @param {any} value
   * @param {number} depth
   */
  copyObject(value, depth) {
    if (depth >= LIMITS.depth) throw this.fail(`a cycle, or more than ${LIMITS.depth} levels of nesting,`, depth);
    if (Array.isArray(value)) return this.copyArray(value, depth);
    const prototype = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      if (this.strict) throw this.fail(`an instance of ${value.constructor?.name || "a class"}`, depth);
      // Bytes are base64 wherever MCP has bytes.
      if (ArrayBuffer.isView(value))
        return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
      if (typeof value.toJSON === "function") return this.copy(value.toJSON(), depth + 1);
    }
    /** @type {any} */
    const copy = {};
    this.holders.push(copy);
    for (const key of Object.keys(value)) {
      this.path[depth] = key;
      const member = this.copy(this.read(value, key, depth), depth + 1);
      if (member === undefined) continue;
      if (key === "__proto__") {
        Object.defineProperty(copy, key, { value: member, writable: true, enumerable: true, configurable: true });
      } else {
        copy[key] = member;
      }
      if (typeof member === "string" && staysBehind(member)) this.long.push([copy, key]);
    }
    return copy;
  }

  /**
   * @param {any[]} value
   * @param {number} depth
   */
  copyArray(value, depth) {
    if (value.length > MOST_VALUES - this.values) throw this.fail(`more than ${MOST_VALUES} values`, 0);
    /** @type {any[]} */
    const copy = [];
    this.holders.push(copy);
    for (let index = 0; index < value.length; index += 1) {
      this.path[depth] = index;
      const item = this.copy(value[index], depth + 1);
      if (item === undefined && this.strict) throw this.fail("undefined", depth + 1);
      copy.push(item === undefined ? null : item);
      if (typeof item === "string" && staysBehind(item)) this.long.push([copy, index]);
    }
    return copy;
  }

  /**
   * @param {any} value
   * @param {string} key
   * @param {number} depth
   */
  read(value, key, depth) {
    try {
      return value[key];
    } catch (cause) {
      if (this.strict) throw this.fail("a getter that throws", depth + 1, cause);
      return undefined;
    }
  }
}

/** @param {string} string */
function staysBehind(string) {
  return string.length > LIMITS.crossingUnits || string.charCodeAt(0) === 0;
}

/**
 * @param {Walk} walk
 * @param {any} copy
 * @param {boolean} compared whether long strings cross where they are not data, to be compared with each other
 * @returns {Skeleton}
 */
function write(walk, copy, compared) {
  let table = new Table(compared);
  let text = table.text(copy, walk.long);
  if (text.includes("\\ud")) {
    for (const holder of walk.holders) {
      for (const [key, value] of Object.entries(holder)) {
        if (typeof value === "string" && !staysBehind(value) && LONE_SURROGATE.test(value))
          walk.long.push([holder, key]);
      }
    }
    table = new Table(compared);
    text = table.text(copy, walk.long);
  }
  return { copy, text, strings: table.strings, holders: walk.holders };
}

/** The strings that stay behind; where they are compared, equal ones are one. */
class Table {
  /** @type {string[]} */
  strings = [];
  /** @type {Map<string, number>} */
  known = new Map();
  /** Places of long strings. @type {Map<number, number[]>} */
  byLength = new Map();
  left = LIMITS.comparedUnits;

  /** @param {boolean} compared */
  constructor(compared) {
    this.compared = compared;
  }

  /**
   * @param {any} copy
   * @param {[holder: any, key: string | number][]} places
   */
  text(copy, places) {
    if (places.length === 0) return JSON.stringify(copy);
    const originals = places.map(([holder, key]) => holder[key]);
    for (const [place, [holder, key]] of places.entries()) holder[key] = this.reference(originals[place], key);
    const text = JSON.stringify(copy);
    for (const [place, [holder, key]] of places.entries()) holder[key] = originals[place];
    return text;
  }

  /**
   * @param {string} string
   * @param {string | number} key
   */
  reference(string, key) {
    const { length } = string;
    const index = this.index(string);
    // Base64 is known by its place in the table, also where other strings cross.
    const crosses = this.compared && key !== "data" && key !== "blob" && length <= this.left;
    if (crosses) this.left -= length;
    return crosses || length <= HEAD_UNITS + TAIL_UNITS
      ? `\0F${index}:${length}:${string}`
      : `\0P${index}:${length}:${string.slice(0, HEAD_UNITS)}${string.slice(-TAIL_UNITS)}`;
  }

  /** @param {string} string */
  index(string) {
    if (!this.compared) return this.strings.push(string) - 1;
    if (string.length > LONGEST_HASHED) return this.longIndex(string);
    let index = this.known.get(string);
    if (index === undefined) {
      index = this.strings.push(string) - 1;
      this.known.set(string, index);
    }
    return index;
  }

  /**
   * The place of a string that the engine hashes by its length alone: a map of them would compare each with each.
   * @param {string} string
   */
  longIndex(string) {
    let alike = this.byLength.get(string.length);
    if (alike === undefined) {
      alike = [];
      this.byLength.set(string.length, alike);
    }
    const known = alike.find((index) => this.strings[index] === string);
    if (known !== undefined) return known;
    const index = this.strings.push(string) - 1;
    if (alike.length < MOST_ALIKE) alike.push(index);
    return index;
  }
}

/**
 * The skeleton of an answer.
 * @param {unknown} answer
 * @param {{ strict?: boolean; compared?: boolean }} [options] `strict` refuses what is no JSON; else it becomes what JSON.stringify makes of it.
 *   `compared`: long strings are to be compared with each other.
 * @returns {Skeleton}
 * @throws {TypeError} that says what is no JSON, and where
 */
export function skeletonOf(answer, { strict = false, compared = false } = {}) {
  const walk = new Walk(strict);
  const copy = walk.copy(answer, 0);
  if (typeof copy === "object" && copy !== null) return write(walk, copy, compared);
  // No answer is a bare value; the native side needs to know its kind only.
  const text = typeof copy === "string" ? '""' : JSON.stringify(copy ?? null);
  return { copy, text, strings: [], holders: [] };
}

/**
 * The copy, deeply frozen.
 * @param {Skeleton} skeleton
 */
export function frozen({ copy, holders }) {
  for (const holder of holders) Object.freeze(holder);
  return copy;
}
