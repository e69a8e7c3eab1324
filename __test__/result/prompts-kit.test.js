/** `kit.prompts` of a generation (R28, case PR01). */
import { describe, expect, it } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { clientWith } from "../support/clients.js";

/** @param {unknown[]} prompts */
async function kitOver(prompts) {
  /** @type {unknown[][]} */
  const asked = [];
  const client = Object.assign(clientWith("a"), {
    async listPrompts() {
      asked.push(["list"]);
      return { prompts };
    },
    async getPrompt(/** @type {string} */ name, /** @type {unknown} */ args) {
      asked.push(["get", name, args]);
      return { messages: [{ role: "user", content: { type: "text", text: "hi" } }] };
    },
  });
  const kit = await inAgent(() => equipMCP(client, { clientId: `prompts ${Math.random()}` }));
  return { prompts: kit.prompts, asked };
}

const quickWins = { name: "quick_wins", arguments: [{ name: "min", required: true }, { name: "on" }] };

describe("kit.prompts.get", () => {
  it("sends strings, and lists nothing on its way", async () => {
    const { prompts, asked } = await kitOver([quickWins]);
    await prompts.get("quick_wins", { min: 5, on: true });
    await prompts.get("quick_wins");
    expect(asked).toEqual([
      ["get", "quick_wins", { min: "5", on: "true" }],
      ["get", "quick_wins", undefined],
    ]);
  });

  it("tells of a missing argument before anything is sent, once the prompts are listed", async () => {
    const { prompts, asked } = await kitOver([quickWins, { name: "free" }, { name: "odd", arguments: [null, 7, {}] }]);
    await prompts.list();
    for (const args of [undefined, {}, { on: true }, { min: null }, { min: undefined }]) {
      await expect(prompts.get("quick_wins", args)).rejects.toThrow(
        'prompts.get: expected a value for each required argument of the prompt "quick_wins", got none for "min"',
      );
    }
    expect(asked).toEqual([["list"]]);
    for (const [name, args] of /** @type {[string, any][]} */ ([
      ["quick_wins", { min: "" }],
      ["free", undefined],
      ["odd", undefined],
      ["not listed", undefined],
      ["__proto__", undefined],
    ])) {
      expect((await prompts.get(name, args)).asInstruction()).toBe("hi");
    }
  });

  it("names a bounded number of arguments", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ name: `argument ${index}`, required: true }));
    const { prompts } = await kitOver([{ name: "many", arguments: many }]);
    await prompts.list();
    await expect(prompts.get("many")).rejects.toThrow(/"argument 9" and 990 more$/);
  });
});
