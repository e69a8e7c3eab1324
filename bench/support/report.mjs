/** Rows as a Markdown table, and as a plot. */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {"µs" | "ms" | "MB" | "%"} unit of every number of the row
 * @property {Record<string, number>} times by who did the work; ours under `ours`
 * @property {number} [target] at most, for ours (section 9 of the specification)
 * @property {number} [count] of tools, for the plot
 * @property {string} [remark]
 * @typedef {{ part: string; title: string; note?: string; rows: Row[] }} Section
 */

/** @param {number} value */
export function shown(value) {
  if (!Number.isFinite(value)) return "–";
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(digits).replace(/\B(?=(\d{3})+(?!\d))/g, digits === 0 ? "," : "");
}

/** @param {Section} section */
export function markdown({ title, note, rows }) {
  const who = [...new Set(rows.flatMap(({ times }) => Object.keys(times)))].filter((name) => name !== "ours");
  const lines = [`## ${title}`, ""];
  if (note !== undefined) lines.push(note, "");
  lines.push(`| | ours | to reach |${who.map((name) => ` ${name} |`).join("")}`);
  lines.push(`|---|--:|--:|${who.map(() => "--:|").join("")}`);
  for (const { name, unit, times, target, remark } of rows) {
    const ours = times.ours ?? Number.NaN;
    const cells = who.map((peer) => {
      const value = times[peer];
      if (value === undefined) return "";
      return unit === "%" ? shown(value) : `${shown(value)} (${shown(value / ours)}×)`;
    });
    const reach = target === undefined ? "" : `≤ ${shown(target)}${ours <= target ? "" : " **missed**"}`;
    lines.push(
      `| ${name}${remark ? ` (${remark})` : ""} | ${shown(ours)} ${unit} | ${reach} | ${cells.join(" | ")}${who.length ? " |" : ""}`,
    );
  }
  return `${lines.join("\n")}\n`;
}
