/**
 * A small, strict stand-in for `@rejelly/core` 0.1, for the tests, examples and benchmarks of this project.
 */
import type { z } from "zod";

// ---------------------------------------------------------------- Agents

/** What {@link reborn} gives. Only a handler's return value of this kind means anything. */
export interface Reborn {
  readonly $rejellyReborn: true;
}

/** `return reborn()` from a handler runs it again: what was equipped is cleared, memory and resources stay. */
export function reborn(): Reborn;

export interface AgentOptions<P, R> {
  id: string;
  /** Without one, an agent uses the model of the agent that called it. */
  model?: Model;
  handler: (props: P) => R | Reborn | Promise<R | Reborn>;
  /** How often the handler may be reborn in one run. Default 100; one more throws. */
  maxReborns?: number;
}

export interface RunOptions {
  /** Aborts the run. `getContextSignal()` inside follows it (and the signal of the calling agent, if any). */
  signal?: AbortSignal;
  /** Text from an earlier `onSnapshot` or `snapshotMemory()`: every memory slot starts with what it held. */
  snapshot?: string;
  /**
   * Gets the memory as JSON text, `{ "version": 1, "memory": { "<key>": <value> } }`, each time the handler ends: once for
   * every generation, also when it throws. The last text is that of the whole run.
   */
  onSnapshot?: (snapshot: string) => void;
}

/**
 * Each call is one run, with a memory of its own. Resources of the run are destroyed (awaited) before the promise settles.
 * Inside another agent's handler the run is a child of that agent: it inherits abort, model, scope and exposed resources.
 */
export type Agent<P, R> = (
  ...args: undefined extends P ? [props?: P, options?: RunOptions] : [props: P, options?: RunOptions]
) => Promise<R>;

export function createAgent<P, R>(options: AgentOptions<P, R>): Agent<P, Exclude<R, Reborn>>;

/** The abort signal of the running agent; `undefined` outside of one. */
export function getContextSignal(): AbortSignal | undefined;

// ---------------------------------------------------------------- Memory

/** @throws {TypeError} for what is not strict JSON; the slot then keeps what it had */
export type MemorySetter<T> = (next: T | ((previous: T) => T)) => void;

/**
 * A slot that outlives generations. Strict JSON only: `undefined`, functions, symbols, bigint, NaN and Infinity, holes, cycles
 * and class instances throw a `TypeError` that names the path. Every read and every write makes a deep copy.
 * The value in the tuple is the one at the time of the call.
 */
export function equipMemory<T>(key: string, initial: T): [value: T, set: MemorySetter<T>];

/**
 * The stored value while `deps` (strict JSON, compared deeply) are the same, else that of `factory`, which is then stored in
 * the memory slot `__rejelly_internal_memo__::<key>` as `{ deps, value }`. A factory that throws stores nothing.
 * Two calls at once both run their factory.
 */
export function equipMemo<T>(key: string, factory: () => T | Promise<T>, deps: unknown): Promise<T>;

/** The running agent's memory, as JSON text for {@link RunOptions.snapshot}. */
export function snapshotMemory(): string;

// ---------------------------------------------------------------- Tools

export interface ToolDefinition<P extends z.ZodTypeAny = z.ZodTypeAny> {
  name: string;
  description: string;
  parameters: P;
  handler: (args: z.infer<P>) => Promise<unknown>;
  middlewares?: ToolMiddleware[];
}

export interface ToolMiddleware {
  name: string;
  config?: Record<string, unknown>;
  /** Runs around the tool. `next()` may be called once at most; without it the tool does not run. */
  handler: (ctx: ToolContext, next: () => Promise<unknown>) => Promise<unknown>;
}

/** One call of one tool; the same object for every middleware of the chain. */
export interface ToolContext {
  /** The tool as equipped: with middleware that is a copy of the one given to `equipTool`. */
  readonly tool: ToolDefinition;
  readonly toolName: string;
  /** The arguments after `parameters.safeParse`. */
  readonly args: unknown;
  /** The model's id of the call; absent in `callTool`. */
  readonly callId?: string;
  /** Absent outside of an agent. */
  readonly signal?: AbortSignal;
}

/**
 * Adds a tool to this generation. With middleware the tool is spread into a new object, so only its own enumerable
 * properties survive; middleware given here runs before the tool's own.
 * @throws {DuplicateToolNameError}
 * @throws {AfterPromptAgentError}
 */
export function equipTool<P extends z.ZodTypeAny>(
  tool: ToolDefinition<P>,
  options?: { middleware?: ToolMiddleware[] },
): void;

