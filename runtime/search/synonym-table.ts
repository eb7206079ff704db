/** Reads the field's synonyms out of their Markdown table. */
import * as z from "zod/mini";
import { badRow, listCell, type Tables, tableRows } from "../core/tables.ts";
import { LONGEST_TERM, stem, wordsOf } from "./words.ts";

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
