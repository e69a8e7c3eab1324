import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { native } from "../../js/binding.js";

const run = promisify(execFile);
const root = new URL("../../", import.meta.url);
const cwd = fileURLToPath(root);
const read = (/** @type {string} */ name) => readFile(new URL(name, root), "utf8");
const folder = new URL("__test__/docs/generated/", root);

/** What the blocks take for granted. */
const AMBIENT = `
  import type { Model } from "@rejelly/core";
  import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
  declare global { const client: Client; const model: Model; function confirm(question: string): Promise<boolean>; }
`;

/** @param {string} text */
const blocksOf = (text) => [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => /** @type {string} */ (match[1]));

describe.each(["README.md", "README.zh-CN.md"])("%s", (name) => {
  /** @type {string[]} */
  let blocks;
  const own = new URL(`${name.replace(/\W/g, "-")}/`, folder);
  beforeAll(async () => {
    blocks = blocksOf(await read(name));
    await rm(own, { recursive: true, force: true });
    await mkdir(own, { recursive: true });
  });
  afterAll(() => rm(own, { recursive: true, force: true }));

  it("its first screen shows the two commands", async () => {
    const screen = (await read(name)).split("\n").slice(0, 20).join("\n");
    expect(screen).toContain("npm run demo");
    expect(screen).toContain("npm test");
  });

  it("its example runs, with a model that follows a script", async () => {
    const [example] = blocks;
    const script = `
      import { scriptedModel } from "../../../../examples/scripted-model.mjs";
      const model = scriptedModel([
        () => ({ calls: [{ name: "fs_list_allowed_directories", arguments: {} }] }),
        (messages) => ({ text: String(messages.at(-1).content) }),
      ]);
      ${example}`;
    const file = new URL("example.mjs", own);
    await writeFile(file, script);
    const { stdout } = await run(process.execPath, [fileURLToPath(file)], { cwd, timeout: 60_000 });
    expect(stdout).toContain("Allowed directories");
  });

  it("every block of code has the right types", async () => {
    expect(blocks.length).toBeGreaterThan(2);
    await writeFile(new URL("ambient.d.ts", own), AMBIENT);
    for (const [index, block] of blocks.entries()) await writeFile(new URL(`block-${index}.mts`, own), block);
    const config = {
      extends: "../../../../tsconfig.json",
      include: ["*.mts", "*.d.ts"],
      compilerOptions: { checkJs: false, allowJs: false },
    };
    await writeFile(new URL("tsconfig.json", own), JSON.stringify(config));
    const { stdout } = await run("npx", ["--no-install", "tsc", "-p", fileURLToPath(own)], { cwd }).catch(
      (error) => error,
    );
    expect(stdout).toBe("");
  });

  it("documents every error code", async () => {
    const text = await read(name);
    for (const code of native.protocolErrorCodes()) expect(text).toContain(`\`${code}\``);
  });

  it("documents every option and every export", async () => {
    const text = await read(name);
    const types = await read("index.d.ts");
    const options = types.match(/interface EquipMCPOptions \{(.*?)^\}/ms)?.[1] ?? "";
    for (const [, option] of options.matchAll(/^ {2}(\w+)\??:/gm)) expect(text).toContain(`\`${option}\``);
    for (const [, fn] of types.matchAll(/^export function (\w+)/gm)) expect(text).toContain(`\`${fn}(`);
  });
});

it("the README in Chinese has the same parts, tables and code", async () => {
  const [english, chinese] = await Promise.all(["README.md", "README.zh-CN.md"].map(read));
  const shape = (/** @type {string} */ text) => ({
    headings: text.match(/^#+ /gm),
    rows: text.match(/^\|/gm)?.length,
    bullets: text.match(/^- /gm)?.length,
    blocks: blocksOf(text),
  });
  expect(shape(/** @type {string} */ (chinese))).toEqual(shape(/** @type {string} */ (english)));
});

it("CONTRIBUTING.md is true to the tree", async () => {
  const text = await read("CONTRIBUTING.md");
  const { stdout } = await run("git", ["ls-files"], { cwd });
  const tracked = stdout.split("\n");
  for (const [, path] of text.matchAll(
    /`((?:src|js|__test__|scripts|bench|examples|fuzz|npm|\.ci|\.github)\/[\w./-]*)`/g,
  )) {
    const exists = tracked.some((file) => file === path || file.startsWith(/** @type {string} */ (path)));
    expect([path, exists]).toEqual([path, true]);
  }
  const { scripts } = JSON.parse(await read("package.json"));
  for (const [, script] of text.matchAll(/`npm run ([\w:]+)/g))
    expect([script, script in scripts]).toEqual([script, true]);
});