/**
 * Runs one tool by hand, inside or outside of an agent. Invalid arguments throw an `Error` with the text that the model would
 * read; an error of the tool is thrown as it is.
 * @throws {InvalidToolOutputError}
 */
export function callTool<P extends z.ZodTypeAny>(
  tool: ToolDefinition<P>,
  args: unknown,
  options?: { middleware?: ToolMiddleware[] },
): Promise<unknown>;

// ---------------------------------------------------------------- Content

export type ContentPart =
  | { type: "text"; text: string }
  | { type: "image"; image: { url: string; detail?: "auto" | "low" | "high" } }
  | { type: "video"; video: { url: string } };

export type MessageContent = string | ContentPart[];

/** Tells core to hand the parts to the model as content, not as JSON text. */
export interface ToolContent {
  $rejellyContent: ContentPart[];
}

export function toolContent(parts: ContentPart[]): ToolContent;
export function isToolContent(value: unknown): value is ToolContent;

// ---------------------------------------------------------------- Resources and scope

export interface ResourceOptions<T> {
  create: () => T | Promise<T>;
  destroy?: (resource: T) => unknown;
  /** Compared one by one with `Object.is`. A change destroys the resource, then creates it anew. */
  deps: readonly unknown[];
  /** `true` lets child agents get it by `expectResource`. */
  expose?: boolean;
}

/** The resource, created once in a run while `deps` stay the same, and destroyed when they change or the run ends. */
export function equipResource<T>(key: string, options: ResourceOptions<T>): Promise<T>;

/**
 * What the nearest parent agent exposes under `key`.
 * @throws {ResourceNotFoundError}
 */
export function expectResource<T>(key: string): T;

/** Data (strict JSON) for child agents. Later keys replace earlier ones. */
export function equipScope(data: Record<string, unknown>): void;

/** What the parent agents equipped, all keys together (the nearest parent decides), parsed by the schema. */
export function expectScope<T>(schema: SchemaLike<T>): T;

// ---------------------------------------------------------------- The model

/** Several texts become one system message, parted by blank lines. */
export function equipSystem(text: string): void;

/** Each call is one user message. */
export function equipInstruction(content: MessageContent): void;

/** A schema of zod 3 or of zod 4. */
export interface SchemaLike<T> {
  parse(data: unknown): T;
  safeParse(data: unknown): { success: boolean; data?: unknown; error?: unknown };
}

/**
 * Sends system, instructions and tools to the model, runs the tools it calls, and parses the text of the first turn without tool
 * calls: as it is for a string schema, as JSON for any other. At most 64 turns.
 * Rejects with the signal's reason as soon as the run is aborted.
 */
export function promptAgent<T>(resultSchema: SchemaLike<T>): Promise<T>;

export interface Model {
  id: string;
  stream(messages: Message[], options: ModelOptions): AsyncIterable<ModelEvent>;
}

export interface ModelOptions {
  tools: ModelTool[];
  /** The schema that `promptAgent` was given. */
  schema: SchemaLike<unknown>;
  signal: AbortSignal;
}

/** `parameters` is JSON Schema, derived anew on every turn. */
export interface ModelTool {
  name: string;
  description: string;
  parameters: object;
}

export type ModelEvent =
  | { type: "text"; content: string }
  /** Pieces of one index are one call: their `arguments` (JSON text) are joined; later pieces may leave out id and name. */
  | { type: "tool_call"; toolCall: { index: number; id?: string; name?: string; arguments?: string } }
  | { type: "finish"; finishReason: string };

export type Message =
  | { role: "system"; content: string }
  | { role: "user"; content: MessageContent }
  | { role: "assistant"; content: string; toolCalls: { id: string; name: string; arguments: string }[] }
  | { role: "tool"; toolCallId: string; name: string; content: MessageContent };

// ---------------------------------------------------------------- Errors

/** A hook was called outside of an agent. */
export class ContextNotFoundError extends Error {
  constructor(hook: string);
}

export class DuplicateToolNameError extends Error {
  constructor(toolName: string);
  toolName: string;
}

export class AfterPromptAgentError extends Error {
  constructor(hook: string);
}

/** A tool gave what is neither strict JSON nor `toolContent(...)`. */
export class InvalidToolOutputError extends Error {
  constructor(toolName: string, path: string, found: string);
  toolName: string;
  /** Where, as in `result.rows[0]`. */
  path: string;
}

export class ResourceNotFoundError extends Error {
  constructor(key: string);
  key: string;
}
