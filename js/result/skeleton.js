/**
 * Answers of a server as they cross to the native side: JSON text in which long strings are references (`src/result/carried.rs`), so that no
 * string of any size is copied.
 */
import { native } from "../binding.js";
import { kindOf } from "../json.js";

/** Levels of nesting; the number is the native side's. */
const MOST_LEVELS = native.resultDepth();
/** Values in one answer. A graph that shares objects can unfold to more than any memory holds. */
const MOST_VALUES = 4_000_000;
/** UTF-16 units from which a string stays here. */
export const FAR = 1_024;
/** The same for text that may have to be compared with `structuredContent`. */
export const FAR_COMPARED = 4 * 1024 * 1024;

/** In JSON text: U+0000, with which references begin, or a lone surrogate. */
const ODD = /\\u(?:0000|d[89a-f])/;
const SURROGATE = /\p{Surrogate}/u;
const BASE64 = /^[A-Za-z0-9+/_-]+$/;
const BASE64_LINES = /^[A-Za-z0-9+/_-]{40,}\r?\n[A-Za-z0-9+/_-]/;
/** Units of base64 that are searched for the url alphabet: random data of this length without `-` and `_` does not occur. */
const SAMPLE = 4_096;
/** Strings of one length that are compared with a new one: long strings of equal length could make the work grow with its square. */
const MOST_COMPARED = 16;

/**
 * A copy of `value` that is plain JSON. A member that is `undefined` is absent.
 * @param {unknown} value
 * @param {{ strict: boolean; frozen?: boolean }} how strict: what JSON cannot hold is an error; otherwise it is what `JSON.stringify` makes of it.
 * @returns {any}
 * @throws {TypeError} that names the first part which is not JSON, and where it stands
 */
export function plainCopy(value, { strict, frozen = false }) {
  let values = 0;
  /** @type {(string | number)[]} */
  const path = [];
  /** @param {string} what */
  const fail = (what) => new TypeError(`expected JSON, got ${what}${place(path)}`);

  /** @param {unknown} part @returns {unknown} */
  const visit = (part) => {
    switch (typeof part) {
      case "string":
      case "boolean":
        return part;
      case "number":
        if (Number.isFinite(part)) return part;
        if (strict) throw fail(String(part));
        return null;
      case "object":
        return part === null ? null : enter(part);
      case "bigint":
        if (strict) throw fail("a bigint");
        return String(part);
      default:
        if (strict) throw fail(kindOf(part));
        return undefined;
    }
  };

  /** @param {number} more values: members, and the array or object that holds them */
  const count = (more) => {
    values += more + 1;
    if (values > MOST_VALUES) throw fail(`more than ${MOST_VALUES} values`);
  };

  /** @param {object} part */
  const enter = (part) => {
    if (path.length >= MOST_LEVELS) throw fail(`a cycle, or more than ${MOST_LEVELS} levels of nesting,`);
    if (Array.isArray(part)) {
      const { length } = part;
      count(length);
      const copy = new Array(length);
      for (let index = 0; index < length; index += 1) {
        path.push(index);
        copy[index] = visit(part[index]) ?? null;
        path.pop();
      }
      return frozen ? Object.freeze(copy) : copy;
    }
    if (!isPlain(part)) {
      if (strict) throw fail(`an instance of ${part.constructor?.name || "a class"}`);
      if (ArrayBuffer.isView(part))
        return Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString("base64");
      if (part instanceof Date) return Number.isNaN(part.getTime()) ? null : part.toISOString();
    }
    /** @type {Record<string, unknown>} */
    const copy = {};
    const keys = Object.keys(part);
    count(keys.length);
    for (const key of keys) {
      const member = /** @type {Record<string, unknown>} */ (part)[key];
      if (member === undefined) continue;
      path.push(key);
      const kept = visit(member);
      path.pop();
      if (kept === undefined) continue;
      if (key === "__proto__") {
        Object.defineProperty(copy, key, { value: kept, enumerable: true, configurable: true, writable: true });
      } else {
        copy[key] = kept;
      }
    }
    return frozen ? Object.freeze(copy) : copy;
  };

  return visit(value);
}

