export { callMcpTool, validateMcpToolArguments } from "./call.js";
export { loadMcpToolCatalog, normalizeMcpToolCatalog } from "./catalog.js";
export { equipMCP } from "./equip.js";
export { McpProtocolError } from "./errors.js";
export { normalizeMcpCallResult } from "./result/index.js";
export { fromMCPTool } from "./tool.js";
