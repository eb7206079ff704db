/**
 * Filter-as-you-type over a catalogue. What fits better comes first: the whole name, its beginning, the beginnings of its
 * words, any part of it, and last its letters in order. It runs at every keystroke, so everything that does not depend on
 * what was typed is prepared once.
 */
import type { CatalogueEntry } from "../../runtime/core/contracts.ts";
import { INVOCATION_PREFIX, parseInvocation } from "./invocation.ts";

export interface Menu {
  /**
   * The entries that fit, best first; among equals the shorter come first, then those earlier in the catalogue. Nothing typed
   * (or only a part of `/mcp:`) gives the catalogue's beginning. `limit` is the most entries to give, default 50.
   */
  filter(typed: string, options?: { limit?: number }): CatalogueEntry[];
}

interface Row {
  entry: CatalogueEntry;
  /** Lower case: the tool's name, or the server's id where the entry is a server. */
  name: string;
  /** Lower case: `server:tool`, or the server's id. */
  full: string;
  /** The indices of `full` at which a word starts. */
  wordStarts: readonly number[];
  /** The first characters of the words: `gli` for `github:list_issues`. */
  initials: string;
  /** The letters and digits of `full`, so that most entries are passed over without a look at their text. */
  letters: number;
}

/** From the best fit down: whole, beginning of the name, of `server:tool`, of words, a part, letters in order. */
const TIERS = 6;

/** Prepares a catalogue for filtering. */
export function createMenu(catalogue: readonly CatalogueEntry[]): Menu {
  // Sorting is stable: entries of equal length keep the catalogue's order.
  const rows = catalogue.map(rowOf).sort((left, right) => left.full.length - right.full.length);
  return {
    filter(typed, { limit = 50 } = {}) {
      const query = queryOf(typed);
      if (query === "") return catalogue.slice(0, limit);
      const words = query.split(/[\s_:./-]+/).filter((word) => word !== "");
      const letters = lettersOf(words.join(""));
      const tiers: CatalogueEntry[][] = Array.from({ length: TIERS }, () => []);
      for (const row of rows) {
        if ((row.letters & letters) !== letters) continue;
        const tier = tiers[tierOf(row, query, words)];
        if (tier !== undefined && tier.length < limit) tier.push(row.entry);
      }
      return tiers.flat().slice(0, limit);
    },
  };
}

function rowOf(entry: CatalogueEntry): Row {
  const { serverId, toolName } = parseInvocation(entry.command);
  const original = toolName === undefined ? serverId : `${serverId}:${toolName}`;
  const full = original.toLowerCase();
  const starts = original.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<=[\p{Ll}\p{N}])\p{Lu}/gu);
  const wordStarts = [...starts].map(({ index }) => index);
  return {
    entry,
    name: (toolName ?? serverId).toLowerCase(),
    full,
    wordStarts,
    initials: wordStarts.map((at) => full[at] ?? "").join(""),
    letters: lettersOf(full),
  };
}

/** One bit for each letter from `a` to `z`, three for the digits; other characters have none. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 97 && code <= 122) letters |= 1 << (code - 97);
    else if (code >= 48 && code <= 57) letters |= 1 << (26 + ((code - 48) % 3));
  }
  return letters;
}

/** What was typed without what every command starts with, decoded where the person goes on from an inserted command. */
function queryOf(typed: string): string {
  const text = typed.trim();
  if (INVOCATION_PREFIX.startsWith(text)) return "";
  const rest = text.startsWith(INVOCATION_PREFIX) ? text.slice(INVOCATION_PREFIX.length) : text.replace(/^\//, "");
  try {
    return decodeURIComponent(rest).toLowerCase();
  } catch {
    return rest.toLowerCase();
  }
}

function tierOf(row: Row, query: string, words: readonly string[]): number {
  if (row.name === query || row.full === query) return 0;
  if (row.name.startsWith(query)) return 1;
  if (row.full.startsWith(query)) return 2;
  if (row.initials.includes(query) || startWords(row, words)) return 3;
  if (row.full.includes(query)) return 4;
  return isSubsequence(words, row.full) ? 5 : TIERS;
}

/** Whether each typed word begins a word of the row, in order: `li iss` for `list_issues`. */
function startWords({ full, wordStarts }: Row, words: readonly string[]): boolean {
  let next = 0;
  for (const word of words) {
    while (next < wordStarts.length && !full.startsWith(word, wordStarts[next])) next++;
    if (next === wordStarts.length) return false;
    next++;
  }
  return words.length > 0;
}

function isSubsequence(words: readonly string[], text: string): boolean {
  let from = 0;
  for (const word of words) {
    for (let at = 0; at < word.length; at++) {
      from = text.indexOf(word[at] ?? "", from) + 1;
      if (from === 0) return false;
    }
  }
  return words.length > 0;
}