/** @param {object} part plain, or of another realm's `Object` */
function isPlain(part) {
  const prototype = Object.getPrototypeOf(part);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

/** @param {readonly (string | number)[]} path */
function place(path) {
  if (path.length === 0) return "";
  let text = "";
  for (const key of path.slice(0, 20))
    text += typeof key === "number" ? `[${key}]` : `.${JSON.stringify(key.slice(0, 40)).slice(1, -1)}`;
  return ` at ${text.replace(/^\./, "")}${path.length > 20 ? "…" : ""}`;
}

/**
 * The skeleton of a plain value, for a look at its shape only: what long strings say is left out.
 * @param {unknown} plain as {@link plainCopy} gives it
 */
export function shapeOf(plain) {
  if (!hasLong(plain, FAR)) {
    const text = JSON.stringify(plain);
    if (!ODD.test(text)) return text;
  }
  // Whether a string is empty is part of the shape.
  return write(plain, (text) => (isFar(text, FAR) ? '"…"' : JSON.stringify(text)));
}

/**
 * The skeleton of a plain value, and the strings that stayed here, by number.
 * @param {unknown} plain as {@link plainCopy} gives it
 * @param {number} [far] length from which a string stays
 */
export function skeletonOf(plain, far = FAR) {
  if (!hasLong(plain, FAR)) {
    const text = JSON.stringify(plain);
    // One search of the whole costs less than one for each string; a lone surrogate is always escaped.
    if (!ODD.test(text)) return { text, strings: [] };
  }
  const kept = new KeptStrings(far);
  return { text: write(plain, kept.write), strings: kept.strings };
}

/**
 * The skeletons of several plain values, over one list of strings.
 * @param {readonly unknown[]} plains
 */
export function skeletonsOf(plains) {
  const kept = new KeptStrings(FAR);
  return { texts: plains.map((plain) => write(plain, kept.write)), strings: kept.strings };
}

/** @param {string} text of a reference, which is only looked at: no pair is cut in two, and lone surrogates, which Rust cannot hold, are replaced */
function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** Strings that stay here, each with its number. */
class KeptStrings {
  /** @type {string[]} */
  strings = [];
  /** @type {Map<number, number[]>} */
  #byLength = new Map();

  /** @param {number} far */
  constructor(far) {
    /**
     * A string of the skeleton: itself, or a reference to it.
     * @param {string} text
     */
    this.write = (text) => {
      if (!isFar(text, far)) return JSON.stringify(text);
      const h = wellFormed(text.slice(0, 128).replace(/[\ud800-\udbff]$/, ""));
      /** @type {{ i: number; n: number; h: string; t: string; d?: number }} */
      const reference = {
        i: this.#numberOf(text),
        n: text.length,
        h,
        t: wellFormed(text.slice(-16).replace(/^[\udc00-\udfff]/, "")),
      };
      if (BASE64_LINES.test(h) || (BASE64.test(h) && /[-_]/.test(text.slice(0, SAMPLE))))
        reference.d = text.replace(/[^A-Za-z0-9+/_-]+/g, "").length;
      return JSON.stringify(`\0${JSON.stringify(reference)}`);
    };
  }

  /** @param {string} text */
  #numberOf(text) {
    const same = this.#byLength.get(text.length);
    if (same === undefined) {
      this.#byLength.set(text.length, [this.strings.length]);
    } else {
      const found = same.find((index) => this.strings[index] === text);
      if (found !== undefined) return found;
      if (same.length < MOST_COMPARED) same.push(this.strings.length);
    }
    return this.strings.push(text) - 1;
  }
}

/**
 * Whether a string of more than `far` units is in `value`.
 * @param {unknown} value
 * @param {number} far
 * @returns {boolean}
 */
function hasLong(value, far) {
  if (typeof value === "string") return value.length > far;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => hasLong(item, far));
  for (const key of Object.keys(value)) {
    if (key.length > far || hasLong(/** @type {Record<string, unknown>} */ (value)[key], far)) return true;
  }
  return false;
}

/**
 * @param {string} text
 * @param {number} far
 */
function isFar(text, far) {
  return (
    text.length > far ||
    text.charCodeAt(0) === 0 ||
    // Data is never compared as text, and need not cross.
    (text.length > FAR && BASE64.test(text.slice(0, 128))) ||
    SURROGATE.test(text)
  );
}

/**
 * @param {unknown} value
 * @param {(text: string) => string} string
 * @returns {string}
 */
function write(value, string) {
  if (typeof value === "string") return string(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) {
    let text = "[";
    for (let index = 0; index < value.length; index += 1) text += (index > 0 ? "," : "") + write(value[index], string);
    return `${text}]`;
  }
  let text = "{";
  for (const key of Object.keys(value)) {
    text += `${text.length > 1 ? "," : ""}${string(key)}:${write(/** @type {Record<string, unknown>} */ (value)[key], string)}`;
  }
  return `${text}}`;
}
