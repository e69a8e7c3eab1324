/**
 * The README's example in applications outside of the tree: both tarballs installed by npm, compiled by tsc, run where no Rust is to be found.
 * The two applications differ in all that an application chooses.
 */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pathWithoutRust, readJson, remove, root, run, succeed, tarballs, temporary } from "./pack.js";

/** @type {string} */
let folder;
/** @type {Awaited<ReturnType<typeof tarballs>>} */
let packed;
/** @type {string} */
let PATH;

beforeAll(async () => {
  folder = await temporary("install");
  packed = await tarballs(folder);
  PATH = await pathWithoutRust(folder);
}, 120_000);
afterAll(() => remove(folder));

it("there is no Rust on the path of these tests", async () => {
  for (const command of ["cargo", "rustc"])
    expect((await run(command, ["--version"], { env: { PATH } })).code).not.toBe(0);
  expect((await run("node", ["--version"], { env: { PATH } })).stdout.trim()).toBe(process.version);
});

const SDK1 = "@modelcontextprotocol/sdk";
const SDK2 = "@modelcontextprotocol/client";

/** The first block of the README, with a model that follows a script, as a module for either SDK. @param {string} sdk */
async function example(sdk) {
  const readme = await readFile(join(root, "README.md"), "utf8");
  const [, block = ""] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  expect(block).toContain("equipMCP(");
  const code =
    sdk === SDK1
      ? block
      : block.replaceAll(`${SDK1}/client/index.js`, SDK2).replaceAll(`${SDK1}/client/stdio.js`, `${SDK2}/stdio`);
  return `import { scriptedModel } from "./scripted-model.mjs";
    const model = scriptedModel([
      () => ({ calls: [{ name: "fs_list_allowed_directories", arguments: {} }] }),
      (messages) => ({ text: String(messages.at(-1)?.content) }),
    ]);
    ${code}`;
}

/** These two have each choice once; `npm run test:runtimes` tries the other two as well. */
const applications = [
  { zod: "3.25", sdk: SDK1, version: "1", moduleResolution: "nodenext" },
  { zod: "4", sdk: SDK2, version: "2", moduleResolution: "bundler" },
];
if (process.env.ADAPTER_MCP_ALL_APPLICATIONS) {
  applications.push(
    { zod: "3.25", sdk: SDK2, version: "2", moduleResolution: "nodenext" },
    { zod: "4", sdk: SDK1, version: "1", moduleResolution: "bundler" },
  );
}

describe.each(applications)("an application with zod $zod and $sdk", ({ zod, sdk, version, moduleResolution }) => {
  /** @type {string} */
  let app;
  beforeAll(async () => {
    app = join(folder, `app-${zod}-${version}`);
    await mkdir(join(app, "src"), { recursive: true });
    await writeFile(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
    const wanted = [`zod@^${zod}`, `${sdk}@^${version}`, "@modelcontextprotocol/server-filesystem", "@types/node@20"];
    const own = [packed.main, packed.binary, packed.core].map(({ file }) => file);
    await succeed("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...own, ...wanted], {
      cwd: app,
      env: { PATH },
    });
  }, 240_000);

  it("has one zod, the one it asked for, and the binary of its platform", async () => {
    const of = async (/** @type {string} */ name) =>
      (await readJson(join(app, "node_modules", name, "package.json"))).version;
    expect(await of("zod")).toMatch(new RegExp(`^${zod.replace(".", "\\.")}\\.`));
    expect(await of(sdk)).toMatch(new RegExp(`^${version}\\.`));
    expect(await of(packed.own)).toBe(await of("@rejelly/adapter-mcp"));
    expect((await run("npm", ["ls", "@rejelly/adapter-mcp", "@rejelly/core", "zod"], { cwd: app })).code).toBe(0);
  });

  it("compiles the README's example and runs it to its end", { timeout: 240_000 }, async () => {
    await writeFile(join(app, "src/main.ts"), await example(sdk));
    await cp(join(root, "examples/scripted-model.mjs"), join(app, "src/scripted-model.mjs"));
    const compilerOptions = {
      target: "es2022",
      module: moduleResolution === "bundler" ? "esnext" : "nodenext",
      moduleResolution,
      types: ["node"],
      strict: true,
      skipLibCheck: false,
      allowJs: true,
      rootDir: "src",
      outDir: "dist",
    };
    await writeFile(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["src"] }));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const compiled = await run(process.execPath, [tsc, "-p", app], { cwd: app, env: { PATH } });
    expect([compiled.code, compiled.stdout]).toEqual([0, ""]);

    const ran = await run(process.execPath, ["dist/main.js"], { cwd: app, env: { PATH }, timeout: 60_000 });
    expect([ran.code, ran.stderr.replace(/^Secure MCP.*\n|.*(?:roots|directories).*\n/gm, "")]).toEqual([0, ""]);
    expect(ran.stdout).toContain("Allowed directories");
  });
});
