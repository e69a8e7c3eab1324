import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import * as api from "../index.js";

it("exports what index.d.ts declares", async () => {
  const types = await readFile(new URL("../index.d.ts", import.meta.url), "utf8");
  const declared = [...types.matchAll(/^export (?:function|class) (\w+)/gm)].map((match) => match[1]);
  expect(Object.keys(api).sort()).toEqual(declared.sort());
});

it("names its errors", () => {
  for (const [name, value] of Object.entries(api)) {
    if (!name.endsWith("Error")) continue;
    const error = new /** @type {any} */ (value)("x", "result", "undefined");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe(name);
  }
});
