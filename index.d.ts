import type { MessageContent, ToolDefinition, ToolMiddleware } from "@rejelly/core";

/**
 * Gives an agent the tools, resources and prompts of an MCP server.
 *
 * Call it inside an agent's handler with a client that is already connected. The list of tools is kept in the run's memory: later generations
 * make no request. Tools are validated natively against the server's own schemas; a call is sent exactly once.
 *
 * Every call into the client, and every progress callback, runs in the async context (`AsyncLocalStorage`) of whoever invoked the tool. Handlers that
 * the application has set on its client for the server's own requests (elicitation, sampling, roots) are called by the client, not by this package:
 * they run in the context in which the client was connected. Carry what they need of a run in a variable of your own.
 *
 * @param client a connected client: `@modelcontextprotocol/sdk` 1.x, `@modelcontextprotocol/client` 2.x, or anything with `listTools` and `callTool`
 * @throws {TypeError} for a bad option, before any request; it names the option and what it got
 * @throws {McpProtocolError} when the server's answer breaks the protocol
 * @throws the client's own error object when a request fails
 *
 * @example
 * const kit = await equipMCP(client, { clientId: "files", namespace: "fs" });
 * kit.inject();
 */
export function equipMCP<C extends MCPClientLike>(client: C, options: EquipMCPOptions): Promise<MCPKit<C>>;

/**
 * One tool of a server as a tool of an agent, without listing.
 *
 * @param tool the tool as `tools/list` describes it
 * @param client a connected client
 * @param options `name`: the registered name; the native name by default
 * @throws {McpProtocolError} when the tool is malformed
 */
export function fromMCPTool(
  tool: MCPToolDescriptor,
  client: McpCallClient,
  options?: { name?: string },
): MCPToolDefinition;

/**
 * Lists all tools of a server, outside of an agent and without a memo: ordered by name, deeply frozen, a copy.
 *
 * @throws {McpProtocolError} for a malformed page or tool, a name that comes twice, a cursor that leads nowhere new, or more than `maxItems` tools
 */
export function loadMcpToolCatalog(
  client: McpCatalogClient,
  options?: LoadMcpToolCatalogOptions,
): Promise<readonly McpNativeToolDescriptor[]>;

/**
 * Checks tools that were listed by other means: ordered by name, deeply frozen, a copy.
 *
 * @throws {McpProtocolError} for the first malformed tool, or a name that comes twice
 */
export function normalizeMcpToolCatalog(tools: readonly unknown[]): readonly McpNativeToolDescriptor[];

/**
 * Checks arguments against a tool's input schema exactly, in the schema's own dialect (`$schema`; 2020-12 where there is none). `format` is an
 * annotation. Never throws for what a server or a model sends, and never asks the network for a `$ref`.
 */
export function validateMcpToolArguments(inputSchema: unknown, args: unknown): McpJsonSchemaValidationResult;

/**
 * A `tools/call` answer, checked block by block: a deeply frozen copy. Strings are carried, not copied.
 *
 * @throws {McpProtocolError} `invalid_call_result`, naming the block
 */
export function normalizeMcpCallResult(raw: unknown): McpNormalizedCallResult;

/**
 * Calls a tool, once, and gives its normalised result. A result with `isError` is a result.
 *
 * @throws the client's own error object when the call is rejected
 * @throws {McpProtocolError} `invalid_call_result`
 */
export function callMcpTool(
  client: McpCallClient,
  name: string,
  args?: unknown,
  options?: McpCallOptions,
): Promise<McpNormalizedCallResult>;

/** A promise of MCP that was broken, by the server or by the caller of a catalog function. */
export class McpProtocolError extends Error {
  constructor(message: string, payload: McpProtocolErrorPayload);
  name: "McpProtocolError";
  readonly code: McpProtocolErrorCode;
  /** The tool concerned, as the server names it. */
  readonly toolName?: string;
  cause?: unknown;
}

/** What an `McpProtocolError` says besides its message. */
export interface McpProtocolErrorPayload {
  code: McpProtocolErrorCode;
  toolName?: string;
  cause?: unknown;
}

