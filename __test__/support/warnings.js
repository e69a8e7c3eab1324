/** Process warnings in tests that give rise to thousands of them. */
import { afterAll, beforeAll } from "vitest";

/**
 * Has the warnings of a file's tests heard by `note` alone: printed, they would bury the rest of the output.
 * @param {(warning: Error) => void} note
 */
export function hearWarnings(note) {
  /** @type {Function[]} */
  let printing = [];
  beforeAll(() => {
    printing = process.listeners("warning");
    process.removeAllListeners("warning");
    process.on("warning", note);
  });
  afterAll(() => {
    process.off("warning", note);
    for (const listener of printing) process.on("warning", /** @type {any} */ (listener));
  });
}
