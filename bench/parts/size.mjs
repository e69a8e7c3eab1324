/** The binary that users download. */
import { readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const title = "Binary";

/** @returns {Promise<import("../support/report.mjs").Row[]>} */
export async function run() {
  const folder = new URL("../../js/", import.meta.url);
  return readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith(".node"))
    .map((name) => ({
      name: `${name}, stripped`,
      unit: "MB",
      target: 6,
      times: { ours: statSync(new URL(name, folder)).size / 1e6 },
    }));
}
