/** Bounds that live on this side of the boundary, or that only the whole process shows, on both sides of each. */
import { describe, expect, it, vi } from "vitest";
import { normalizeMcpCallResult, normalizeMcpToolCatalog, validateMcpToolArguments } from "../../index.js";
import { native } from "../../js/binding.js";
import { jsonText } from "../../js/json.js";
import { modelResult } from "../../js/result/index.js";
import { skeletonOf } from "../../js/result/skeleton.js";
import { oneLine, quoted, warnOnce } from "../../js/warnings.js";
import { lengthOf } from "../support/values.js";
import { hearWarnings } from "../support/warnings.js";

/** @param {string} name the digest of a native catalog of one tool that nobody else lists @param {number} [size] characters of its description */
function catalogOf(name, size = 0) {
  const { catalog } = native.normalizeTools(JSON.stringify({ tools: [{ name, description: "d".repeat(size) }] }));
  return /** @type {import("../../js/native.cjs").ToolCatalog} */ (catalog).digest;
}

describe("cached catalogs", () => {
  it("are held up to their number; the one used longest ago goes first", () => {
    const digests = Array.from({ length: 128 }, (_, n) => catalogOf(`number ${n}`));
    expect(digests.filter((digest) => native.findCatalog(digest) === null)).toEqual([]);
    catalogOf("one more");
    expect(native.findCatalog(/** @type {string} */ (digests[0]))).toBeNull();
    expect(digests.slice(1).filter((digest) => native.findCatalog(digest) === null)).toEqual([]);
  });

  it("are held up to their bytes; one that is larger than all room is used and not held", () => {
    const most = 32 * 2 ** 20;
    const frame = '[{"name":"a","description":"","inputSchema":{"type":"object","properties":{}}}]'.length;
    expect(native.findCatalog(catalogOf("a", most - frame))).not.toBeNull();
    expect(native.findCatalog(catalogOf("b", most - frame + 1))).toBeNull();
    const halves = ["c", "d", "e"].map((name) => catalogOf(name, most / 2 - frame));
    expect(halves.map((digest) => native.findCatalog(digest) !== null)).toEqual([false, true, true]);
  });
});

describe("values of one answer", () => {
  it("are copied up to a million", () => {
    // The answer, its content, and each block with its two members.
    const blocks = (/** @type {number} */ count) => ({ content: Array(count).fill({ type: "x" }) });
    expect(normalizeMcpCallResult(blocks(499_998)).content.length).toBe(499_998);
    expect(() => normalizeMcpCallResult(blocks(500_000))).toThrow("more than 1000000 values");
  });

  it("cross the boundary up to a length, beyond which a reference goes in their place", () => {
    const { crossingUnits } = native.skeletonLimits();
    expect(skeletonOf({ a: "x".repeat(crossingUnits) }).strings).toEqual([]);
    expect(skeletonOf({ a: "x".repeat(crossingUnits + 1) }).strings.length).toBe(1);
  });

  it("cross to be compared up to a sum of lengths", () => {
    const { comparedUnits } = native.skeletonLimits();
    const text = (/** @type {number} */ length) =>
      skeletonOf({ a: "x".repeat(length) }, { compared: true }).text.length;
    expect(text(comparedUnits)).toBeGreaterThan(comparedUnits);
    expect(text(comparedUnits + 1)).toBeLessThan(1_000);
  });

  it("may be nested up to a depth", () => {
    const { depth } = native.skeletonLimits();
    const nested = (/** @type {number} */ levels) => ({
      content: [],
      // The answer itself is a level.
      structuredContent: JSON.parse("[".repeat(levels - 1) + "]".repeat(levels - 1)),
    });
    expect(normalizeMcpCallResult(nested(depth)).content).toEqual([]);
    expect(() => normalizeMcpCallResult(nested(depth + 1))).toThrow("levels of nesting");
  });

  it("are read here when they are at most ten thousand texts, and by the native side beyond", () => {
    const asked = vi.spyOn(native, "planCallResult");
    for (const [count, crossings] of /** @type {const} */ ([
      [1, 0],
      [10_000, 0],
      [10_001, 1],
    ])) {
      const content = Array.from({ length: count }, (_, n) => ({ type: "text", text: String(n) }));
      const answer = modelResult({ content }, { toolContent: (parts) => parts });
      expect(answer).toBe(content.map(({ text }) => text).join("\n"));
      expect(asked).toHaveBeenCalledTimes(crossings);
    }
    asked.mockRestore();
  });
});

describe("JSON from an application", () => {
  it("has a million arrays and objects at most", () => {
    const list = (/** @type {number} */ count) => Array.from({ length: count }, () => []);
    expect(jsonText(list(999_999)).length).toBe(999_999 * 3 + 1);
    expect(() => jsonText(list(1_000_000))).toThrow("more than 1,000,000 values");
  });

  it("has two thousand levels at most, of which the native side reads fewer", () => {
    const nested = (/** @type {number} */ levels) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(jsonText(nested(2_000)).length).toBe(4_000);
    expect(() => jsonText(nested(2_001))).toThrow("2,000 levels");
    expect(validateMcpToolArguments({}, nested(1_024))).toEqual({ ok: true });
    expect(validateMcpToolArguments({}, nested(1_025))).toMatchObject({ ok: false, reason: "invalid_arguments" });
  });

  it("has arrays of at most so many items, whatever a length says", () => {
    expect(() => jsonText(lengthOf(50_000_000))).toThrow("got undefined");
    expect(() => jsonText(lengthOf(50_000_001))).toThrow("more than 50000000 items");
  });

  it("is a page of at most a million entries", () => {
    expect(() => normalizeMcpToolCatalog(lengthOf(1_000_001))).toThrow("a list of 1000001 entries");
    expect(() => normalizeMcpToolCatalog(lengthOf(1_000_000))).toThrow("expected tool 0 to be an object");
  });
});

describe("what is said", () => {
  /** @type {string[]} */
  const heard = [];
  const note = (/** @type {any} */ { message }) => heard.push(message);
  hearWarnings(note);

  it("quotes 120 characters of a server's string, and makes lines of 2,000", () => {
    expect(quoted("x".repeat(120))).toBe(`"${"x".repeat(120)}"`);
    expect(quoted("x".repeat(121))).toBe(`"${"x".repeat(120)}…"`);
    expect(oneLine("x".repeat(2_000))).toBe("x".repeat(2_000));
    expect(oneLine("x".repeat(2_001))).toBe(`${"x".repeat(2_000)}…`);
  });

  it("is remembered, so that it is said once, up to a thousand things", async () => {
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    warnOnce("LIMITS", "first");
    for (let n = 0; n < 900; n += 1) warnOnce("LIMITS", `other ${n}`);
    warnOnce("LIMITS", "first");
    await settled();
    expect(heard.filter((message) => message === "first").length).toBe(1);
    for (let n = 900; n < 2_000; n += 1) warnOnce("LIMITS", `other ${n}`);
    warnOnce("LIMITS", "first");
    await settled();
    expect(heard.filter((message) => message === "first").length).toBe(2);
  });
});