/**
 * - `invalid_catalog_shape`: a page is neither a list of tools nor an object with one
 * - `invalid_tool_name`: a tool without a non-empty string as its name
 * - `invalid_tool_description`: a description that is present and no string
 * - `invalid_tool_schema`: an input schema that is present and no JSON object
 * - `duplicate_tool_name`: a name that comes twice where each may come once
 * - `invalid_cursor`: a `nextCursor` that is neither a string nor absent
 * - `invalid_catalog_limit`: `maxItems` of `loadMcpToolCatalog` is not a positive safe integer
 * - `catalog_limit_exceeded`: more tools, pages or bytes than allowed
 * - `cursor_cycle`: a cursor that was followed before
 * - `invalid_call_result`: an answer to `tools/call` of unknown shape
 */
export type McpProtocolErrorCode =
  | "invalid_catalog_shape"
  | "invalid_tool_name"
  | "invalid_tool_description"
  | "invalid_tool_schema"
  | "duplicate_tool_name"
  | "invalid_cursor"
  | "invalid_catalog_limit"
  | "catalog_limit_exceeded"
  | "cursor_cycle"
  | "invalid_call_result";

/** Options of {@link equipMCP}. */
export interface EquipMCPOptions {
  /** Stable id of this logical client: it scopes the list of tools that generations share. */
  clientId: string;
  /** Prefix of registered names: `namespace + "_" + native name`. It affects neither `tools` nor the call. */
  namespace?: string;
  /**
   * Native names to load. `[]` loads none and makes no request.
   * @default all
   */
  tools?: readonly string[];
  /**
   * List again from the server and renew what the run remembers.
   * @default false
   */
  forceRefresh?: boolean;
  /**
   * Follow `nextCursor`; `false` reads the first page only.
   * @default true
   */
  autoPaginate?: boolean;
  /**
   * At most this many tools.
   * @default 100
   */
  maxItems?: number;
  /**
   * Also build the two resource tools.
   * @default false
   */
  enableResources?: boolean;
  /**
   * Middleware that `inject` gives to every tool.
   * @default []
   */
  middleware?: ToolMiddleware[];
  /**
   * `"portable"` makes registered names that every model provider accepts (`^[A-Za-z0-9_-]{1,64}$`). A function makes its own.
   * @default "native"
   */
  toolNames?: "native" | "portable" | ((nativeName: string, namespace?: string) => string);
  /**
   * Milliseconds for each call.
   * @default the client's own
   */
  callTimeout?: number;
  /** Progress of a running call; for a tool that runs as a task also `{ task }` whenever its status is known anew. `tool` is the native name. */
  onProgress?: (progress: McpProgress, context: { tool: string }) => void;
  /**
   * How the client's methods take their arguments: `callTool({ name, arguments })` or `callTool(name, args)`.
   * @default "auto"
   */
  callStyle?: McpCallStyle;
  /**
   * `"skip"` leaves a malformed tool out, with one warning that names it; `"throw"` fails.
   * @default "throw"
   */
  onInvalidTool?: "throw" | "skip";
}

export type McpCallStyle = "auto" | "params" | "positional";

/** What `onProgress` gets. */
export interface McpProgress {
  progress?: number;
  total?: number;
  message?: string;
  /** State of the task, for a tool that runs as one. */
  task?: { taskId: string; status: string; statusMessage?: string; [key: string]: unknown };
  [key: string]: unknown;
}

/** What {@link equipMCP} gives. A snapshot: it never changes afterwards, and no other kit shares its arrays, maps and definitions. */
export interface MCPKit<C = MCPClientLike> {
  /** The very object that was passed in. */
  readonly client: C;
  readonly tools: MCPToolDefinition[];
  /** `tools` by registered name; without a prototype, so that any name is safe. */
  readonly toolMap: Record<string, MCPToolDefinition>;
  /**
   * `<namespace>_list_resources({ cursor? })` and `<namespace>_read_resource({ uri, variables? })` (`mcp_…` without a namespace), with
   * `enableResources`. With `variables`, `uri` is a listed `uriTemplate`, filled in as RFC 6570 says.
   */
  readonly resourceTools: ToolDefinition[];
  readonly resourceToolMap: Record<string, ToolDefinition>;
  readonly prompts: MCPPromptsKit;
  /** Registers the tools with this generation, through core's `equipTool`. `middleware` replaces that of the options. */
  inject(choice?: {
    /** @default true */
    injectTools?: boolean;
    /** @default false */
    injectResourceTools?: boolean;
    middleware?: ToolMiddleware[];
  }): void;
}

