/**
 * The two tools through which a model reads a server's resources (R27). Nothing is listed before the model asks.
 */
import { getContextSignal, toolContent } from "@rejelly/core";
import { native } from "./binding.js";
import { listPage, readClientResource } from "./client.js";
import { ErrorCode } from "./codes.js";
import { jsonText } from "./json.js";
import { createParameters } from "./parameters/index.js";
import { listResourcesResult, readResourceResult } from "./result/index.js";

const LIST_SCHEMA = {
  type: "object",
  properties: {
    cursor: {
      type: "string",
      description: "The nextCursor of the answer before, to get the next page; leave out for the first page",
    },
  },
  additionalProperties: false,
};

const READ_SCHEMA = {
  type: "object",
  properties: {
    uri: { type: "string", description: "The uri of the resource, or a listed uriTemplate together with variables" },
    variables: {
      type: "object",
      description: "Only with a uriTemplate: the values of its variables by name, as they are; they are encoded here",
    },
  },
  required: ["uri"],
  additionalProperties: false,
};

/** @type {{ list: any; read: any } | undefined} */
let parameters;

function sharedParameters() {
  parameters ??= { list: parametersOf(LIST_SCHEMA), read: parametersOf(READ_SCHEMA) };
  return parameters;
}

/** @param {object} schema */
function parametersOf(schema) {
  const compiled = new native.InputSchema(JSON.stringify(schema));
  return createParameters({ schema: () => compiled });
}

/**
 * @param {import("./client.js").ClientKind} kind
 * @param {string | undefined} namespace
 * @param {import("./tool.js").Binding} binding
 */
export function resourceTools(kind, namespace = "mcp", { timeout }) {
  const { list, read } = sharedParameters();
  return [
    {
      name: `${namespace}_list_resources`,
      description:
        "Lists the resources of the MCP server: files, records and other data that can be read by their uri.",
      parameters: list,
      handler: (/** @type {{ cursor?: string }} */ { cursor } = {}) => listResources(kind, cursor),
    },
    {
      name: `${namespace}_read_resource`,
      description: "Reads a resource of the MCP server by its uri.",
      parameters: read,
      handler: async (/** @type {{ uri: string; variables?: Record<string, unknown> }} */ { uri, variables }) => {
        const options = { signal: getContextSignal(), timeout };
        return readResourceResult(await readClientResource(kind, filledIn(uri, variables), options), { toolContent });
      },
    },
  ];
}

/**
 * A template with its values (RFC 6570). A uri is sent as it is: braces alone make no template.
 * @param {string} uri
 * @param {Record<string, unknown> | undefined} variables
 */
function filledIn(uri, variables) {
  if (variables === undefined || !uri.includes("{")) return uri;
  try {
    return native.expandUriTemplate(uri, jsonText(variables));
  } catch (error) {
    throw new Error(`The uriTemplate cannot be filled in: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * @param {import("./client.js").ClientKind} kind
 * @param {string | undefined} cursor
 */
async function listResources(kind, cursor) {
  const signal = getContextSignal();
  const [resources, templates] = await Promise.all([
    orAbsent(listPage(kind, "resources", cursor, { signal })),
    cursor === undefined && typeof kind.client.listResourceTemplates === "function"
      ? orAbsent(listPage(kind, "resources/templates", undefined, { signal }))
      : undefined,
  ]);
  return listResourcesResult(resources ?? { resources: [] }, templates);
}

/**
 * A server that does not have the capability says so with an error of its own; to a model that is an empty list.
 * @param {Promise<unknown>} page
 */
async function orAbsent(page) {
  try {
    return await page;
  } catch (error) {
    if (Reflect.get(Object(error), "code") === ErrorCode.methodNotFound) return undefined;
    throw error;
  }
}
