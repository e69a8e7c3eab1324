// For tsc only: holds the code against index.d.ts, and index.d.ts against how applications use it.
import { z } from "zod";
import { z as z3 } from "zod/v3";
import { z as z4 } from "zod/v4";
import type * as declared from "../index.js";
import { callTool, createAgent, equipMemory, equipTool, expectResource, promptAgent, reborn } from "../index.js";
import * as code from "../src/api.js";

export const implementation: typeof declared = code;

const tool: declared.ToolDefinition<z.ZodObject<{ a: z.ZodNumber }>> = {
  name: "double",
  description: "",
  parameters: z.object({ a: z.number() }),
  handler: async ({ a }) => a.toFixed(),
};

const model: declared.Model = {
  id: "m",
  async *stream(messages, { tools, signal }) {
    signal.throwIfAborted();
    yield { type: "text", content: `${messages.length} ${tools[0]?.name}` };
    yield { type: "finish", finishReason: "stop" };
  },
};

const agent = createAgent({
  id: "a",
  model,
  handler: async (props: { n: number }) => {
    const [count, setCount] = equipMemory("count", 0);
    setCount((previous) => previous + props.n);
    setCount(count.valueOf());
    equipTool(tool, { middleware: [{ name: "m", handler: async (_ctx, next) => next() }] });
    if (count < 1) return reborn();
    const three: { x: string } = await promptAgent(z3.object({ x: z3.string() }));
    const four: { x: string } = await promptAgent(z4.object({ x: z4.string() }));
    return three.x + four.x + (await promptAgent(z.string())) + expectResource<string>("r");
  },
});

export const answer: Promise<string> = agent({ n: 1 }, { signal: new AbortController().signal });
export const bare: Promise<number> = createAgent({ id: "b", handler: () => 1 })();
export const called: Promise<unknown> = callTool(tool, { a: 1 });
// @ts-expect-error props are required
agent();
