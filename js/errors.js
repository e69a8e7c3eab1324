/**
 * A promise of MCP that was broken: by the server, or by the caller of a catalog function. `code` is one of the table in `src/error.rs`.
 */
export class McpProtocolError extends Error {
  name = "McpProtocolError";

  /**
   * @param {string} message
   * @param {{ code: import("../index.js").McpProtocolErrorCode; toolName?: string; cause?: unknown }} payload
   */
  constructor(message, { code, toolName, cause }) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    if (toolName !== undefined) this.toolName = toolName;
  }
}

/**
 * The error object of a failure that the native side reports as data.
 * @param {{ code: string; message: string; toolName?: string; cause?: number }} failure
 * @param {readonly unknown[]} [causes] the values that the face held back, by number
 */
export function protocolError({ code, message, toolName, cause }, causes = []) {
  return new McpProtocolError(message, {
    code: /** @type {import("../index.js").McpProtocolErrorCode} */ (code),
    toolName,
    cause: cause === undefined ? undefined : causes[cause],
  });
}
