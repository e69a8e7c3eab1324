/** Clients of a server that misbehaves, and what must hold after every fault. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client as Client2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { LineTransport } from "./lines.js";

const server = fileURLToPath(new URL("./server.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "adapter-mcp-faults-"));

/** Every test ends within this many milliseconds, or has failed. */
export const HARD_LIMIT = 10_000;

/** The clients' own errors, which an application gets as they are. */
export const errors = {
  sdk1: { closed: { code: -32000 }, timeout: { code: -32001 } },
  sdk2: { closed: { code: "CONNECTION_CLOSED" }, timeout: { code: "REQUEST_TIMEOUT" } },
};

/** @type {{ client: any; pid: number }[]} */
let opened = [];
let serial = 0;

/**
 * A connected client of a server with this script (`server.mjs`).
 * @param {"sdk1" | "sdk2"} generation
 * @param {Record<string, object[][]>} [script]
 * @param {{ unbounded?: boolean }} [options] `unbounded`: by a transport that takes any size
 */
export async function faulty(generation, script = {}, { unbounded = false } = {}) {
  const file = join(folder, `${serial++}.log`);
  writeFileSync(file, "");
  const [Client, Stdio] = generation === "sdk1" ? [Client1, Stdio1] : [Client2, Stdio2];
  const Transport = unbounded ? LineTransport : Stdio;
  /** @type {any} */
  const transport = new Transport({
    command: process.execPath,
    args: [server, file, JSON.stringify(script)],
    stderr: "inherit",
  });
  /** @type {any[]} */
  const sent = [];
  const send = transport.send.bind(transport);
  transport.send = (/** @type {any} */ message, /** @type {any} */ options) => {
    sent.push(message);
    return send(message, options);
  };
  /** @type {any} */
  const client = new Client({ name: "adapter-mcp-tests", version: "1.0.0" });
  /** @type {Error[]} */
  const reported = [];
  client.onerror = (/** @type {Error} */ error) => reported.push(error);
  await client.connect(transport);
  opened.push({ client, pid: transport.pid });
  const log = () =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return {
    client,
    /** Messages that the client has sent. */
    sent,
    /** What the client told its `onerror`. */
    reported,
    /** Messages of one method that reached the server. @param {string} method */
    reached: (method) => log().filter((entry) => entry.method === method),
    /** Notes that the server took of its own doings. */
    did: () => log().flatMap((entry) => entry.did ?? []),
  };
}

/**
 * @param {any} client
 * @param {object} [options]
 * @param {import("@rejelly/core").RunOptions} [run]
 * @returns {Promise<any>}
 */
export const equip = (client, options, run) => inAgent(() => equipMCP(client, { clientId: "faults", ...options }), run);

/**
 * Calls the tool `echo` of an equipped agent.
 * @param {any} client
 * @param {object} [options]
 * @param {import("@rejelly/core").RunOptions} [run]
 */
export const call = (client, options, run) =>
  inAgent(async () => {
    const kit = /** @type {any} */ (await equipMCP(client, { clientId: "faults", ...options }));
    return await kit.toolMap.echo.handler({ n: 1 });
  }, run);

/** The names of a kit. @param {any} kit @returns {string[]} */
export const namesOf = (kit) => kit.tools.map((/** @type {any} */ { name }) => name);

/**
 * What `work` is rejected with, well before the test's own limit.
 * @param {Promise<unknown>} work
 * @param {number} [limit] milliseconds
 * @returns {Promise<any>}
 */
export async function failure(work, limit = HARD_LIMIT / 2) {
  const outcome = await settled(work, limit);
  if ("value" in outcome) return expect.unreachable(`expected a rejection, got ${JSON.stringify(outcome.value)}`);
  return outcome.error;
}

/**
 * How `work` ends; that it does is what most faults are about.
 * @param {Promise<unknown>} work
 * @param {number} [limit] milliseconds
 * @returns {Promise<{ value: any } | { error: any }>}
 */
export async function settled(work, limit = HARD_LIMIT / 2) {
  const stop = new AbortController();
  const late = sleep(limit, undefined, { signal: stop.signal }).then(
    () => expect.unreachable(`not settled within ${limit} ms`),
    () => /** @type {never} */ (undefined),
  );
  try {
    return await Promise.race([
      work.then(
        (value) => ({ value }),
        (error) => ({ error }),
      ),
      late,
    ]);
  } finally {
    stop.abort();
  }
}

/** @param {number} pid */
function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Closes every client, and waits for every server to be gone. */
export async function closeAll() {
  const all = opened;
  opened = [];
  await Promise.all(all.map(({ client }) => client.close()));
  for (const deadline = Date.now() + 5_000; Date.now() < deadline && all.some(({ pid }) => lives(pid)); )
    await sleep(5);
  return all.filter(({ pid }) => lives(pid)).map(({ pid }) => pid);
}

/** Around every test of a file: nothing rejects unhandled, no server outlives its client, and a fresh client (of either generation in turn) works. */
export function watchFaults() {
  let tests = 0;
  /** @type {unknown[]} */
  const unhandled = [];
  const take = (/** @type {unknown} */ reason) => unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on("unhandledRejection", take);
  });
  afterEach(async () => {
    const { client, reached } = await faulty(tests++ % 2 === 0 ? "sdk1" : "sdk2");
    expect(await call(client)).toBe('{"n":1}');
    expect(reached("tools/call")).toHaveLength(1);
    expect(await closeAll()).toEqual([]);
    await new Promise(setImmediate);
    process.off("unhandledRejection", take);
    expect(unhandled).toEqual([]);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}
