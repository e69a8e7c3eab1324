/**
 * @typedef {object} Flaw what makes a value no strict JSON
 * @property {string} path
 * @property {string} found
 */

/**
 * The first place in `value` that JSON would lose or change, or nothing.
 * @param {unknown} value
 * @param {string} root the name of the value in the path
 * @returns {Flaw | undefined}
 */
export function findFlaw(value, root) {
  /** @type {(string | number)[]} */
  const path = [];
  const found = walk(value, path, new Set());
  return found === undefined ? undefined : { path: formatPath(root, path), found };
}

/**
 * A deep copy through JSON text. Costs the size of the value, by contract.
 * @template T
 * @param {T} value
 * @param {string} label
 * @returns {T}
 */
export function cloneStrict(value, label) {
  const flaw = findFlaw(value, "value");
  if (flaw !== undefined) throw new TypeError(`${label}: ${flaw.path} is not strict JSON: ${flaw.found}`);
  return JSON.parse(JSON.stringify(value));
}

/**
 * @param {unknown} a strict JSON
 * @param {unknown} b strict JSON
 * @returns {boolean}
 */
export function deepEqual(a, b) {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = /** @type {Record<string, unknown>} */ (a);
  const right = /** @type {Record<string, unknown>} */ (b);
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && deepEqual(left[key], right[key]))
  );
}

/**
 * The path is left standing where the flaw is, so that a good value never pays for building one.
 * @param {unknown} value
 * @param {(string | number)[]} path
 * @param {Set<object>} ancestors only a loop back to an ancestor is a cycle; sharing is fine
 * @returns {string | undefined}
 */
function walk(value, path, ancestors) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      return Number.isFinite(value) ? undefined : String(value);
    case "object":
      break;
    default:
      return typeof value;
  }
  if (value === null) return undefined;
  if (ancestors.has(value)) return "a cycle";
  ancestors.add(value);
  const found = Array.isArray(value)
    ? walkArray(value, path, ancestors)
    : walkObject(/** @type {Record<string, unknown>} */ (value), path, ancestors);
  ancestors.delete(value);
  return found;
}

/**
 * @param {unknown[]} value
 * @param {(string | number)[]} path
 * @param {Set<object>} ancestors
 */
function walkArray(value, path, ancestors) {
  if (Object.getPrototypeOf(value) !== Array.prototype) return describeInstance(value);
  if (Object.getOwnPropertySymbols(value).length > 0) return "a symbol key";
  for (let index = 0; index < value.length; index++) {
    path.push(index);
    if (!Object.hasOwn(value, index)) return "a hole in an array";
    const found = walk(value[index], path, ancestors);
    if (found !== undefined) return found;
    path.pop();
  }
  // JSON drops named properties of an array without a word.
  return Object.keys(value).length === value.length ? undefined : "an array with named properties";
}

/**
 * @param {Record<string, unknown>} value
 * @param {(string | number)[]} path
 * @param {Set<object>} ancestors
 */
function walkObject(value, path, ancestors) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return describeInstance(value);
  if (Object.getOwnPropertySymbols(value).length > 0) return "a symbol key";
  for (const key of Object.keys(value)) {
    path.push(key);
    const found = walk(value[key], path, ancestors);
    if (found !== undefined) return found;
    path.pop();
  }
  return undefined;
}

/** @param {object} value */
function describeInstance(value) {
  const name = value.constructor?.name;
  return name ? `an instance of ${name}` : "a class instance";
}

/**
 * @param {string} root
 * @param {(string | number)[]} path
 */
function formatPath(root, path) {
  let text = root;
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