/** A tool of an agent that is a tool of an MCP server. */
export interface MCPToolDefinition extends ToolDefinition {
  mcp: MCPToolInfo;
}

/** The server's side of a tool, for middleware to decide on. Hints of an untrusted server are hints. */
export interface MCPToolInfo {
  /** `clientId` of the options. */
  readonly server?: string;
  /** The native name. */
  readonly name: string;
  readonly title?: string;
  readonly annotations?: MCPToolAnnotations;
  readonly inputSchema: Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly _meta?: Record<string, unknown>;
}

/** MCP's tool annotations: hints, all of them. */
export interface MCPToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
  readonly [key: string]: unknown;
}

/** The prompts of a server. */
export interface MCPPromptsKit {
  /** All prompts, over all pages. */
  list(): Promise<readonly MCPPromptDescriptor[]>;
  /**
   * Fetches a prompt. Argument values that are no strings are sent as strings, as MCP requires. After {@link MCPPromptsKit.list}, a required
   * argument that is missing is a `TypeError` and nothing is sent.
   */
  get(name: string, args?: Record<string, unknown>): Promise<MCPPrompt>;
}

export interface MCPPromptDescriptor {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
  readonly [key: string]: unknown;
}

export interface MCPPrompt {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly description?: string;
  /** The messages as content of core's: a string where all is text, else parts. */
  asInstruction(): MessageContent;
}

/**
 * A client of any kind. Both SDK generations fit without a cast; a facade needs `listTools` and `callTool`.
 */
export interface MCPClientLike extends McpCatalogClient, McpCallClient {
  // biome-ignore lint/suspicious/noExplicitAny: SDK generations and facades take arguments of their own; the adapter tells them apart at run time.
  readResource?(...args: any[]): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  listResources?(...args: any[]): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  listResourceTemplates?(...args: any[]): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  listPrompts?(...args: any[]): Promise<unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  getPrompt?(...args: any[]): Promise<unknown>;
}

/** What {@link loadMcpToolCatalog} needs of a client. */
export interface McpCatalogClient {
  // biome-ignore lint/suspicious/noExplicitAny: see MCPClientLike
  listTools(...args: any[]): Promise<unknown>;
}

/** What {@link callMcpTool} needs of a client. */
export interface McpCallClient {
  // biome-ignore lint/suspicious/noExplicitAny: see MCPClientLike
  callTool(...args: any[]): Promise<unknown>;
}

/** The facade form of a client: what an application writes that has no SDK client, or hides it. */
export interface MCPClientAdapter {
  listTools(params?: {
    cursor?: string;
  }): Promise<readonly MCPToolDescriptor[] | { tools: readonly MCPToolDescriptor[]; nextCursor?: string | null }>;
  callTool(name: string, args: Record<string, unknown>): Promise<CallToolResult>;
  listResources?(params?: {
    cursor?: string;
  }): Promise<
    readonly MCPResourceDescriptor[] | { resources: readonly MCPResourceDescriptor[]; nextCursor?: string | null }
  >;
  readResource?(uri: string): Promise<unknown>;
  listPrompts?(params?: {
    cursor?: string;
  }): Promise<readonly MCPPromptDescriptor[] | { prompts: readonly MCPPromptDescriptor[]; nextCursor?: string | null }>;
  getPrompt?(name: string, args?: Record<string, string>): Promise<unknown>;
}

/** A tool as `tools/list` describes it. */
export interface MCPToolDescriptor {
  name: string;
  title?: string | null;
  description?: string | null;
  inputSchema?: unknown;
  outputSchema?: unknown;
  annotations?: unknown;
  execution?: unknown;
  _meta?: unknown;
}

