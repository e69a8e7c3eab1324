/**
 * Stdio without a bound. The SDKs' own transport ends at 10 MB, and copies all it has so far with every 64 KB that come: 50 MB take it twenty seconds.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** A transport as both SDKs take it. */
export class LineTransport {
  /** @type {((message: any) => void) | undefined} */
  onmessage;
  /** @type {(() => void) | undefined} */
  onclose;
  /** @type {((error: Error) => void) | undefined} */
  onerror;
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #child;
  #server;

  /** @param {{ command: string; args: string[] }} server */
  constructor(server) {
    this.#server = server;
  }

  get pid() {
    return this.#child?.pid;
  }

  async start() {
    const child = spawn(this.#server.command, this.#server.args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    /** @type {Buffer[]} */
    let parts = [];
    child.stdout.on("data", (/** @type {Buffer} */ chunk) => {
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        parts.push(chunk.subarray(from, end));
        const line = Buffer.concat(parts).toString();
        parts = [];
        from = end + 1;
        this.onmessage?.(JSON.parse(line));
      }
      parts.push(chunk.subarray(from));
    });
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.on("close", () => this.onclose?.());
    await once(child, "spawn");
  }

  /** @param {object} message */
  async send(message) {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  async close() {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    await once(child, "close");
  }
}
