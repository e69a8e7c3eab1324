/** Timing: variants of one row take turns, so that what disturbs the machine disturbs them alike. */
import process from "node:process";

/** @typedef {() => unknown} Work does the work once; a promise is awaited */

/** @param {number[]} values @param {number} share 0.5 is the median */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** @param {Work} work @param {number} times @returns {Promise<number>} microseconds for one */
async function timed(work, times) {
  // What an earlier variant left behind is not this one's cost; what it makes itself within a sample is.
  globalThis.gc?.({ type: "minor" });
  const start = process.hrtime.bigint();
  for (let index = 0; index < times; index += 1) {
    const pending = work();
    if (pending instanceof Promise) await pending;
  }
  return Number(process.hrtime.bigint() - start) / 1e3 / times;
}

/** Runs `work` until the compilers have seen it. @param {Work} work @param {number} milliseconds */
async function warmedUp(work, milliseconds) {
  const end = Date.now() + milliseconds;
  for (let index = 0; index < 2000 && (index < 3 || Date.now() < end); index += 1) await work();
}

/**
 * Median microseconds of each variant. Fast work is repeated within a sample until one takes about two milliseconds.
 * @param {Record<string, Work>} variants
 * @param {{ budget?: number; fewest?: number; most?: number; once?: boolean }} [how] `budget` in milliseconds for the whole row; `once`: work that
 *   cannot be repeated within a sample
 * @returns {Promise<Record<string, number>>}
 */
export async function medians(variants, { budget = 1500, fewest = 7, most = 200, once = false } = {}) {
  const entries = [];
  for (const [name, work] of Object.entries(variants)) {
    await warmedUp(work, 150);
    const times = once ? 1 : Math.ceil(2000 / Math.max(await timed(work, 3), 0.02));
    entries.push({ name, work, times, samples: /** @type {number[]} */ ([]) });
  }
  const end = Date.now() + budget;
  for (let round = 0; round < most && (round < fewest || Date.now() < end); round += 1) {
    for (const { work, times, samples } of entries) samples.push(await timed(work, times));
  }
  return Object.fromEntries(entries.map(({ name, samples }) => [name, quantile(samples, 0.5)]));
}