/** A resource as `resources/list` describes it. */
export interface MCPResourceDescriptor {
  uri: string;
  name: string;
  title?: string | null;
  description?: string | null;
  mimeType?: string | null;
  /** Bytes. */
  size?: number | null;
}

/** An answer to `tools/call`, as servers send it. */
export interface CallToolResult {
  content?: readonly McpCallToolContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  [key: string]: unknown;
}

/** A block of a call's result. Blocks of other types are kept as they are. */
export interface McpCallToolContentBlock {
  readonly type: string;
  readonly text?: string;
  /** Base64. */
  readonly data?: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  readonly resource?: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** Base64. */
    readonly blob?: string;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** A tool of a catalog. */
export interface McpNativeToolDescriptor {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Record<string, unknown>;
}

/** Options of {@link loadMcpToolCatalog}. */
export interface LoadMcpToolCatalogOptions {
  /** @default true */
  autoPaginate?: boolean;
  /**
   * A larger catalog is an error.
   * @default 1000
   */
  maxItems?: number;
}

/** Options of {@link callMcpTool}. */
export interface McpCallOptions {
  signal?: AbortSignal;
  /** Milliseconds. */
  timeout?: number;
  onProgress?: (progress: McpProgress) => void;
  /** @default "auto" */
  callStyle?: McpCallStyle;
}

/** One thing wrong with a schema or with arguments. */
export interface McpJsonSchemaValidationIssue {
  /** Where in the arguments, as a JSON Pointer. */
  instancePath: string;
  /** Which rule of the schema, as a JSON Pointer. */
  schemaPath: string;
  keyword: string;
  /** What was expected, and what was found. */
  message: string;
}

export type McpJsonSchemaValidationResult =
  | { ok: true }
  | {
      ok: false;
      reason: "invalid_schema" | "invalid_arguments";
      /** At most 20. */
      issues: McpJsonSchemaValidationIssue[];
    };

/** An answer to `tools/call`, checked. Deeply frozen. */
export interface McpNormalizedCallResult {
  readonly content: readonly McpCallToolContentBlock[];
  readonly isError: boolean;
  readonly structuredContent?: unknown;
}

/**
 * What a model is to be shown of an input schema, free of dialects and references: the native side makes it, and a small builder turns it into zod. One node for each
 * level; what no kind of node can say stands in words at the end of that level's description.
 */
export type McpSchemaDescriptor = McpSchemaNode & {
  readonly description?: string;
  /** Any JSON value; an annotation. */
  readonly default?: unknown;
};

/** What a value must be. */
export type McpSchemaNode =
  | { readonly kind: "any" | "never" | "null" | "boolean" }
  | {
      readonly kind: "string";
      readonly minLength?: number;
      readonly maxLength?: number;
      /** As the server wrote it. */
      readonly pattern?: string;
      readonly format?: "date-time" | "date" | "time" | "duration" | "email" | "uuid" | "uri" | "ipv4" | "ipv6";
    }
  | {
      readonly kind: "number";
      readonly integer: boolean;
      readonly minimum?: number;
      readonly exclusiveMinimum?: number;
      readonly maximum?: number;
      readonly exclusiveMaximum?: number;
      readonly multipleOf?: number;
    }
  | {
      readonly kind: "enum";
      /** Any JSON values. */
      readonly values: readonly unknown[];
      readonly integer?: boolean;
    }
  | {
      readonly kind: "array";
      /** The first items. */
      readonly positions?: readonly McpSchemaDescriptor[];
      /** The others. */
      readonly rest: McpSchemaDescriptor;
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  | {
      readonly kind: "object";
      /** In the server's order; tuples, so that any name is safe. */
      readonly properties: readonly (readonly [name: string, type: McpSchemaDescriptor, required: boolean])[];
      readonly rest: McpSchemaDescriptor;
    }
  | {
      readonly kind: "union";
      readonly options: readonly McpSchemaDescriptor[];
    }
  | {
      readonly kind: "all";
      readonly parts: readonly McpSchemaDescriptor[];
    };
