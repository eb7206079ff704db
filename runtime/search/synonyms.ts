/** The field's synonyms, from the table beside this module. */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { badRow, listCell, loadTables, type Tables, tableRows } from "../core/tables.ts";
import { stem, wordsOf } from "./words.ts";

/** The most words that an entry may have: `pull request`, and `k8s`, which a search reads as `k 8 s`. */
export const LONGEST_TERM = 3;

/** What else a word, or some words with spaces between, may be called: stems, by stem. */
export type Synonyms = ReadonlyMap<string, readonly string[]>;

/** Reads the table `Synonyms`: each row a list of words, or of a few words together, that stand for nearly the same. */
export function readSynonyms(tables: Tables): [term: string, others: string[]][] {
  const others = new Map<string, Set<string>>();
  tableRows(tables, "Synonyms", z.object({ words: z.string() })).forEach((row, at) => {
    const terms = listCell(row.words).map((text) => wordsOf(text).map(stem));
    const wrong =
      terms.length < 2
        ? "is alone"
        : terms.some(({ length }) => length < 1 || length > LONGEST_TERM)
          ? "has an entry of no word or of more than three"
          : null;
    const source = tables.byHeading.get("Synonyms")?.rows[at];
    if (wrong !== null && source !== undefined) throw badRow(tables, "Synonyms", source, "words", wrong);
    for (const term of terms) {
      const key = term.join(" ");
      const known = others.get(key) ?? new Set();
      for (const word of terms.flatMap((other) => (other === term ? [] : other)))
        if (!term.includes(word)) known.add(word);
      others.set(key, known);
    }
  });
  return [...others].map(([term, words]) => [term, [...words]]);
}

export const SYNONYMS: Synonyms = new Map(
  await loadTables(fileURLToPath(new URL("./synonyms.md", import.meta.url)), readSynonyms),
);
