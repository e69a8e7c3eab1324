/** What people read when there is no binary that loads, or no Rust to build one with. */
import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bindingError } from "../../js/binding.js";
import { isWindows, pathWithoutRust, platformAtHand, remove, root, run, stage, temporary } from "./pack.js";

/** @type {string} */
let folder;
/** A package as it is installed with `--omit=optional`. @type {string} */
let bare;
beforeAll(async () => {
  folder = await temporary("loader");
  bare = join(folder, "node_modules/@rejelly/adapter-mcp");
  await mkdir(bare, { recursive: true });
  await stage(bare);
  const link = (/** @type {string} */ from, /** @type {string} */ to) =>
    symlink(join(root, from), join(folder, "node_modules", to), "junction");
  await link("__test__/core", "@rejelly/core");
  await link("node_modules/zod", "zod");
});
afterAll(() => remove(folder));

/** What a process prints that loads the package. @param {string} [before] a statement that runs first */
async function load(before = "") {
  const index = pathToFileURL(join(bare, "index.js")).href;
  const code = `${before}
    import(${JSON.stringify(index)}).then(
      () => console.log("it loads"),
      (error) => { console.log(error.message); for (let at = error.cause; at; at = at.cause) console.log("cause:", at.message); },
    );`;
  const { code: status, stdout } = await run(process.execPath, ["--input-type=commonjs", "-e", code], { cwd: folder });
  expect(status).toBe(0);
  return stdout;
}

describe("a package without its binary", () => {
  it("says for which platform, why that may be, and what to do", async () => {
    const said = await load();
    expect(said).toContain(
      `@rejelly/adapter-mcp found no native binary for ${process.platform}-${process.arch} that loads`,
    );
    expect(said).toContain("--omit=optional");
    expect(said).toContain("npm run setup");
    // What was tried stands in the causes.
    expect(said).toContain(`@rejelly/adapter-mcp-${await platformAtHand()}`);
  });

  it("names the platforms that there are, on one that is none of them", async () => {
    const said = await load(`Object.defineProperty(process, "platform", { value: "freebsd" });`);
    expect(said).toContain(
      `found no native binary for freebsd-${process.arch} that loads. There are binaries for linux-x64, linux-arm64, darwin-x64`,
    );
    expect(said).not.toContain("--omit=optional");
  });

  it("tells a binary that is broken from one that is absent", async () => {
    const platform = await platformAtHand();
    const place = join(bare, "js", `adapter-mcp.${platform}.node`);
    await writeFile(place, "not a library");
    const said = await load();
    await remove(place);
    expect(said).toContain("that loads");
    expect(said).toMatch(
      isWindows ? /cause: .*not a valid Win32/s : /cause: .*(?:file too short|invalid ELF|mach-o|slice is not valid)/s,
    );
  });

  it("loads when the binary is beside it", async () => {
    const platform = await platformAtHand();
    const name = `adapter-mcp.${platform}.node`;
    await cp(join(root, "js", name), join(bare, "js", name));
    expect(await load()).toBe("it loads\n");
  });
});

it("knows every platform that npm/ has", async () => {
  for (const platform of await readdir(join(root, "npm"))) {
    const [os = "", arch = ""] = platform.split("-");
    expect(bindingError(os, arch, undefined).message).toContain(`adapter-mcp-${os}-${arch}…`);
  }
});

it("set-up without Rust says so, says what to install, and does nothing", async () => {
  const copy = join(folder, "checkout");
  await mkdir(join(copy, "scripts"), { recursive: true });
  for (const file of ["scripts/setup.mjs", "package.json", "package-lock.json"])
    await cp(join(root, file), join(copy, file));
  const { code, stdout, stderr } = await run(process.execPath, ["scripts/setup.mjs"], {
    cwd: copy,
    env: { PATH: await pathWithoutRust(folder) },
  });
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/^\nsetup: no Rust toolchain: .*install Rust 1\.88 or later with rustup.*need no Rust/s);
});
