/** From a server's schema to what is shown to the model. */

import { fromJSONSchema, toJSONSchema } from "zod";
import { convertJsonSchemaToZod } from "zod-from-json-schema";
import { zodToJsonSchema } from "zod-to-json-schema";
import { fromMCPTool } from "../../index.js";
import { toZod } from "../bridge.mjs";
import { memoryClient, tools } from "../support/catalogs.mjs";
import { medians } from "../support/measure.mjs";

export const title = "Schemas of 100 tools: JSON Schema to zod, and to the model";
export const note =
  "*Converted*: 100 schemas to zod, whole, each time schemas that this process has not seen. *To the model*: `zodToJsonSchema` (zod 3) or `z.toJSONSchema` (zod 4) over " +
  "100 converted tools, as core does on every turn. zod 4's own conversions make zod-4 schemas, of which core would show the model nothing.";

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const list = await tools(100);
  const client = memoryClient(list);
  let seen = 0;
  /** The schemas, each with a mark that makes it new. */
  const fresh = () => {
    seen += 1;
    return list.map(({ inputSchema, name }) => ({ name, inputSchema: { ...inputSchema, title: `t${seen}` } }));
  };
  const convertible = list.filter(
    ({ inputSchema }) => works(() => fromJSONSchema(inputSchema)) && works(() => convertJsonSchemaToZod(inputSchema)),
  );
  const converted = await medians(
    {
      ours: () => fresh().map((tool) => fromMCPTool(tool, /** @type {any} */ (client)).parameters._def),
      "TypeScript loop": () => fresh().map(({ inputSchema }) => toZod(inputSchema)),
      "zod-from-json-schema": () =>
        fresh().map(({ inputSchema }) => attempt(() => convertJsonSchemaToZod(inputSchema))),
      "zod 4 fromJSONSchema": () => fresh().map(({ inputSchema }) => attempt(() => fromJSONSchema(inputSchema))),
    },
    { budget: 3000 },
  );
  const ours = list.map((tool) => fromMCPTool(tool, /** @type {any} */ (client)).parameters);
  const loop = list.map(({ inputSchema }) => toZod(inputSchema));
  const four = convertible.map(({ inputSchema }) => fromJSONSchema(inputSchema));
  const from = convertible.map(({ inputSchema }) => convertJsonSchemaToZod(inputSchema));
  const shownToModel = await medians({
    ours: () => ours.map((schema) => zodToJsonSchema(/** @type {any} */ (schema), { $refStrategy: "none" })),
    "TypeScript loop": () => loop.map((schema) => zodToJsonSchema(schema, { $refStrategy: "none" })),
  });
  const exact = await medians({
    ours: () => ours.map((schema) => toJSONSchema(/** @type {any} */ (schema))),
    "zod-from-json-schema": () => from.map((schema) => attempt(() => toJSONSchema(/** @type {any} */ (schema)))),
    "zod 4 fromJSONSchema": () => four.map((schema) => attempt(() => toJSONSchema(schema))),
  });
  return [
    {
      name: "converted",
      unit: "µs",
      times: converted,
      remark: `the zod-4 converters refuse ${list.length - convertible.length} of the 100`,
    },
    { name: "to the model, `zodToJsonSchema`", unit: "µs", times: shownToModel },
    { name: "to the model, `z.toJSONSchema`", unit: "µs", times: exact },
  ];
}

/** @param {() => unknown} work */
function works(work) {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** @template T @param {() => T} work */
function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
