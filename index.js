export { callMcpTool, validateMcpToolArguments } from "./js/call.js";
export { loadMcpToolCatalog, normalizeMcpToolCatalog } from "./js/catalog.js";
export { equipMCP } from "./js/equip.js";
export { McpProtocolError } from "./js/errors.js";
export { normalizeMcpCallResult } from "./js/result/index.js";
export { fromMCPTool } from "./js/tool.js";
