/**
 * What the answers of tools, resources and prompts become. Decisions and labels are the native side's (`src/result`); strings stay here.
 */
export { modelResult, normalizeMcpCallResult } from "./call.js";
export { promptResult, stringifyPromptArguments } from "./prompt.js";
export { listResourcesResult, readResourceResult } from "./resource.js";
