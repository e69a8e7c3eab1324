import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { native } from "../../js/binding.js";

it("docs/descriptor.md shows the descriptor that its schema has, and names every kind", async () => {
  const text = await readFile(new URL("../../docs/descriptor.md", import.meta.url), "utf8");
  const [schema, descriptor] = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block]) =>
    JSON.parse(block ?? ""),
  );
  expect(JSON.parse(new native.InputSchema(JSON.stringify(schema)).descriptor())).toEqual(descriptor);
  const types = await readFile(new URL("../../index.d.ts", import.meta.url), "utf8");
  const kinds = [...types.matchAll(/readonly kind: ([^;}]+)[;}]/g)].flatMap(
    ([, list]) => (list ?? "").match(/\w+/g) ?? [],
  );
  expect(kinds.length).toBe(11);
  for (const kind of kinds) expect(text).toContain(`\`${kind}\``);
});
