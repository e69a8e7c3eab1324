import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod/v3";
import { getContextSignal } from "../index.js";
import { call, prompt, scripted, tool } from "./helpers.js";

describe("an abort", () => {
  it("rejects promptAgent with the signal's reason, whatever the model does", async () => {
    const reason = new Error("enough");
    for (const onAbort of ["hang", "throw"]) {
      const controller = new AbortController();
      const model = scripted(
        (/** @type {any} */ _messages, /** @type {any} */ { signal }) =>
          new Promise((_resolve, reject) => {
            if (onAbort === "throw") signal.addEventListener("abort", () => reject(new Error("of the model")));
          }),
      );
      const run = prompt(model, [], z.string(), { signal: controller.signal });
      await sleep(1);
      controller.abort(reason);
      await expect(run).rejects.toBe(reason);
    }
  });

  it("before the prompt sends nothing", async () => {
    const model = scripted("done");
    await expect(prompt(model, [], z.string(), { signal: AbortSignal.abort("early") })).rejects.toBe("early");
    expect(model.turns).toHaveLength(0);
  });

  it("during a tool call reaches the tool, and there is no next turn", async () => {
    const controller = new AbortController();
    const model = scripted([call("t", {})], "done");
    /** @type {unknown} */
    let seen;
    const slow = tool("t", async () => {
      setTimeout(() => controller.abort("stop"), 1);
      await new Promise((resolve) => getContextSignal()?.addEventListener("abort", resolve));
      seen = getContextSignal()?.reason;
      return "late";
    });
    await expect(prompt(model, [slow], z.string(), { signal: controller.signal })).rejects.toBe("stop");
    await sleep(5);
    expect(seen).toBe("stop");
    expect(model.turns).toHaveLength(1);
  });

  it("closes the model's generator", async () => {
    const controller = new AbortController();
    let closed = false;
    const model = {
      id: "endless",
      async *stream() {
        try {
          while (true) {
            await sleep(1);
            yield { type: "text", content: "." };
          }
        } finally {
          closed = true;
        }
      },
    };
    const run = prompt(model, [], z.string(), { signal: controller.signal });
    setTimeout(() => controller.abort("stop"), 5);
    await expect(run).rejects.toBe("stop");
    await vi.waitFor(() => expect(closed).toBe(true));
  });
});
