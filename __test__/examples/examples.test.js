/** The examples run as a reader would run them, and do what they say. */
import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const example = (/** @type {string} */ name) => fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));

/** @param {string} name @param {...string} args */
const run = async (name, ...args) =>
  (await promisify(execFile)(process.execPath, [example(name), ...args], { timeout: 25_000 })).stdout;

describe("examples/confirm-destructive.mjs", () => {
  it("asks for the tool that moves, not for the one that reads, and runs it on a yes", async () => {
    const output = await run("confirm-destructive.mjs", "--yes");
    expect(output).toContain("read without a question: first draft");
    expect(output.match(/wants to run/g)).toHaveLength(1);
    expect(output).toContain("files wants to run Move File");
    expect(output).toContain("the model's answer: Successfully moved");
    expect(output).toContain("the folder: final.txt\n");
  });

  it("on a no the tool does not run, and the model reads so", async () => {
    const output = await run("confirm-destructive.mjs", "--no");
    expect(output).toContain("the model's answer: The user did not allow this call.");
    expect(output).toContain("the folder: draft.txt\n");
  });

  it("asks on the terminal otherwise", async () => {
    const child = spawn(process.execPath, [example("confirm-destructive.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      if (text.includes("[y/N]")) child.stdin.end("yes\n");
    });
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
    expect(output).toContain("the folder: final.txt\n");
  });
});

describe("examples/shared-client.mjs", () => {
  it("parent and child share one connection, which is closed once, at the end of the run", async () => {
    const lines = (await run("shared-client.mjs")).trim().split("\n");
    expect(lines).toEqual([
      "connected",
      expect.stringMatching(/^parent: \d+ tools$/),
      "child: get-sum",
      "closed",
      "answer: Echo: The sum of 2 and 3 is 5.",
    ]);
  });
});
