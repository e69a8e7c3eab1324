/**
 * A model that follows a script, so that the examples need no API key and no network. It is given to an agent like any other.
 */

/**
 * @typedef {{ text: string } | { calls: { name: string; arguments: unknown }[] }} Turn
 * @param {((messages: any[], tools: any[]) => Turn)[]} script what the model answers, turn by turn; it sees what a model would see
 * @returns {import("@rejelly/core").Model}
 */
export function scriptedModel(script) {
  let turn = 0;
  return {
    id: "scripted",
    async *stream(messages, { tools }) {
      const answer = script[Math.min(turn, script.length - 1)]?.(messages, tools) ?? { text: "" };
      turn += 1;
      if ("text" in answer) {
        yield { type: "text", content: answer.text };
        yield { type: "finish", finishReason: "stop" };
        return;
      }
      for (const [index, call] of answer.calls.entries()) {
        const toolCall = {
          index,
          id: `call-${turn}-${index}`,
          name: call.name,
          arguments: JSON.stringify(call.arguments),
        };
        yield { type: "tool_call", toolCall };
      }
      yield { type: "finish", finishReason: "tool_calls" };
    },
  };
}
