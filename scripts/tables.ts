/**
 * Writes the parsed copy of every skill's tables, and of the search's, beside their Markdown, so that commands start without a Markdown parser. Runs
 * after each install; a copy that was made of other texts is ignored, so it is never stale.
 */

import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { describeError } from "../runtime/core/errors.ts";
import { knownTables, parsedCopy, parsedCopyOf } from "../runtime/core/tables.ts";

const skills = fileURLToPath(new URL("../skills", import.meta.url));
/** `.js` in the copy for Node, whose modules are others and have a hash of their own. */
const extension = extname(fileURLToPath(import.meta.url));

rmSync(fileURLToPath(new URL("../runtime/search/synonyms.tables.cache", import.meta.url)), { force: true });
for (const name of readdirSync(skills)) {
  rmSync(join(skills, name, "tables.cache"), { force: true });
  try {
    await import(pathToFileURL(join(skills, name, `${name}${extension}`)).href);
  } catch (error) {
    // An install must not fail for a table that is being edited; whoever uses the skill is told.
    console.error(`No parsed copy of ${name}'s tables: ${describeError(error)}`);
  }
}
for (const [file, parsed] of knownTables) {
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.data)), parsed.data)) {
    throw new Error(`The tables of ${file} are not plain JSON`);
  }
  writeFileSync(parsedCopyOf(file), parsedCopy(parsed));
}
