export { createAgent, reborn } from "./agent.js";
export { callTool } from "./call.js";
export { isToolContent, toolContent } from "./content.js";
export { getContextSignal } from "./context.js";
export {
  AfterPromptAgentError,
  ContextNotFoundError,
  DuplicateToolNameError,
  InvalidToolOutputError,
  ResourceNotFoundError,
} from "./errors.js";
export { promptAgent } from "./loop.js";
export { equipMemo } from "./memo.js";
export { equipMemory, snapshotMemory } from "./memory.js";
export { equipInstruction, equipSystem } from "./prompt.js";
export { equipResource, expectResource } from "./resource.js";
export { equipScope, expectScope } from "./scope.js";
export { equipTool } from "./tools.js";
