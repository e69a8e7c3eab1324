/** Random schedules of faults over walks, several in a run: each settles, with the whole catalog or with the very error that the schedule says. */
import process from "node:process";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { equipMCP, loadMcpToolCatalog, McpProtocolError } from "../../index.js";
import { native } from "../../js/binding.js";
import { wired } from "../calls/wire.js";
import { inAgent } from "../support/agent.js";
import { HARD_LIMIT, namesOf, settled } from "./harness.js";

const RUNS = 1500;
const CODES = native.protocolErrorCodes();
const object = { type: "object" };

/** @type {unknown[]} */
const unhandled = [];
const take = (/** @type {unknown} */ reason) => unhandled.push(reason);
beforeEach(() => void process.on("unhandledRejection", take));
afterEach(async () => {
  await turns(5);
  process.off("unhandledRejection", take);
  expect(unhandled).toEqual([]);
});

/** @param {number} count */
async function turns(count) {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
}

/** Pages that no walk may take, with the code that says so; each comes instead of an honest one. @type {[result: unknown, code: string][]} */
const MALFORMED = [
  [{}, "invalid_catalog_shape"],
  [{ tools: 7 }, "invalid_catalog_shape"],
  [{ tools: [[]] }, "invalid_catalog_shape"],
  [{ tools: [{ inputSchema: object }] }, "invalid_tool_name"],
  [{ tools: [{ name: "", inputSchema: object }] }, "invalid_tool_name"],
  [{ tools: [{ name: "x", description: 7, inputSchema: object }] }, "invalid_tool_description"],
  [{ tools: [{ name: "x", inputSchema: [] }] }, "invalid_tool_schema"],
  [{ tools: [], nextCursor: { page: 2 } }, "invalid_cursor"],
];

/**
 * What becomes of one request for a page.
 * @typedef {{ kind: "page" | "error" | "silence" | "cycle"; delay: number } | { kind: "malformed"; which: number; delay: number }} Fate
 */
const delay = fc.nat({ max: 4 });
/** @type {fc.Arbitrary<Fate>} */
const fate = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant(/** @type {const} */ ("page")), delay }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom(/** @type {const} */ ("error"), "silence", "cycle"), delay }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant(/** @type {const} */ ("malformed")),
      which: fc.nat({ max: MALFORMED.length - 1 }),
      delay,
    }),
  },
);

/** One walk of several in a run, with the turn of the event loop in which it is aborted, if it is. */
const walk = fc.record({
  abortAt: fc.option(fc.nat({ max: 30 }), { nil: undefined }),
  forceRefresh: fc.boolean(),
  byLoad: fc.boolean(),
  fates: fc.array(fate, { minLength: 6, maxLength: 6 }),
});

/** An error as a client has it, made of what goes over a wire. */
const PLANTED = { code: -32050, message: "planted", data: { retry: true } };

/**
 * A client of a server of so many pages, each answered as the schedule says.
 * @param {"facade" | "sdk1" | "sdk2"} generation
 * @param {number} pages
 */
async function scheduled(generation, pages) {
  const server = { fates: /** @type {Fate[]} */ ([]), asked: 0 };
  const answer = async (/** @type {string | undefined} */ cursor) => {
    const now = server.fates[server.asked] ?? expect.unreachable(`request ${server.asked} of a walk of ${pages} pages`);
    server.asked += 1;
    await turns(now.delay);
    if (now.kind === "error") throw Object.assign(new Error(PLANTED.message), PLANTED);
    if (now.kind === "silence") return await new Promise(() => {});
    if (now.kind === "malformed") return MALFORMED[now.which]?.[0];
    const page = Number(cursor ?? 0);
    const tools = [`a${page}`, `b${page}`].map((name) => ({ name, inputSchema: object }));
    // The first page's own cursor is followed once before it repeats.
    if (now.kind === "cycle") return { tools: [], nextCursor: cursor ?? "0" };
    return { tools, ...(page + 1 < pages && { nextCursor: String(page + 1) }) };
  };
  if (generation === "facade") {
    const client = {
      listTools: (/** @type {any} */ params) => answer(params?.cursor),
      callTool: async (/** @type {string} */ _name, /** @type {unknown} */ _args) => ({}),
    };
    return { client: /** @type {any} */ (client), server };
  }
  const { client } = await wired(generation, async ({ params }) => {
    try {
      return await answer(params?.cursor);
    } catch {
      throw PLANTED;
    }
  });
  return { client, server };
}

