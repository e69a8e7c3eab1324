import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { napi, pack, readJson, remove, root, run, stage, temporary } from "./pack.js";

/** @type {string} */
let folder;
beforeAll(async () => {
  folder = await temporary("release");
});
afterAll(() => remove(folder));

describe("the platform packages", () => {
  it("are those that the napi command makes from package.json's targets", async () => {
    const copy = join(folder, "copy");
    await mkdir(copy);
    await cp(join(root, "package.json"), join(copy, "package.json"));
    await napi(copy, ["create-npm-dirs"]);
    const made = join(copy, "npm");
    const platforms = (await readdir(made)).sort();
    expect((await readdir(join(root, "npm"))).sort()).toEqual(platforms);
    expect(platforms).toHaveLength((await readJson(join(root, "package.json"))).napi.targets.length);
    for (const platform of platforms) {
      const manifest = await readJson(join(root, "npm", platform, "package.json"));
      expect(manifest).toEqual(await readJson(join(made, platform, "package.json")));
      expect(await readFile(join(root, "npm", platform, "README.md"), "utf8")).toContain(manifest.name);
    }
  });

  it("are those that the loader looks for", async () => {
    const loader = await readFile(join(root, "js/native.cjs"), "utf8");
    for (const platform of await readdir(join(root, "npm"))) {
      expect(loader).toContain(`require('@rejelly/adapter-mcp-${platform}')`);
    }
  });
});

describe("a release", () => {
  /** @type {string} */
  let staged;
  /** @type {{ platform: string; binary: string }} */
  let here;
  beforeAll(async () => {
    staged = join(folder, "staged");
    await mkdir(staged);
    here = await stage(staged);
  });

  it("takes the binary from the build's artifacts", async () => {
    await napi(staged, ["artifacts", "--output-dir", "artifacts", "--npm-dir", "npm"]);
    expect(existsSync(join(staged, "npm", here.platform, here.binary))).toBe(true);
  });

  it("can be tried without a change to the disk", async () => {
    const before = await readFile(join(staged, "package.json"), "utf8");
    await napi(staged, ["pre-publish", "--dry-run", "--npm-dir", "npm", "--no-gh-release", "--skip-optional-publish"]);
    expect(await readFile(join(staged, "package.json"), "utf8")).toBe(before);
  });

  it("names every platform package as an optional dependency, in the very same version", async () => {
    await napi(staged, ["pre-publish", "--npm-dir", "npm", "--no-gh-release", "--skip-optional-publish"]);
    const { name, version, optionalDependencies } = await readJson(join(staged, "package.json"));
    const platforms = await readdir(join(root, "npm"));
    expect(optionalDependencies).toEqual(Object.fromEntries(platforms.map((one) => [`${name}-${one}`, version])));
  });

  it("packs what is needed and nothing else; publint and attw have nothing to say", { timeout: 120_000 }, async () => {
    const main = await pack(staged, folder);
    const binary = await pack(join(staged, "npm", here.platform), folder);
    const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1_000).toFixed(0)} kB`;
    for (const { file, files, size, unpackedSize } of [main, binary]) {
      const name = file.slice(folder.length + 1);
      console.log(`packed: ${name}: ${kilobytes(size)}, unpacked ${kilobytes(unpackedSize)}, ${files.length} files`);
    }
    // Section 9 of the spec, for the platform on which it is measured; a stripped release build.
    if (here.platform === "linux-x64-gnu") expect(binary.unpackedSize).toBeLessThan(6_000_000);
    expect(binary.files.sort()).toEqual([here.binary, "README.md", "package.json"].sort());
    expect(main.files).toEqual(
      expect.arrayContaining(["index.js", "index.d.ts", "js/native.cjs", "LICENSE", "README.md"]),
    );
    const foreign = main.files.filter(
      (file) => !/^(?:index\.(?:js|d\.ts)|js\/native\.cjs|package\.json|LICENSE|[A-Z]+(?:\.zh-CN)?\.md)$/.test(file),
    );
    expect(foreign).toEqual([]);

    const tarball = (await readFile(main.file)).buffer;
    const { messages } = await publint({
      strict: true,
      pack: { tarball: /** @type {ArrayBuffer} */ (tarball) },
    });
    expect(messages).toEqual([]);

    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const { code, stdout } = await run(process.execPath, [
      attw,
      main.file,
      "--profile",
      "esm-only",
      "--format",
      "ascii",
      "--no-emoji",
    ]);
    // CommonJS gets the package by `import()`, or by `require` where Node can load modules so: it is one of modules only.
    expect([code, stdout]).toEqual([0, expect.stringMatching(/node16 \(from ESM\): OK.*bundler: OK/s)]);
  });
});
