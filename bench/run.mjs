/**
 * `npm run bench [-- <part> …]`: this package beside what a user would pick instead. Prints a Markdown table per part; a whole run also writes
 * `bench/results/`.
 */
import { fork, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { markdown } from "./support/report.mjs";
import { header, save } from "./support/results.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const PARTS = ["memo", "cold", "first", "convert", "validate", "result", "handler", "import", "memory", "size"].filter(
  (name) => existsSync(join(here, "parts", `${name}.mjs`)),
);

/** Installs the peers where the lockfile has changed since they were. */
function installPeers() {
  const lock = createHash("sha256")
    .update(readFileSync(join(here, "package-lock.json")))
    .digest("hex");
  const marker = join(here, "node_modules", ".installed");
  if (existsSync(marker) && readFileSync(marker, "utf8") === lock) return;
  // On the error stream: what is printed on stdout is the report.
  const { status } = spawnSync("npm", ["ci", "--prefix", "bench", "--loglevel=error"], {
    cwd: join(here, ".."),
    stdio: ["ignore", process.stderr, "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) throw new Error("bench: `npm ci --prefix bench` failed; is the npm registry reachable?");
  writeFileSync(marker, lock);
}

/** @param {string} part @returns {Promise<import("./support/report.mjs").Section>} */
function measured(part) {
  return new Promise((resolve, reject) => {
    const child = fork(join(here, "part.mjs"), [part], {
      execArgv: ["--expose-gc"],
      stdio: ["ignore", process.stderr, "inherit", "ipc"],
    });
    /** @type {any} */
    let section;
    child.on("message", (message) => {
      section = message;
    });
    child.on("error", reject);
    child.on("exit", (code) =>
      section ? resolve(section) : reject(new Error(`bench: the part ${part} ended with code ${code}`)),
    );
  });
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`bench: no part ${unknown.join(", ")}; there are ${PARTS.join(", ")}`);
  process.exit(1);
}
installPeers();
console.log(header());
/** @type {import("./support/report.mjs").Section[]} */
const sections = [];
for (const part of wanted.length > 0 ? wanted : PARTS) {
  const section = await measured(part);
  sections.push(section);
  console.log(markdown(section));
}
if (wanted.length === 0) save(sections);
