/**
 * `npm run test:runtimes [name…]`: the integration tests on Node 18, 20, 22, 24 and 26, on Bun and on Deno. The binaries are in packages of the npm registry.
 * Where vitest runs (Node 20 and later) its suites run too. Without names, all choices of an application are installed as well (`__test__/package`). Names: `node20`, `bun`, …; all by default.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runSteps } from "./steps.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "__test__/runtimes");
const more = join(folder, "more");

if (process.platform !== "linux" || process.arch !== "x64") {
  console.log("test:runtimes: the binaries listed in __test__/runtimes are those of linux-x64; nothing is tried here");
  process.exit(0);
}

/** @type {Record<string, { home: string; binary: string; args?: string[]; vitest?: boolean }>} */
const runtimes = {
  node18: { home: more, binary: "node-v18/bin/node" },
  node20: { home: folder, binary: "node-v20/bin/node", vitest: true },
  node22: { home: more, binary: "node-v22/bin/node", vitest: true },
  node24: { home: folder, binary: "node-v24/bin/node", vitest: true },
  node26: { home: more, binary: "node-v26/bin/node", vitest: true },
  bun: { home: more, binary: "@oven/bun-linux-x64/bin/bun" },
  deno: { home: more, binary: "@deno/linux-x64-glibc/deno", args: ["run", "--allow-all"] },
};
/** What touches the client, the async context, timers and the process; the rest is the same on every Node. */
const SUITES = ["catalog", "client", "equip", "integration", "memo", "runtimes"].map((name) => `__test__/${name}`);

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in runtimes)) {
    console.error(`test:runtimes: there is no runtime "${name}"; there are ${Object.keys(runtimes).join(", ")}`);
    process.exit(2);
  }
}

/** @type {import("./steps.mjs").StepCommand[]} */
const steps = [];
for (const [name, { home, binary, args = [], vitest }] of Object.entries(runtimes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const command = join(home, "node_modules", binary);
  if (!existsSync(command)) {
    console.log(`test:runtimes: npm ci in ${home.slice(root.length)}`);
    // No script of a package is wanted: the binary is in it.
    const { status } = spawnSync("npm", ["ci", "--ignore-scripts"], { cwd: home, stdio: "inherit" });
    if (status !== 0 || !existsSync(command)) {
      console.error(`test:runtimes: npm brought no ${name}. Is the npm registry reachable?`);
      process.exit(1);
    }
  }
  const { stdout } = spawnSync(command, ["--version"], { encoding: "utf8" });
  const version = stdout.split("\n")[0]?.replace(/^deno /, "");
  // The servers run on the Node that started this: they are none of ours.
  for (const script of ["integration.mjs", "workers.mjs"]) {
    const file = join(folder, script);
    steps.push({ name: `${name} ${version}: ${script}`, command, args: [...args, file, process.execPath] });
  }
  if (vitest) {
    const file = join(root, "node_modules/vitest/vitest.mjs");
    steps.push({ name: `${name} ${version}: vitest`, command, args: [file, "run", ...SUITES] });
  }
}
// All choices of an application, which `npm test` tries in part.
if (wanted.length === 0) {
  const args = ["--no-install", "vitest", "run", "__test__/package/install.test.js"];
  steps.push({ name: "applications", command: "npx", args, env: { ADAPTER_MCP_ALL_APPLICATIONS: "1" } });
}
const { passed, failed } = runSteps(steps);
console.log(`\n${passed} runs passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
