// The types stand in index.d.ts; test/types.ts holds src/api.js against them.
export * from "./src/api.js";
