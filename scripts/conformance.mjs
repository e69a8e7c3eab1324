/**
 * `npm run conformance [-- <folder of the suite>]`: the official JSON Schema test suite through `fromMCPTool(...).parameters.safeParse`, for each dialect.
 *
 * Each group's schema is a tool's input schema, in the dialect that `$schema` names; each test's data are the arguments. Groups that need a document of the
 * suite's own server are counted apart.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { fromMCPTool } from "@rejelly/adapter-mcp";
import { native } from "../js/binding.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = resolve(root, process.argv[2] ?? "../shared/json-schema-test-suite");
if (!existsSync(folder)) {
  console.log(`skipped: no suite in ${folder}`);
  process.exit(0);
}

/** @type {Record<string, string>} */
const DIALECTS = {
  draft4: "http://json-schema.org/draft-04/schema#",
  draft6: "http://json-schema.org/draft-06/schema#",
  draft7: "http://json-schema.org/draft-07/schema#",
  "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
  "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
};
const client = { callTool: async () => ({ content: [] }) };
const remote = "localhost:1234";

/**
 * A tool that takes what the group's schema is for. A boolean schema is no tool's input schema: it stands in an `allOf`.
 * @param {any} schema
 * @param {string} dialect
 */
function toolOf(schema, dialect) {
  const inputSchema =
    typeof schema === "boolean" ? { $schema: dialect, allOf: [schema] } : { $schema: dialect, ...schema };
  return { name: "suite", inputSchema };
}

/**
 * A group whose dialect, or one of whose references, is a document on the suite's own server.
 * @param {any} inputSchema
 */
function needsRemote(inputSchema) {
  if (String(inputSchema.$schema).includes(remote)) return true;
  const text = JSON.stringify(inputSchema);
  return text.includes(remote) && new native.InputSchema(text).problem() !== null;
}

let ok = true;
for (const [name, dialect] of Object.entries(DIALECTS)) {
  let [passed, total, apart] = [0, 0, 0];
  const failures = [];
  for (const file of readdirSync(join(folder, name)).filter((file) => file.endsWith(".json"))) {
    for (const group of JSON.parse(readFileSync(join(folder, name, file), "utf8"))) {
      const tool = toolOf(group.schema, dialect);
      if (needsRemote(tool.inputSchema)) {
        apart += group.tests.length;
        continue;
      }
      const { parameters } = fromMCPTool(tool, client);
      for (const { description, data, valid } of group.tests) {
        total += 1;
        const result = parameters.safeParse(data);
        const unchanged =
          !result.success || (result.data === data && isDeepStrictEqual(result.data, structuredClone(data)));
        if (result.success === valid && unchanged) passed += 1;
        else
          failures.push(
            `${name}/${file}: ${group.description}: ${description}: expected ${valid}, got ${result.success}`,
          );
      }
    }
  }
  console.log(`${name}: ${passed}/${total} passed, ${apart} need a remote document`);
  for (const failure of failures) console.log(`  ${failure}`);
  ok &&= failures.length === 0;
}
process.exit(ok ? 0 : 1);
