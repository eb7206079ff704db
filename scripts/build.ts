/**
 * Builds `dist/`, which needs nothing but a runtime: each skill as a folder of its own, the command line, the library and
 * its types. `bun run build` prints the sizes and fails where a skill is over its bound.
 *
 *   bun run build            everything
 *   bun run build skills     only the skills
 *   bun run build plugin     plugin/, which is committed: what it installs is copied as it is, so it must be there built
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { buildLibrary } from "./build/library.ts";
import { DIST, PLUGIN } from "./build/places.ts";
import { buildPlugin } from "./build/plugin.ts";
import { buildSkills } from "./build/skills.ts";

/** The largest script of a skill that opens no connection, in bytes. */
const MAX_SKILL_BYTES = 300_000;

const wanted = process.argv.slice(2);
const all = wanted.length === 0;
if (all) rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST, { recursive: true });

let tooLarge = 0;
if (all || wanted.includes("skills")) {
  for (const { name, bytes } of await buildSkills(join(DIST, "skills"))) {
    const over = bytes > MAX_SKILL_BYTES;
    if (over) tooLarge++;
    console.log(
      `${kilobytes(bytes)}  skills/${name}${over ? `  over its bound of ${kilobytes(MAX_SKILL_BYTES)}` : ""}`,
    );
  }
}
if (all || wanted.includes("lib")) {
  for (const { name, bytes } of await buildLibrary(join(DIST, "lib"), join(DIST, "types"))) {
    console.log(`${kilobytes(bytes)}  lib/${name}`);
  }
}
if (wanted.includes("plugin")) await buildPlugin(PLUGIN);
process.exitCode = tooLarge > 0 ? 1 : 0;

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1).padStart(8)} KB`;
}
