/** The official filesystem server over stdio, with both client generations: every tool, and what the model reads of it. */
import { mkdtemp, readFile, realpath, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { equipMCP } from "../../index.js";
import { inAgent } from "../support/agent.js";
import { connect, generations, servers } from "../support/clients.js";
import { listing, modelReads, transcript } from "./reads.js";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

describe.each(generations)("the filesystem server and the client of %s", (generation) => {
  /** @type {string} */
  let folder;
  /** @type {any} */
  let client;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "adapter-mcp-")));
    await writeFile(join(folder, "hello.txt"), "Hello.\nSecond line.\nThird line.\n");
    await writeFile(join(folder, "pixel.png"), Buffer.from(PIXEL, "base64"));
    await writeFile(join(folder, "beep.wav"), Buffer.from("RIFF"));
    for (const file of ["hello.txt", "pixel.png", "beep.wav"]) await utimes(join(folder, file), 1e9, 1e9);
    client = await connect(generation, [...servers.filesystem, folder]);
  });
  afterEach(async () => {
    await client.close();
    await rm(folder, { recursive: true });
  });

  /** @param {string} text */
  const settled = (text) =>
    text
      .replaceAll(JSON.stringify(folder).slice(1, -1), "<folder>")
      .replaceAll(folder, "<folder>")
      .replace(/(created|modified|accessed): [^\n\\]+/g, "$1: <time>")
      .replace(/permissions: \d+/g, "permissions: <mode>");

  it("every tool, called once with valid arguments", async () => {
    const at = (/** @type {string} */ name) => join(folder, name);
    /** @type {[string, object][]} */
    const calls = [
      ["fs_list_allowed_directories", {}],
      ["fs_read_file", { path: at("hello.txt") }],
      ["fs_read_text_file", { path: at("hello.txt"), head: 1 }],
      ["fs_read_media_file", { path: at("pixel.png") }],
      ["fs_read_media_file", { path: at("beep.wav") }],
      ["fs_read_multiple_files", { paths: [at("hello.txt"), at("missing.txt")] }],
      ["fs_write_file", { path: at("new.txt"), content: "one\ntwo\n" }],
      ["fs_edit_file", { path: at("new.txt"), edits: [{ oldText: "two", newText: "2" }] }],
      ["fs_create_directory", { path: at("sub") }],
      ["fs_move_file", { source: at("new.txt"), destination: at("sub/moved.txt") }],
      ["fs_list_directory", { path: folder }],
      ["fs_list_directory_with_sizes", { path: folder, sortBy: "size" }],
      ["fs_directory_tree", { path: folder }],
      ["fs_search_files", { path: folder, pattern: "**/*.txt" }],
      ["fs_get_file_info", { path: at("hello.txt") }],
    ];
    const { shown, answers } = await modelReads(client, { namespace: "fs" }, calls);
    const own = shown
      .map(({ name }) => name)
      .filter((name) => !name.endsWith("_resources") && !name.endsWith("_read_resource"));
    expect([...new Set(calls.map(([name]) => name))].sort()).toEqual(own.sort());
    expect(own).toHaveLength(14);
    await expect(listing(shown)).toMatchFileSnapshot("./__snapshots__/filesystem.tools.json");
    await expect(transcript(calls, answers, settled)).toMatchFileSnapshot("./__snapshots__/filesystem.answers.md");
    // The calls did what they say, once each.
    expect(await readFile(at("sub/moved.txt"), "utf8")).toBe("one\n2\n");
  });

  it("what is refused, by this package and by the server, is text for the model", async () => {
    /** @type {[string, object][]} */
    const calls = [
      ["read_text_file", { file: join(folder, "hello.txt") }],
      ["read_text_file", { path: join(folder, "missing.txt") }],
      ["read_text_file", { path: "/etc/passwd" }],
      ["edit_file", { path: join(folder, "hello.txt"), edits: [{ oldText: 1 }], dryRun: "yes" }],
      // A server without resources has none; that is no failure.
      ["mcp_list_resources", {}],
    ];
    const { answers } = await modelReads(client, {}, calls);
    await expect(transcript(calls, answers, settled)).toMatchFileSnapshot("./__snapshots__/filesystem.refused.md");
  });

  it("a server without prompts: the client's own word stands (R4)", async () => {
    const list = inAgent(async () => (await equipMCP(client, { clientId: "fs" })).prompts.list());
    if (generation === "sdk1") await expect(list).rejects.toMatchObject({ name: "McpError", code: -32601 });
    else expect(await list).toEqual([]);
  });
});
