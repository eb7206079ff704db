/**
 * Filter-as-you-type over a catalogue. What fits better comes first: the whole name, its beginning, the beginnings of its
 * words, any part of it, and last its letters in order. It runs at every keystroke, so everything that does not depend on
 * what was typed is prepared once.
 */
import type { CatalogueEntry } from "../../runtime/core/contracts.ts";
import { INVOCATION_PREFIX, parseInvocation } from "./invocation.ts";

export interface Menu {
  /**
   * The entries that fit, best first; ties go to shorter names, then to catalogue order. Nothing typed (or only a part of
   * `/mcp:`) gives the beginning of the catalogue. `limit` defaults to 50.
   */
  filter(typed: string, options?: { limit?: number }): CatalogueEntry[];
}

interface Row {
  entry: CatalogueEntry;
  /** Lower case: the tool's name, or the server's where the entry is a server. */
  name: string;
  /** Lower case: `server:tool`, or the server. */
  full: string;
  /** The first characters of the name's words: `li` for `list_issues`. */
  initials: string;
  /** Where a word of `full` starts, as a bit for each index; only the first 64 count. */
  wordStarts: readonly number[];
}

const TIERS = { exact: 0, prefix: 1, wordStart: 2, part: 3, letters: 4 } as const;
const NONE = 5;

/** Prepares a catalogue for filtering. */
export function createMenu(catalogue: readonly CatalogueEntry[]): Menu {
  const rows = catalogue.map(rowOf);
  return {
    filter(typed, { limit = 50 } = {}) {
      const query = queryOf(typed);
      if (query === "") return catalogue.slice(0, limit);
      const tiers: Row[][] = [[], [], [], [], []];
      for (const row of rows) tiers[tierOf(row, query)]?.push(row);
      const best: Row[] = [];
      for (const tier of tiers) {
        if (best.length >= limit) break;
        // Sorting is stable, so entries of equal length keep the catalogue's order.
        best.push(...tier.sort((left, right) => left.name.length - right.name.length));
      }
      return best.slice(0, limit).map(({ entry }) => entry);
    },
  };
}

function rowOf(entry: CatalogueEntry): Row {
  const { serverId, toolName } = parseInvocation(entry.command);
  const original = toolName === undefined ? serverId : `${serverId}:${toolName}`;
  const name = (toolName ?? serverId).toLowerCase();
  const full = original.toLowerCase();
  const wordStarts = [...original.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<=[\p{Ll}\p{N}])\p{Lu}/gu)].map(
    ({ index }) => index,
  );
  const initials = wordStarts.map((at) => full[at] ?? "").join("");
  return { entry, name, full, initials, wordStarts };
}

/** What was typed, without the prefix that every command shares, decoded where the person went on from an inserted token. */
function queryOf(typed: string): string {
  const text = typed.trim();
  if (INVOCATION_PREFIX.startsWith(text.toLowerCase())) return "";
  const rest = text.startsWith(INVOCATION_PREFIX) ? text.slice(INVOCATION_PREFIX.length) : text.replace(/^\//, "");
  try {
    return decodeURIComponent(rest).toLowerCase();
  } catch {
    return rest.toLowerCase();
  }
}

function tierOf({ name, full, initials, wordStarts }: Row, query: string): number {
  if (query.length > full.length) return NONE;
  if (name === query || full === query) return TIERS.exact;
  if (name.startsWith(query) || full.startsWith(query)) return TIERS.prefix;
  const at = full.indexOf(query);
  if (initials.includes(query) || (at !== -1 && wordStarts.some((start) => full.startsWith(query, start)))) {
    return TIERS.wordStart;
  }
  if (at !== -1) return TIERS.part;
  return isSubsequence(query, full) ? TIERS.letters : NONE;
}

function isSubsequence(query: string, text: string): boolean {
  let from = 0;
  for (let at = 0; at < query.length; at++) {
    from = text.indexOf(query[at] ?? "", from) + 1;
    if (from === 0) return false;
  }
  return true;
}
