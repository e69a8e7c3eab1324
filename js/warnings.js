import process from "node:process";

/** Texts already said: a catalog that every generation reads warns once. Bounded, since servers choose the texts. */
const said = new Set();
const MOST_SAID = 1_000;

/**
 * Says `message` once in the life of the process, as a process warning: an application sees it on stderr, can listen for it, and can
 * silence it with `--no-warnings`.
 * @param {string} code what kind of warning, e.g. `REJELLY_MCP_SCHEMA`
 * @param {string} message whatever a server chose in it is quoted already, but for what the engine itself quotes
 */
export function warnOnce(code, message) {
  const key = `${code} ${message}`;
  if (said.has(key)) return;
  if (said.size >= MOST_SAID) said.clear();
  said.add(key);
  process.emitWarning(oneLine(message), { type: "McpAdapterWarning", code });
}

/** What breaks a line, or turns its text around, beyond what JSON.stringify escapes. */
const BREAKING = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\u0000-\u001f]/g;
/** Characters of one line. */
const MOST_SHOWN = 2_000;

/** @param {string} character */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A message on one line: what would break or reorder it is escaped, and its length bounded.
 * @param {string} text
 */
export function oneLine(text) {
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return shown.replace(CONTROL, escaped).replace(BREAKING, escaped);
}

/**
 * A server's string in quotes on one line: control characters and marks that turn text around are escaped, the length is bounded.
 * @param {string} text
 */
export function quoted(text) {
  const shown = text.length > 120 ? `${text.slice(0, 120)}…` : text;
  return JSON.stringify(shown).replace(BREAKING, escaped);
}
