/**
 * The files in `consumer/`, compiled as an application compiles them: nothing of this package's own configuration, libraries checked, and each zod in turn
 * as the one that the application and core see.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = new URL("../../", import.meta.url);
const generated = new URL("generated/", import.meta.url);

/** Major version to the name of its folder in this project's `node_modules`. */
const ZODS = new Map([
  [3, "zod3"],
  [4, "zod"],
]);
/** Module resolution to the `module` that goes with it. */
const RESOLUTIONS = new Map([
  ["bundler", "esnext"],
  ["nodenext", "nodenext"],
]);

/**
 * An application's folder. The compiler is told to take links for places of their own, so that core finds the application's zod.
 * @param {number} zod major version
 */
async function application(zod) {
  const app = new URL(`with-zod-${zod}/`, generated);
  const modules = new URL("node_modules/", app);
  const link = async (/** @type {string} */ from, /** @type {string} */ to) => {
    const place = new URL(to, modules);
    await mkdir(new URL(".", place), { recursive: true });
    await symlink(fileURLToPath(new URL(from, root)), fileURLToPath(place), "junction");
  };
  await link(`node_modules/${ZODS.get(zod)}`, "zod");
  await link("__test__/core", "@rejelly/core");
  // npm would lay them out so: generation 1 goes with either zod, generation 2 brings zod 4 of its own.
  for (const name of ["sdk", "client", "core"]) {
    const place = new URL(`@modelcontextprotocol/${name}/`, modules);
    await cp(new URL(`node_modules/@modelcontextprotocol/${name}/`, root), place, {
      recursive: true,
      filter: (file) => !/\.(?:[cm]?js|map)$/.test(file),
    });
    if (name !== "sdk" && zod === 3) await link("node_modules/zod", `@modelcontextprotocol/${name}/node_modules/zod`);
  }
  for (const file of ["package.json", "index.d.ts"]) {
    await cp(new URL(file, root), new URL(`@rejelly/adapter-mcp/${file}`, modules));
  }
  await cp(new URL("consumer/", import.meta.url), new URL("src/", app), { recursive: true });
  // Proof that the application's zod is the one that was meant.
  const generation = `import type { z } from "zod";
    import { type Equal, type Expect, holds } from "./equal.js";
    holds<Expect<Equal<"_zod" extends keyof z.ZodString ? 4 : 3, ${zod}>>>();`;
  await writeFile(new URL("src/generation.ts", app), generation);
  await writeFile(new URL("package.json", app), JSON.stringify({ type: "module", private: true }));
  return app;
}

/**
 * What the compiler says, and which files it read.
 * @param {URL} app
 * @param {string} moduleResolution
 */
async function compile(app, moduleResolution) {
  const config = new URL(`tsconfig.${moduleResolution}.json`, app);
  const compilerOptions = {
    target: "es2022",
    module: RESOLUTIONS.get(moduleResolution),
    moduleResolution,
    lib: ["es2023", "dom"],
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    preserveSymlinks: true,
    noEmit: true,
  };
  await writeFile(config, JSON.stringify({ compilerOptions, include: ["src"] }));
  const { stdout } = await run("npx", ["--no-install", "tsc", "--listFiles", "-p", fileURLToPath(config)], {
    cwd: fileURLToPath(root),
    maxBuffer: 1 << 26,
    shell: process.platform === "win32",
  }).catch((error) => error);
  const lines = String(stdout).split(/\r?\n/);
  const files = lines.filter((line) => /^\S+\.(?:ts|cts|mts)$/.test(line));
  return { files, errors: lines.filter((line) => line !== "" && !files.includes(line)) };
}

beforeAll(() => rm(generated, { recursive: true, force: true }));
afterAll(() => rm(generated, { recursive: true, force: true }));

describe.each([...ZODS.keys()])("an application with zod %i", (zod) => {
  /** @type {URL} */
  let app;
  beforeAll(async () => {
    app = await application(zod);
  });

  it.each([...RESOLUTIONS.keys()])("compiles with module resolution %s", { timeout: 120_000 }, async (resolution) => {
    const { files, errors } = await compile(app, resolution);
    expect(errors).toEqual([]);
    expect(files.filter((file) => file.includes(`/with-zod-${zod}/src/`))).toHaveLength(6);
  });
});
