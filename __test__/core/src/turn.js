/**
 * @typedef {import("../index.js").ModelEvent} ModelEvent
 * @typedef {{ id: string, name: string, arguments: string }} Call
 */

/**
 * Reads one answer of the model to its end.
 * @param {AsyncIterable<ModelEvent>} events
 * @param {number} turn
 * @param {AbortSignal} signal
 * @returns {Promise<{ text: string, calls: Call[] }>}
 */
export async function readTurn(events, turn, signal) {
  let text = "";
  /** @type {Map<number, Call>} */
  const calls = new Map();
  for await (const event of events) {
    // Leaving the loop by a throw also closes the model's generator.
    signal.throwIfAborted();
    switch (event.type) {
      case "text":
        text += event.content;
        break;
      case "tool_call":
        addPiece(calls, event.toolCall);
        break;
      case "finish":
        break;
      default:
        throw new TypeError(`The model sent an unknown event: ${JSON.stringify(event)}`);
    }
  }
  const ordered = [...calls.entries()].sort(([a], [b]) => a - b);
  return { text, calls: ordered.map(([index, call]) => ({ ...call, id: call.id || `call_${turn}_${index}` })) };
}

/**
 * Providers send id and name with the first piece only, and the arguments in as many pieces as they like.
 * @param {Map<number, Call>} calls
 * @param {Extract<ModelEvent, { type: "tool_call" }>["toolCall"]} piece
 */
function addPiece(calls, piece) {
  const call = calls.get(piece.index) ?? { id: "", name: "", arguments: "" };
  call.id ||= piece.id ?? "";
  call.name ||= piece.name ?? "";
  call.arguments += piece.arguments ?? "";
  calls.set(piece.index, call);
}
