/** Every export is used once as the contract has it, so that a change of its type is seen here. */
import {
  type CallToolResult,
  type EquipMCPOptions,
  type LoadMcpToolCatalogOptions,
  type MCPResourceDescriptor,
  type MCPToolAnnotations,
  type MCPToolDescriptor,
  type MCPToolInfo,
  type McpCallOptions,
  type McpCallStyle,
  type McpCallToolContentBlock,
  type McpJsonSchemaValidationIssue,
  type McpJsonSchemaValidationResult,
  McpProtocolError,
  type McpProtocolErrorCode,
  type McpProtocolErrorPayload,
  type McpSchemaDescriptor,
  normalizeMcpCallResult,
  normalizeMcpToolCatalog,
  validateMcpToolArguments,
} from "@rejelly/adapter-mcp";
import type { ToolMiddleware } from "@rejelly/core";
import { type Equal, type Expect, holds } from "./equal.js";

const ask: ToolMiddleware = { name: "ask", handler: async (_ctx, next) => await next() };

export const options: Required<EquipMCPOptions> = {
  clientId: "files",
  namespace: "fs",
  tools: Object.freeze(["read"]),
  forceRefresh: false,
  autoPaginate: true,
  maxItems: 100,
  enableResources: true,
  middleware: [ask],
  toolNames: (nativeName, namespace) => (namespace === undefined ? nativeName : `${namespace}.${nativeName}`),
  callTimeout: 1_000,
  onProgress: ({ progress, total, message, task }, { tool }) => {
    const words: string = `${tool} ${(progress ?? 0) / (total ?? 1)} ${message ?? ""} ${task?.status ?? ""}`;
    void words;
  },
  callStyle: "auto",
  onInvalidTool: "skip",
};
export const portable: EquipMCPOptions = { clientId: "files", toolNames: "portable" };
export const styles: McpCallStyle[] = ["auto", "params", "positional"];
export const loading: LoadMcpToolCatalogOptions = { autoPaginate: false, maxItems: 1 };
export const calling: McpCallOptions = { onProgress: ({ progress }) => void progress, callStyle: "params" };

export function verdict(schema: unknown, args: unknown): string {
  const result: McpJsonSchemaValidationResult = validateMcpToolArguments(schema, args);
  if (result.ok) return "valid";
  const reasons: "invalid_schema" | "invalid_arguments" = result.reason;
  const lines = result.issues.map((issue: McpJsonSchemaValidationIssue) => `${issue.instancePath} ${issue.message}`);
  return `${reasons}: ${lines.join("; ")}`;
}

/** Every code can be told apart: a code that is added without a case here does not compile. */
export function advice(error: unknown): string {
  if (!(error instanceof McpProtocolError)) throw error;
  const { code, toolName, cause } = error;
  holds<Expect<Equal<typeof toolName, string | undefined>>>();
  holds<Expect<Equal<typeof cause, unknown>>>();
  switch (code) {
    case "invalid_catalog_shape":
    case "invalid_tool_name":
    case "invalid_tool_description":
    case "invalid_tool_schema":
    case "duplicate_tool_name":
    case "invalid_cursor":
      return `the server is wrong about ${toolName ?? "its list"}`;
    case "invalid_catalog_limit":
    case "catalog_limit_exceeded":
    case "cursor_cycle":
      return "the list has no end";
    case "invalid_call_result":
      return "the answer is wrong";
    default: {
      const never: never = code;
      return never;
    }
  }
}

const payload: McpProtocolErrorPayload = { code: "cursor_cycle", toolName: "add", cause: new Error("why") };
export const error: Error = new McpProtocolError("a page came twice", payload);
export const code: McpProtocolErrorCode = new McpProtocolError("…", { code: "invalid_cursor" }).code;

const tool: MCPToolDescriptor = { name: "add", title: null, description: null, inputSchema: { type: "object" } };
export const names: string[] = normalizeMcpToolCatalog([tool]).map(({ name, description }) => description ?? name);

const answer: CallToolResult = { content: [{ type: "image", data: "AA==", mimeType: "image/png" }], isError: false };
export const kinds: string[] = normalizeMcpCallResult(answer).content.map((block: McpCallToolContentBlock) =>
  block.type === "resource" ? (block.resource?.text ?? "") : block.type,
);
export const resource: MCPResourceDescriptor = { uri: "file:///a", name: "a", size: 3, mimeType: null };

export function isSafe({ annotations, name, server }: MCPToolInfo): boolean {
  const hints: MCPToolAnnotations | undefined = annotations;
  return hints?.readOnlyHint === true && name !== "" && server !== "unknown";
}

/** A reader of descriptors can tell all kinds apart. */
export function depth(node: McpSchemaDescriptor): number {
  switch (node.kind) {
    case "any":
    case "never":
    case "null":
    case "boolean":
    case "string":
    case "number":
    case "enum":
      return 1;
    case "array":
      return 1 + Math.max(...(node.positions ?? []).map(depth), depth(node.rest));
    case "object":
      return 1 + Math.max(...node.properties.map(([, type]) => depth(type)), depth(node.rest));
    case "union":
      return 1 + Math.max(...node.options.map(depth));
    case "all":
      return 1 + Math.max(...node.parts.map(depth));
    default: {
      const never: never = node;
      return never;
    }
  }
}
