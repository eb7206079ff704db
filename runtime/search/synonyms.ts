/** The field's synonyms, from the table beside this module. */
import { dirname, join } from "node:path";
import { modulePath } from "../core/module-path.ts";
import { loadTables } from "../core/tables.ts";

export { LONGEST_TERM } from "./words.ts";

/** What else a word, or some words with spaces between, may be called: stems, by stem. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

export const SYNONYMS: Synonyms = new Map(
  await loadTables(join(dirname(modulePath(import.meta.url)), "synonyms.md"), async (tables) => {
    // Where a parsed copy stands beside the table, the schema library is not loaded.
    const { readSynonyms } = await import("./synonym-table.ts");
    return readSynonyms(tables);
  }),
);
