/** Interruptions at every point where one may come in. */
import { createHook } from "node:async_hooks";

/** More points than any of the operations has: none may go on for ever. */
const MOST_POINTS = 5_000;

/**
 * Calls `interrupt` in front of the `point`-th callback or continuation that the process runs from now on; the 0th is now. What runs from one such
 * point to the next cannot be interrupted by anybody.
 * @param {number} point
 * @param {() => void} interrupt
 * @returns {() => boolean} ends the watch, and says whether the point was reached
 */
function interruptAt(point, interrupt) {
  let passed = 0;
  let reached = false;
  const pass = () => {
    if (reached || passed++ < point) return;
    reached = true;
    interrupt();
  };
  // The current turn counts as the first.
  pass();
  const hook = createHook({ before: pass }).enable();
  return () => {
    hook.disable();
    return reached;
  };
}

/**
 * Runs `work` again and again, each time interrupted one point later, until it is over before its interruption.
 * @param {(interrupted: (interrupt: () => void) => () => boolean, point: number) => Promise<boolean>} work begins the watch with what interrupts
 * it, and says whether it was reached
 * @returns {Promise<number>} how many points there were
 */
export async function atEveryPoint(work) {
  for (let point = 0; point < MOST_POINTS; point += 1) {
    if (!(await work((interrupt) => interruptAt(point, interrupt), point))) return point;
  }
  throw new Error(`not over after ${MOST_POINTS} points`);
}
