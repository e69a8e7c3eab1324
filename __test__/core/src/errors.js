export class ContextNotFoundError extends Error {
  /** @param {string} hook */
  constructor(hook) {
    super(`${hook}() was called outside of an agent`);
    this.name = "ContextNotFoundError";
  }
}

export class DuplicateToolNameError extends Error {
  /** @param {string} toolName */
  constructor(toolName) {
    super(`A tool named "${toolName}" is already equipped`);
    this.name = "DuplicateToolNameError";
    this.toolName = toolName;
  }
}

export class AfterPromptAgentError extends Error {
  /** @param {string} hook */
  constructor(hook) {
    super(`${hook}() was called after promptAgent(): the model was already told what it has`);
    this.name = "AfterPromptAgentError";
  }
}

export class InvalidToolOutputError extends Error {
  /**
   * @param {string} toolName
   * @param {string} path where in the result, as in `result.rows[0]`
   * @param {string} found
   */
  constructor(toolName, path, found) {
    super(`Tool "${toolName}" gave an invalid result at ${path}: ${found}`);
    this.name = "InvalidToolOutputError";
    this.toolName = toolName;
    this.path = path;
  }
}

export class ResourceNotFoundError extends Error {
  /** @param {string} key */
  constructor(key) {
    super(`No parent agent exposes a resource "${key}"`);
    this.name = "ResourceNotFoundError";
    this.key = key;
  }
}
