import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["__test__/**/*.test.{js,ts}"],
    exclude: ["**/node_modules/**"],
    globalSetup: ["scripts/bundle.mjs"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
  },
});
