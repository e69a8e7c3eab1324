/** Whether what is fuzzed is what is shipped: `fuzz/` builds the product's source with a manifest and a lockfile of its own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * What differs between the product's manifest and lockfile and those that it is fuzzed with.
 * @param {string} root the repository
 * @returns {string[]}
 */
export function drift(root) {
  /** @param {string} path */
  const read = (path) => readFileSync(join(root, path), "utf8");
  const [shipped, fuzzed] = [manifest(read("Cargo.toml")), manifest(read("fuzz/product/Cargo.toml"))];
  const problems = differences(shipped, fuzzed).map(
    (line) => `fuzz/product/Cargo.toml is not what Cargo.toml says: ${line}`,
  );
  const locked = packages(read("Cargo.lock"));
  for (const [name, versions] of packages(read("fuzz/Cargo.lock"))) {
    const known = locked.get(name);
    for (const version of versions) {
      if (known && !known.has(version)) {
        problems.push(`fuzz/Cargo.lock has ${name} ${version}, and Cargo.lock has ${[...known].join(", ")}`);
      }
    }
  }
  return problems;
}

/** The lines of a manifest that decide what the library is: its version and edition, and its dependencies. @param {string} text */
function manifest(text) {
  /** @type {Set<string>} */
  const lines = new Set();
  let section = "";
  for (const line of text.split("\n").map((line) => line.trim())) {
    if (line.startsWith("[")) section = line;
    else if (section === "[dependencies]" && line && !line.startsWith("#")) lines.add(line);
    else if (section === "[package]" && /^(version|edition|rust-version) /.test(line)) lines.add(line);
  }
  return lines;
}

/** @param {Set<string>} one @param {Set<string>} other */
function differences(one, other) {
  return [...[...one].filter((line) => !other.has(line)), ...[...other].filter((line) => !one.has(line))];
}

/** The versions of each package of a lockfile. @param {string} text */
function packages(text) {
  /** @type {Map<string, Set<string>>} */
  const versions = new Map();
  for (const [, name = "", version = ""] of text.matchAll(/^name = "(.+)"\nversion = "(.+)"$/gm)) {
    versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  return versions;
}
