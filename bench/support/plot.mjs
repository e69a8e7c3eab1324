/** Cost against number of tools as SVG, both axes logarithmic, one panel for each section. */
import { shown } from "./report.mjs";

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM, LEGEND] = [460, 340, 70, 40, 46, 26];
const COLOURS = ["#c0392b", "#2c6fbb", "#2e8b57", "#b7791f", "#7a4fa3", "#555555"];

/** @param {import("./report.mjs").Section[]} sections @returns {string} */
export function plot(sections) {
  const names = [...new Set(sections.flatMap(({ rows }) => rows.flatMap(({ times }) => Object.keys(times))))];
  const panels = sections.map((section, index) => panel(section, names, index * WIDTH));
  const legend = names.map((name, index) => {
    const x = LEFT + (index % 3) * 280;
    const y = HEIGHT + 14 + Math.floor(index / 3) * LEGEND;
    return `<rect x="${x}" y="${y - 9}" width="14" height="4" fill="${colour(index)}"/><text x="${x + 20}" y="${y}">${escaped(name)}</text>`;
  });
  const height = HEIGHT + LEGEND * Math.ceil(names.length / 3) + 10;
  const width = WIDTH * sections.length;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">\n<title>Cost against number of tools</title>\n` +
    `<rect width="100%" height="100%" fill="white"/>\n${[...panels, ...legend].join("\n")}\n</svg>\n`
  );
}

/** @param {import("./report.mjs").Section} section @param {string[]} names @param {number} offset */
function panel({ title, rows }, names, offset) {
  const values = rows.flatMap(({ times }) => Object.values(times));
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const most = Math.log10(Math.max(...rows.map(({ count = 1 }) => count)));
  const x = (/** @type {number} */ count) => LEFT + (Math.log10(count) / most) * (WIDTH - LEFT - 30);
  const y = (/** @type {number} */ value) =>
    TOP + (1 - (Math.log10(value) - low) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const parts = [
    `<text x="${WIDTH / 2}" y="20" text-anchor="middle" font-weight="bold">${escaped(title.replaceAll("`", ""))}</text>`,
  ];
  for (let power = low; power <= high; power += 1) {
    const at = y(10 ** power);
    parts.push(`<line x1="${LEFT}" x2="${WIDTH - 30}" y1="${at}" y2="${at}" stroke="#ddd"/>`);
    parts.push(`<text x="${LEFT - 6}" y="${at + 4}" text-anchor="end">${duration(10 ** power)}</text>`);
  }
  for (const { count = 1 } of rows)
    parts.push(
      `<text x="${x(count)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${shown(count).replace(/\.0+$/, "")}</text>`,
    );
  parts.push(`<text x="${(WIDTH + LEFT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">tools</text>`);
  for (const [index, name] of names.entries()) {
    const points = rows.flatMap(({ count = 1, times }) => {
      const value = times[name];
      return value === undefined ? [] : [[x(count), y(value)].map((at) => at.toFixed(1))];
    });
    if (points.length === 0) continue;
    const width = name === "ours" ? 3 : 1.5;
    parts.push(
      `<polyline fill="none" stroke="${colour(index)}" stroke-width="${width}" points="${points.map((point) => point.join(",")).join(" ")}"/>`,
    );
    parts.push(
      ...points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="${width + 0.5}" fill="${colour(index)}"/>`),
    );
  }
  return `<g transform="translate(${offset} 0)">${parts.join("\n")}</g>`;
}

/** @param {number} microseconds */
function duration(microseconds) {
  if (microseconds >= 1e6) return `${microseconds / 1e6} s`;
  return microseconds >= 1e3 ? `${microseconds / 1e3} ms` : `${microseconds} µs`;
}

/** @param {number} index */
const colour = (index) => COLOURS[index % COLOURS.length];

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
