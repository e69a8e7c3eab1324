/** An agent with the application's own zod. */
import { equipMCP, type MCPClientLike, type MCPToolDefinition } from "@rejelly/adapter-mcp";
import {
  createAgent,
  equipInstruction,
  equipTool,
  type MessageContent,
  type Model,
  promptAgent,
  type ToolMiddleware,
} from "@rejelly/core";
import { z } from "zod";
import { type Equal, type Expect, holds } from "./equal.js";

const ask: ToolMiddleware = {
  name: "ask-before-destructive",
  handler: async ({ tool }, next) => {
    const { mcp } = tool as MCPToolDefinition;
    return mcp.annotations?.destructiveHint === false ? await next() : "The user said no.";
  },
};

export function reader(client: MCPClientLike, model: Model) {
  const agent = createAgent({
    id: "reader",
    model,
    handler: async (props: { path: string }) => {
      const kit = await equipMCP(client, { clientId: "files", enableResources: true, middleware: [ask] });
      kit.inject();
      kit.inject({ injectTools: false, injectResourceTools: true, middleware: [] });
      // A kit's tools are tools of core, one by one and all together.
      for (const tool of [...kit.tools, ...kit.resourceTools]) equipTool(tool, { middleware: [ask] });
      const one = kit.toolMap.read;
      if (one) equipTool(one);
      const content: MessageContent = (await kit.prompts.get("summarise")).asInstruction();
      equipInstruction(content);
      equipInstruction(props.path);
      return await promptAgent(z.object({ lines: z.number() }));
    },
  });
  holds<Expect<Equal<Awaited<ReturnType<typeof agent>>, { lines: number }>>>();
  return agent;
}

/** `parameters` is a schema that can be used by hand. */
export function check(tool: MCPToolDefinition, args: unknown): string {
  const parsed = tool.parameters.safeParse(args);
  return parsed.success ? "fine" : parsed.error.message;
}