/**
 * How a walk that nobody aborts ends: with the first fault that it meets.
 * @param {Fate[]} fates
 * @param {number} pages
 */
function expected(fates, pages) {
  let asked = 0;
  for (let page = 0; page < pages; page += 1) {
    const now = /** @type {Fate} */ (fates[asked++]);
    if (now.kind === "malformed") return { asked, code: MALFORMED[now.which]?.[1] };
    if (now.kind === "error") return { asked, code: PLANTED.code };
    if (now.kind === "silence") return { asked, code: undefined };
    if (now.kind === "cycle") {
      // Under its own cursor again; the first page has none, and is asked for once more under the one it gave.
      if (page > 0) return { asked, code: "cursor_cycle" };
      return undefined;
    }
  }
  return { asked, code: "whole" };
}

it("walks under random faults", { timeout: 3 * HARD_LIMIT }, async () => {
  const seen = /** @type {Record<string, number>} */ ({});
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(/** @type {const} */ ("facade"), "sdk1", "sdk2"),
      fc.integer({ min: 1, max: 4 }),
      fc.array(walk, { minLength: 1, maxLength: 3 }),
      async (generation, pages, walks) => {
        const { client, server } = await scheduled(generation, pages);
        const whole = Array.from({ length: pages }, (_, page) => [`a${page}`, `b${page}`])
          .flat()
          .sort();
        let snapshot = "";
        let remembers = false;
        for (const { abortAt, forceRefresh, byLoad, fates } of walks) {
          Object.assign(server, { fates, asked: 0 });
          const foreseen = expected(fates, pages);
          const controller = new AbortController();
          const reason = new Error("stop");
          // What is silent without end must be aborted by somebody, and loadMcpToolCatalog takes no signal.
          const isSilent = foreseen === undefined || foreseen.code === undefined;
          const loads = byLoad && !isSilent;
          const abortAfter = isSilent ? (abortAt ?? 20) : abortAt;
          const run = loads
            ? loadMcpToolCatalog(client).then((tools) => tools.map(({ name }) => name))
            : inAgent(async () => namesOf(await equipMCP(client, { clientId: "random", forceRefresh })), {
                signal: controller.signal,
                ...(snapshot !== "" && { snapshot }),
                onSnapshot: (text) => (snapshot = text),
              });
          if (abortAfter !== undefined) turns(abortAfter).then(() => controller.abort(reason));
          const outcome = await settled(run);
          expect(server.asked).toBeLessThanOrEqual(pages + 1);
          let end;
          if ("value" in outcome) {
            end = !loads && remembers && server.asked === 0 ? "remembered" : "whole";
            expect(outcome.value).toEqual(whole);
            if (end === "whole" && foreseen) expect(foreseen).toEqual({ asked: server.asked, code: "whole" });
            if (!loads) remembers = true;
          } else {
            const { error } = outcome;
            const aborted = controller.signal.aborted && !loads && /stop/.test(error.message);
            end = aborted ? "aborted" : String(error.code);
            if (aborted && generation === "facade") expect(error).toBe(reason);
            if (error instanceof McpProtocolError) expect(CODES).toContain(error.code);
            if (!aborted && foreseen) expect({ asked: server.asked, code: error.code }).toEqual(foreseen);
            if (error.code === PLANTED.code) expect(error.data).toEqual(PLANTED.data);
          }
          // A list that was remembered whole stays, whatever became of a refresh.
          if (!loads && remembers && !forceRefresh) expect("value" in outcome).toBe(true);
          seen[end] = (seen[end] ?? 0) + 1;
        }
      },
    ),
    { numRuns: RUNS },
  );
  // The schedules are not in vain: most kinds of ends came.
  expect(Object.keys(seen).length).toBeGreaterThan(6);
});
