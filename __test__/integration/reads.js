/** What a model is shown of a server, and what it reads of its answers: the whole way, through an agent's loop. */
import { createHash } from "node:crypto";
import { createAgent, promptAgent } from "@rejelly/core";
import { z } from "zod";
import { equipMCP } from "../../index.js";

/**
 * Runs an agent whose model makes the calls one after another.
 * @param {any} client
 * @param {object} options of equipMCP, besides the clientId
 * @param {[name: string, args: object][]} calls by registered name
 * @param {import("@rejelly/core").RunOptions} [run]
 */
export async function modelReads(client, options, calls, run) {
  /** @type {any[]} */
  let shown = [];
  /** @type {any[]} */
  let messages = [];
  const model = {
    id: "in-turn",
    async *stream(/** @type {any[]} */ sent, /** @type {any} */ { tools }) {
      shown = tools;
      messages = sent;
      const turn = sent.filter(({ role }) => role === "tool").length;
      const call = calls[turn];
      if (call === undefined) {
        yield { type: "text", content: "done" };
      } else {
        const toolCall = { index: 0, id: `call-${turn}`, name: call[0], arguments: JSON.stringify(call[1]) };
        yield { type: "tool_call", toolCall };
      }
      yield { type: "finish", finishReason: "stop" };
    },
  };
  const agent = createAgent({
    id: "reads",
    model: /** @type {any} */ (model),
    handler: async () => {
      const kit = await equipMCP(client, { clientId: "server", enableResources: true, ...options });
      kit.inject({ injectTools: true, injectResourceTools: true });
      return await promptAgent(z.string());
    },
  });
  await agent(undefined, run);
  const answers = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  return { shown, answers };
}

/**
 * A picture by its size and digest: a snapshot is for people to read.
 * @param {unknown} value
 * @returns {any}
 */
export function withoutPictures(value) {
  if (typeof value === "string") {
    return value.replace(/^data:([^;,]+);base64,(.*)$/s, (_, mime, data) => {
      const digest = createHash("sha256").update(data).digest("hex").slice(0, 16);
      return `data:${mime};base64,(${data.length} characters, sha256 ${digest}…)`;
    });
  }
  if (Array.isArray(value)) return value.map(withoutPictures);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutPictures(member)]));
}

/**
 * A snapshot's text: calls with what the model reads of each.
 * @param {[name: string, args: object][]} calls
 * @param {any[]} answers
 * @param {(text: string) => string} [settled] puts a fixed word for what differs from run to run
 */
export function transcript(calls, answers, settled = (text) => text) {
  const sections = calls.map(([name, args], at) => {
    const answer = withoutPictures(answers[at]);
    return `## ${name} ${JSON.stringify(args)}\n\n${typeof answer === "string" ? answer : JSON.stringify(answer, null, 2)}\n`;
  });
  // A rejection is the client's own error, and each generation words its own.
  return settled(
    sections
      .join("\n")
      .replace(/failed: (McpError: MCP error -\d+|ProtocolError): /g, "failed: <error of the client>: "),
  );
}

/**
 * A snapshot's text: tools as the model is shown them.
 * @param {any[]} shown
 */
export function listing(shown) {
  return `${JSON.stringify(shown, null, 2)}\n`;
}
