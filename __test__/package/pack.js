/** What is published, made from this tree: the package, and the package of the binary for the platform at hand. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

export const root = fileURLToPath(new URL("../../", import.meta.url));
export const isWindows = process.platform === "win32";

/** @param {string} file */
export const readJson = async (file) => JSON.parse(await readFile(file, "utf8"));

/**
 * Runs a command; never throws for what it does.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string; env?: Record<string, string | undefined>; timeout?: number }} [options]
 * @returns {Promise<{ code: number | string; stdout: string; stderr: string }>}
 */
export async function run(command, args, { cwd = root, env = {}, timeout = 240_000 } = {}) {
  // npm and what it installs are scripts on Windows, which only a shell runs.
  const shell = isWindows && command !== process.execPath;
  // What npm tells its scripts is no concern of the commands that a test starts.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_package|npm_lifecycle|VITEST)/i.test(name),
  );
  const settings = { cwd, env: { ...Object.fromEntries(inherited), ...env }, timeout, shell, maxBuffer: 1 << 26 };
  try {
    const { stdout, stderr } = await execute(command, args, settings);
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, killed, stdout, stderr } = /** @type {any} */ (error);
    return { code: killed ? `not ended after ${timeout} ms` : code, stdout, stderr };
  }
}

/** @param {string} command @param {string[]} args @param {Parameters<typeof run>[2]} [options] */
export async function succeed(command, args, options) {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${code}\n${stdout}\n${stderr}`);
  return stdout;
}

/** A folder outside of the tree, so that nothing of this project's `node_modules` is found from it. @param {string} name */
export const temporary = (name) => mkdtemp(join(tmpdir(), `adapter-mcp-${name}-`));

/** @param {string[]} folders */
export const remove = async (...folders) => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
};

/** As in `js/adapter-mcp.linux-x64-gnu.node`; the last build's, where several are there. */
export async function platformAtHand() {
  const names = (await readdir(join(root, "js"))).filter((name) => name.endsWith(".node"));
  const here = names.filter((name) => name.includes(`.${process.platform}-${process.arch}`));
  const times = await Promise.all(here.map(async (name) => (await stat(join(root, "js", name))).mtimeMs));
  const newest = here[times.indexOf(Math.max(...times))];
  if (newest === undefined) throw new Error("js/ has no binary for this platform: run `npm run setup` first");
  return newest.replace(/^adapter-mcp\.|\.node$/g, "");
}

/** The command line of napi, in a folder. @param {string} folder @param {string[]} args */
export const napi = (folder, args) =>
  succeed(process.execPath, [join(root, "node_modules/@napi-rs/cli/dist/cli.js"), ...args], { cwd: folder });

/**
 * A copy of what is published, with the binaries where a release's build jobs leave them: napi refuses to publish some platforms only, so that those which are
 * not built here have stand-ins.
 * @param {string} folder
 */
export async function stage(folder) {
  const platform = await platformAtHand();
  const binary = `adapter-mcp.${platform}.node`;
  const { files } = await readJson(join(root, "package.json"));
  const globs = new Set(files.map((/** @type {string} */ file) => file.split("/").find(Boolean)));
  for (const name of [...globs, "package.json", "README.md", "LICENSE", "npm"]) {
    await cp(join(root, name), join(folder, name), { recursive: true, filter: (from) => !from.endsWith(".node") });
  }
  for (const one of await readdir(join(root, "npm"))) {
    const artifact = join(folder, "artifacts", `bindings-${one}`, `adapter-mcp.${one}.node`);
    await mkdir(dirname(artifact), { recursive: true });
    if (one === platform) await cp(join(root, "js", binary), artifact);
    else await writeFile(artifact, "A stand-in: the binary is built elsewhere.");
  }
  return { platform, binary };
}

/** @param {string} folder @param {string} into @returns {Promise<{ file: string; files: string[]; size: number; unpackedSize: number }>} */
export async function pack(folder, into) {
  const stdout = await succeed("npm", ["pack", "--json", "--pack-destination", into], { cwd: folder });
  const answer = JSON.parse(stdout);
  const [report] = Array.isArray(answer) ? answer : Object.values(answer);
  return {
    file: join(into, report.filename),
    files: report.files.map((/** @type {{ path: string }} */ { path }) => path),
    size: report.size,
    unpackedSize: report.unpackedSize,
  };
}

/**
 * Both tarballs, as an application on this platform gets them. The manifest names this platform's package only: the others are made elsewhere, and npm
 * would ask the registry for them.
 * @param {string} folder
 */
export async function tarballs(folder) {
  const staged = join(folder, "staged");
  await mkdir(staged);
  const { platform } = await stage(staged);
  await napi(staged, ["artifacts", "--output-dir", "artifacts", "--npm-dir", "npm"]);
  const manifest = await readJson(join(staged, "package.json"));
  const own = `${manifest.name}-${platform}`;
  manifest.optionalDependencies = { [own]: manifest.version };
  await writeFile(join(staged, "package.json"), JSON.stringify(manifest, null, 2));
  return {
    own,
    main: await pack(staged, folder),
    binary: await pack(join(staged, "npm", platform), folder),
    core: await pack(join(root, "__test__/core"), folder),
  };
}

/** A `PATH` on which Node and npm are, and no Rust. @param {string} folder takes links, where a directory has both */
export async function pathWithoutRust(folder) {
  const suffixes = isWindows ? [".exe", ".cmd"] : [""];
  const has = async (/** @type {string} */ directory, /** @type {string} */ name) =>
    (await Promise.all(suffixes.map((suffix) => stat(join(directory, name + suffix)).catch(() => undefined)))).some(
      Boolean,
    );
  const kept = [];
  const dropped = [];
  for (const directory of (process.env.PATH ?? "").split(delimiter)) {
    if (directory === "") continue;
    const isRust = (await has(directory, "cargo")) || (await has(directory, "rustc"));
    (isRust ? dropped : kept).push(directory);
  }
  // A system that keeps everything in one directory: what is needed of it comes in by links.
  const links = join(folder, "bin");
  await mkdir(links, { recursive: true });
  for (const name of isWindows ? [] : ["node", "npm", "npx", "sh", "git", "env"]) {
    for (const directory of dropped) {
      if (await has(directory, name)) await symlink(join(directory, name), join(links, name)).catch(() => undefined);
    }
  }
  const path = [links, dirname(process.execPath), ...kept].filter((directory) => !dropped.includes(directory));
  return path.join(delimiter);
}
