/** Runs the given test files in one process; Node 20 itself would start one for each. */
import { pathToFileURL } from "node:url";

for (const file of process.argv.slice(2)) await import(pathToFileURL(file).href);
