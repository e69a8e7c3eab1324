/** The machine and the versions that a run was measured with, and the files that keep it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { source } from "./catalogs.mjs";
import { plot } from "./plot.mjs";
import { markdown } from "./report.mjs";

const bench = fileURLToPath(new URL("..", import.meta.url));
const results = join(bench, "results");

/** @param {string} name a dependency of the bench @returns {string} */
function version(name) {
  return JSON.parse(readFileSync(join(bench, "node_modules", name, "package.json"), "utf8")).version;
}

export function header() {
  const own = JSON.parse(readFileSync(join(bench, "..", "package.json"), "utf8"));
  const { devDependencies } = JSON.parse(readFileSync(join(bench, "package.json"), "utf8"));
  const [cpu] = cpus();
  return [
    `# Speed of ${own.name} ${own.version}`,
    "",
    `- Date: ${new Date().toISOString().slice(0, 10)}`,
    `- Machine: ${cpu?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}`,
    `- Node ${process.versions.node} (V8 ${process.versions.v8})`,
    `- Peers: ${Object.keys(devDependencies)
      .map((name) => `${name} ${version(name)}`)
      .join(", ")}`,
    `- Tools: ${source}, repeated under other names`,
    "",
    "Every number is a median; ours and the peers' take turns in one process. In brackets: how many times ours that is, so more than 1× is slower than ours.",
    "",
  ].join("\n");
}

/** @param {import("./report.mjs").Section[]} sections */
export function save(sections) {
  mkdirSync(results, { recursive: true });
  const text = [header(), ...sections.map(markdown)].join("\n");
  writeFileSync(join(results, "results.md"), `${text.trimEnd()}\n\n![Cost against number of tools](cost.svg)\n`);
  writeFileSync(join(results, "cost.svg"), plot(sections.filter(({ part }) => part === "memo" || part === "cold")));
}
