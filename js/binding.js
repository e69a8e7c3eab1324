/**
 * The native addon. Everything else in `js/` takes it from here, so that a binary that is not there gives one clear message.
 */
import { createRequire } from "node:module";
import process from "node:process";

/** Platforms for which a binary is published, as `platform-arch` (Linux in a glibc and a musl build). */
const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "win32-x64", "win32-arm64"];

/**
 * What to do about a binary that does not load.
 * @param {string} platform `process.platform`
 * @param {string} arch `process.arch`
 * @param {unknown} cause what the generated loader says
 */
export function bindingError(platform, arch, cause) {
  const here = `${platform}-${arch}`;
  const advice = PLATFORMS.includes(here)
    ? `The package of the binary (@rejelly/adapter-mcp-${here}…) is an optional dependency: remove node_modules and the lockfile's entry for it and ` +
      "install again without --omit=optional, on the system that runs the application. From a checkout, build it with `npm run setup`, which needs Rust."
    : `There are binaries for ${PLATFORMS.join(", ")}. On another system build it from a checkout with \`npm run setup\`, which needs Rust.`;
  return new Error(`@rejelly/adapter-mcp found no native binary for ${here} that loads. ${advice}`, { cause });
}

/** @returns {typeof import("./native.cjs")} */
function load() {
  try {
    return createRequire(import.meta.url)("./native.cjs");
  } catch (cause) {
    throw bindingError(process.platform, process.arch, cause);
  }
}

export const native = load();
