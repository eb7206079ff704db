/**
 * Writes the parsed copy of every skill's tables beside its SKILL.md, so that commands start without a Markdown parser. Runs
 * after each install; a copy that does not carry the hash of its sources any more is ignored, so it is never stale.
 */

import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { describeError } from "../runtime/core/errors.ts";
import { parsedTables } from "../runtime/core/tables.ts";

const skills = fileURLToPath(new URL("../skills", import.meta.url));

for (const name of readdirSync(skills)) {
  rmSync(join(skills, name, "tables.json"), { force: true });
  try {
    await import(pathToFileURL(join(skills, name, `${name}.ts`)).href);
  } catch (error) {
    // An install must not fail for a table that is being edited; whoever uses the skill is told.
    console.error(`No parsed copy of ${name}'s tables: ${describeError(error)}`);
  }
}
for (const [folder, copy] of parsedTables) {
  const text = JSON.stringify(copy);
  if (!isDeepStrictEqual(JSON.parse(text), copy)) throw new Error(`The tables of ${folder} are not plain JSON`);
  writeFileSync(join(folder, "tables.json"), text);
}
