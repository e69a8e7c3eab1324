/**
 * `index.js`, the face in one file: two dozen modules cost an import some ten milliseconds more than one does. Names and lines stay readable, for stack
 * traces and for whoever steps into it.
 */
import { relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const loader = '"./native.cjs"';

/** Writes the bundle. Runs as vitest's global set-up too, so that tests never see an older face. */
export async function setup() {
  const bundle = await rolldown({
    cwd: root,
    input: "js/index.js",
    platform: "node",
    external: (id) => !/^(?:\.|\/|[A-Za-z]:)/.test(id),
    onLog(_level, log) {
      throw new Error(`bundle: ${log.message}`);
    },
    plugins: [
      {
        name: "the loader stays where the binary is",
        renderChunk(code) {
          if (code.split(loader).length !== 2)
            throw new Error(`bundle: ${loader} is to be found once, where the addon is loaded`);
          return code.replace(loader, '"./js/native.cjs"');
        },
      },
    ],
  });
  await bundle.write({
    file: "index.js",
    format: "esm",
    banner: "// Made of js/ by scripts/bundle.mjs.",
    comments: false,
  });
  await bundle.close();
}

if (process.argv[1] && relative(process.argv[1], fileURLToPath(import.meta.url)) === "") await setup();
