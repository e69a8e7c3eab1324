/** What the resource tools answer (R27). */
import { describe, expect, it } from "vitest";
import { listResourcesResult, readResourceResult } from "../../js/result/index.js";
import { image, PNG, parts, text, thrown, toolContent } from "./helpers.js";

const read = (contents) => readResourceResult({ contents }, { toolContent });
const list = (page, templates) => JSON.parse(listResourcesResult(page, templates));

describe("a resource", () => {
  it("is its texts and labels by line, or parts where an image is among them", () => {
    const long = "line\n".repeat(1_000);
    const blob = { uri: "x://z", mimeType: "application/zip", blob: "UEsDBA==" };
    const png = { uri: "x://i", mimeType: "image/png", blob: PNG };
    expect(read([{ uri: "x://a", text: long }, { uri: "x://e", text: "" }, blob])).toBe(
      `${long}\n\n[Blob: application/zip, 4 bytes]`,
    );
    expect(read([{ uri: "x://a", text: "a" }, png, blob])).toEqual(
      parts(text("a"), image(`data:image/png;base64,${PNG}`), text("[Blob: application/zip, 4 bytes]")),
    );
  });

  it("keeps what can be read beside contents that cannot", () => {
    expect(read([{ uri: "x://a" }, null, { uri: "x://b", blob: "**" }, { text: "kept" }])).toBe(
      [
        "[Unreadable: x://a, contents[0]: expected text or blob (a string), got neither]",
        "[Unreadable: contents[1]: expected an object, got null]",
        "[Unreadable: x://b, contents[2].blob: expected base64, got a string that is none]",
        "kept",
      ].join("\n"),
    );
  });

  it("counts the bytes of a large blob and does not show it", () => {
    const blob = Buffer.alloc(1_000_001, 7).toString("base64");
    expect(read([{ uri: "x://a", blob }])).toBe("[Blob: application/octet-stream, 1000001 bytes]");
  });

  it.each([[null], [{}], [{ contents: "a" }], ["a"], [{ contents: [null] }]])("is refused as %j", (raw) => {
    const error = thrown(() => readResourceResult(raw, { toolContent }));
    // No code of McpProtocolError is about resources.
    expect(error.name).toBe("Error");
    expect(error.message).toContain("contents");
  });
});

describe("a listing", () => {
  const full = { uri: "x://a", name: "a", title: "A", description: "d", mimeType: "text/plain", size: 0 };

  it("copies the members of MCP and no others", () => {
    const extra = { ...full, icons: [{ src: "data:image/png;base64,AAAA" }], _meta: { a: 1 } };
    expect(list({ resources: [extra], nextCursor: "n" })).toEqual({ resources: [full], nextCursor: "n" });
    expect(list([extra])).toEqual({ resources: [full] });
  });

  it("leaves out what has the wrong type, and entries without a uri", () => {
    const resources = [{ uri: "x://a", name: null, size: "3", title: 1 }, { name: "none" }, { uri: "" }, 7, full];
    expect(list({ resources, nextCursor: "" })).toEqual({ resources: [{ uri: "x://a", name: "x://a" }, full] });
  });

  it("adds the templates where there are some", () => {
    const template = { uriTemplate: "x://{id}", name: "t" };
    const page = { resources: [] };
    expect(list(page, { resourceTemplates: [{ ...template, annotations: {} }] })).toEqual({
      resources: [],
      resourceTemplates: [template],
    });
    expect(list(page, { resourceTemplates: [] })).toEqual({ resources: [] });
  });

  it("keeps long strings and data URLs as they were listed", () => {
    const uri = `data:image/png;base64,${PNG.repeat(50)}`;
    const description = "word ".repeat(1_000);
    expect(list({ resources: [{ uri, name: "n", description }] })).toEqual({
      resources: [{ uri, name: "n", description }],
    });
  });

  it.each([[null], [{}], [{ resources: {} }]])("is refused as %j", (page) => {
    expect(thrown(() => list(page)).message).toMatch(
      /^The MCP server's answer to resources\/list cannot be used: (resources: )?expected an array/,
    );
  });

  it("does without templates of another shape: the resources can be read all the same", () => {
    expect(list([full], { resourceTemplates: 1 })).toEqual({ resources: [full] });
  });
});
