/** One part of the bench in a process of its own: `node part.mjs <name>`, started by `run.mjs`, which takes the rows. */
import process from "node:process";

const name = process.argv[2];
const { run, title, note } = await import(`./parts/${name}.mjs`);
const section = { part: name, title, note, rows: await run() };
if (process.send) process.send(section, () => process.exit(0));
else console.log(JSON.stringify(section, undefined, 2));
