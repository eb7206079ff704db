/** The field's synonyms, from the table beside this module. */
import { fileURLToPath } from "node:url";
import { loadTables } from "../core/tables.ts";

export { LONGEST_TERM } from "./words.ts";

/** What else a word, or some words with spaces between, may be called: stems, by stem. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

export const SYNONYMS: Synonyms = new Map(
  await loadTables(fileURLToPath(new URL("./synonyms.md", import.meta.url)), async (tables) => {
    // Where a parsed copy stands beside the table, the schema library is not loaded.
    const { readSynonyms } = await import("./synonym-table.ts");
    return readSynonyms(tables);
  }),
);
