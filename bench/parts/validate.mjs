/** `validateMcpToolArguments`. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { fromMCPTool, validateMcpToolArguments } from "../../index.js";
import { toZod } from "../bridge.mjs";
import { memoryClient } from "../support/catalogs.mjs";
import { medians } from "../support/measure.mjs";

export const title = "`validateMcpToolArguments`";
export const note =
  "ajv compiles to JavaScript: `new` then means a new instance and compilation, as a bridge without a cache does it; seen before means its compiled function alone, which gets no text and " +
  "crosses no boundary. What ours does more on each call: it finds the schema by its content, and checks that the arguments are JSON.";

/** An input schema like those of issue trackers: nested, with enums, bounds, patterns and a definition. */
const schema = {
  type: "object",
  properties: {
    title: { type: "string", minLength: 1, maxLength: 256 },
    body: { type: "string" },
    labels: { type: "array", items: { type: "string", pattern: "^[a-z][a-z0-9-]*$" }, maxItems: 100 },
    state: { enum: ["open", "closed", "draft"] },
    priority: { type: "integer", minimum: 0, maximum: 5 },
    assignees: { type: "array", items: { $ref: "#/$defs/user" } },
  },
  required: ["title", "state"],
  additionalProperties: false,
  $defs: {
    user: { type: "object", properties: { login: { type: "string" }, id: { type: "integer" } }, required: ["login"] },
  },
};
const small = { title: "It breaks", state: "open", priority: 2, labels: ["bug"] };
const large = {
  ...small,
  body: "text ".repeat(200),
  labels: Array.from({ length: 100 }, (_, index) => `label-${index}`),
  assignees: Array.from({ length: 200 }, (_, id) => ({ login: `user${id}`, id })),
};
const invalid = { ...small, priority: 9 };
const largeInvalid = { ...large, assignees: [...large.assignees, { id: "x" }] };

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const loop = toZod(schema);
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const compiled = ajv.compile(schema);
  const kept = new Map([[JSON.stringify(schema), compiled]]);
  const tool = fromMCPTool({ name: "t", inputSchema: schema }, /** @type {any} */ (memoryClient([])));
  const rows = [];
  let seen = 0;
  const fresh = () => {
    seen += 1;
    return { ...schema, title: `t${seen}` };
  };
  rows.push({
    name: "schema never seen, small arguments",
    unit: /** @type {const} */ ("µs"),
    target: 300,
    times: await medians({
      ours: () => validateMcpToolArguments(fresh(), small),
      "ajv 8": () => new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).compile(fresh())(small),
      "TypeScript loop": () => toZod(fresh()).safeParse(small),
    }),
  });
  for (const [name, args, target] of /** @type {const} */ ([
    ["seen before, small, valid", small, 10],
    ["seen before, small, invalid", invalid, undefined],
    ["seen before, large, valid", large, undefined],
    ["seen before, large, invalid", largeInvalid, undefined],
  ])) {
    const verdict = validateMcpToolArguments(schema, args).ok;
    if (verdict !== compiled(args) || verdict !== tool.parameters.safeParse(args).success) {
      throw new Error(`the validators disagree on ${name}`);
    }
    const times = await medians({
      ours: () => validateMcpToolArguments(schema, args),
      "ours, `parameters.safeParse`": () => tool.parameters.safeParse(args),
      "ajv 8": () => compiled(args),
      "ajv 8, found by the schema's text": () => kept.get(JSON.stringify(schema))?.(args),
      "TypeScript loop": () => loop.safeParse(args),
    });
    rows.push({ name, unit: /** @type {const} */ ("µs"), target, times });
  }
  return rows;
}
