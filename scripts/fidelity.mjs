/**
 * `npm run fidelity [-- <folder of catalogs>] [--all]`: how much of what real servers say of their tools reaches the model.
 *
 * For each server: the facts (`facts.mjs`) of its tools' input schemas, how many survive `zodToJsonSchema(parameters, { $refStrategy: "none" })` and how
 * many of what that shows the server never said; the same for zod 4's `z.toJSONSchema(parameters)`. Under zod 4 and, in a process of its own, zod 3.25.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { fromMCPTool } from "@rejelly/adapter-mcp";
import { toJSONSchema } from "zod/v4";
import { zodToJsonSchema } from "zod-to-json-schema";
import { compare } from "./facts.mjs";

/** The share of facts that must reach the model. */
const TO_KEEP = 0.999;

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2);
const all = args.includes("--all");
const folder = resolve(root, args.find((arg) => !arg.startsWith("--")) ?? "../shared/catalogs");
if (!existsSync(folder)) {
  console.log(`skipped: no catalogs in ${folder}`);
  process.exit(0);
}
const isZod3 = process.env.FIDELITY_ZOD === "3";
const version = JSON.parse(
  readFileSync(join(root, "node_modules", isZod3 ? "zod3" : "zod", "package.json"), "utf8"),
).version;

/** Anything on the console while schemas are shown is a fault of its own. @type {string[]} */
const printed = [];
const { log, warn, error } = console;
for (const method of /** @type {const} */ (["log", "warn", "error"])) {
  console[method] = (/** @type {any[]} */ ...texts) => void printed.push(texts.join(" "));
}

const client = { callTool: async () => ({ content: [] }) };
const rows = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => {
    const content = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const row = { server: file.replace(/\.json$/, ""), tools: 0, facts: 0, zod3: tally(), exact: tally() };
    for (const tool of Array.isArray(content) ? content : content.tools) {
      const { parameters } = fromMCPTool(tool, client);
      row.tools += 1;
      row.facts += count(row.zod3, tool, zodToJsonSchema(/** @type {any} */ (parameters), { $refStrategy: "none" }));
      count(row.exact, tool, toJSONSchema(/** @type {any} */ (parameters)));
    }
    return row;
  });
Object.assign(console, { log, warn, error });

function tally() {
  return { lost: /** @type {string[]} */ ([]), invented: /** @type {string[]} */ ([]) };
}

/** @param {ReturnType<typeof tally>} into @param {any} tool @param {any} shown */
function count(into, tool, shown) {
  const { total, lost, invented } = compare(tool.inputSchema ?? { type: "object", properties: {} }, shown);
  const named = (/** @type {any} */ fact) =>
    `${tool.name}${fact.path || "/"} ${fact.keyword} ${JSON.stringify(fact.value).slice(0, 100)}`;
  into.lost.push(...lost.map(named));
  into.invented.push(...invented.map(named));
  return total;
}

/** @param {number} lost @param {number} total */
const percent = (lost, total) =>
  `${total === 0 ? "100" : (Math.floor((1 - lost / total) * 100_000) / 1_000).toFixed(3)} %`;
const total = {
  server: "all",
  tools: rows.reduce((sum, row) => sum + row.tools, 0),
  facts: rows.reduce((sum, row) => sum + row.facts, 0),
  zod3: { lost: rows.flatMap((row) => row.zod3.lost), invented: rows.flatMap((row) => row.zod3.invented) },
  exact: { lost: rows.flatMap((row) => row.exact.lost), invented: rows.flatMap((row) => row.exact.invented) },
};
console.log(`\nzod ${version}`);
console.log("| server | tools | facts | kept by zodToJsonSchema | invented | kept by z.toJSONSchema | invented |");
console.log("|---|---|---|---|---|---|---|");
for (const { server, tools, facts, zod3, exact } of [...rows, total]) {
  const cells = [
    server,
    tools,
    facts,
    percent(zod3.lost.length, facts),
    zod3.invented.length,
    percent(exact.lost.length, facts),
    exact.invented.length,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}
for (const [what, list] of Object.entries({
  lost: total.zod3.lost,
  invented: total.zod3.invented,
  "lost by z.toJSONSchema": total.exact.lost,
  "invented by z.toJSONSchema": total.exact.invented,
  printed,
})) {
  for (const line of list.slice(0, all ? list.length : 20)) console.log(`${what}: ${line}`);
  if (!all && list.length > 20) console.log(`${what}: … ${list.length} in all`);
}

let ok =
  total.zod3.lost.length <= total.facts * (1 - TO_KEEP) &&
  [total.zod3.invented, total.exact.lost, total.exact.invented, printed].every((list) => list.length === 0);
if (!isZod3) {
  const script = fileURLToPath(import.meta.url);
  const { status } = spawnSync(
    process.execPath,
    ["--import", new URL("./zod3.mjs", import.meta.url).href, script, ...args],
    {
      stdio: "inherit",
      env: { ...process.env, FIDELITY_ZOD: "3" },
    },
  );
  ok &&= status === 0;
}
process.exit(ok ? 0 : 1);
