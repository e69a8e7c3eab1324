import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { casesOf, hasShared } from "../support/shared.js";
import { copies } from "./cases.js";

describe("the shared cases of names, errors and async context", () => {
  it("each has a test of its name", () => {
    const folder = new URL("./", import.meta.url);
    const texts = readdirSync(folder)
      .filter((file) => file.endsWith(".test.js"))
      .map((file) => readFileSync(new URL(file, folder), "utf8"))
      .join("\n");
    expect(copies.map(({ id }) => id).filter((id) => !texts.includes(`"${id}`))).toEqual([]);
  });

  it.skipIf(!hasShared)("the copies are the shared ones", () => {
    const shared = ["name", "error", "async"].flatMap(casesOf);
    const picked = shared.map(({ id, area, input, expect: expected }) => ({ id, area, input, expect: expected }));
    const byId = (/** @type {any} */ a, /** @type {any} */ b) => a.id.localeCompare(b.id);
    expect([...copies].sort(byId)).toEqual(picked.sort(byId));
  });
});
