/** What a tool is for: each capability collects points for its words, by where they stand. */
import type { Capability } from "../../runtime/core/contracts.ts";
import { ownWords, splitWords } from "./words.ts";

/**
 * A row of the capability table. `products` are names, `servers` names that are everyday words as well, `words` say it
 * clearly, `hints` only in company.
 */
export interface CapabilityRow {
  capability: Capability;
  products: string[];
  servers: string[];
  words: string[];
  hints: string[];
}

/** Points of a keyword, by its column and by where it stands. */
const POINTS = {
  products: { server: 3, name: 5, text: 1.5 },
  servers: { server: 3, name: 0, text: 0 },
  words: { server: 2.5, name: 4, text: 1 },
  hints: { server: 0.5, name: 1.5, text: 0.3 },
} as const;

/** Points that a capability gets from the share of its server's tools that name it clearly. */
const NEIGHBOURS = 4;

type Place = "server" | "name" | "text";

interface Keyword {
  words: string[];
  capability: number;
  column: keyof typeof POINTS;
}

export interface CapabilityTables {
  names: Capability[];
  /** By the keyword's first word; longest first, so that `pull request` is met before `pull`. */
  keywords: ReadonlyMap<string, Keyword[]>;
}

/** The points of one tool, by capability in the order of the table. */
export interface CapabilityPoints {
  points: number[];
  /** The capabilities that the tool's name claims with a clear word. */
  claimed: ReadonlySet<number>;
}

export interface CapabilityVerdict {
  capability: Capability;
  /** Claims so many capabilities by name that it ranks below any tool with one. */
  overloaded: boolean;
}

/** How much of a description is looked at, in characters: what a tool is for stands at its beginning. */
const MAX_TEXT = 240;

/** A row worked out, as JSON that is quickly read: keywords with commas between, their words with spaces. */
export interface CapabilityWords {
  capability: Capability;
  columns: Record<keyof typeof POINTS, string>;
}

export function workOutCapabilities(rows: readonly CapabilityRow[]): CapabilityWords[] {
  const keywords = (cells: string[]) =>
    cells
      .map((cell) => splitWords(cell).map(singular).join(" "))
      .filter((words) => words !== "")
      .join(",");
  return rows.map(({ capability, products, servers, words, hints }) => ({
    capability,
    columns: {
      products: keywords(products),
      servers: keywords(servers),
      words: keywords(words),
      hints: keywords(hints),
    },
  }));
}

/** Builds the look-up. */
export function compileCapabilities(rows: readonly CapabilityWords[]): CapabilityTables {
  const keywords = new Map<string, Keyword[]>();
  for (const [capability, { columns }] of rows.entries()) {
    for (const column of ["products", "servers", "words", "hints"] as const) {
      for (const keyword of columns[column] === "" ? [] : columns[column].split(",")) {
        const words = keyword.split(" ");
        const first = words[0] as string;
        const list = keywords.get(first);
        if (list === undefined) keywords.set(first, [{ words, capability, column }]);
        else list.push({ words, capability, column });
      }
    }
  }
  for (const list of keywords.values()) if (list.length > 1) list.sort((a, b) => b.words.length - a.words.length);
  return { names: rows.map((row) => row.capability), keywords };
}

/**
 * Judges the tools of one server: each by its own name and description, with the server's name and the other tools as a
 * hint. `other` where no capability collects a whole clear word's worth; ties go to the earlier row. The order of the
 * tools changes nothing.
 */
export function judgeCapabilities(
  server: string,
  tools: readonly { name: string; description?: unknown }[],
  tables: CapabilityTables,
): CapabilityVerdict[] {
  const scored = tools.map((tool) => scoreCapabilities(server, tool, tables));
  const votes = tables.names.map(() => 0);
  for (const { points, claimed } of scored) {
    if (claimed.size === 0) continue;
    const own = best(points);
    votes[own] = (votes[own] ?? 0) + 1;
  }
  return scored.map(({ points, claimed }) => {
    const total = points.map((value, at) => value + (NEIGHBOURS * (votes[at] ?? 0)) / tools.length);
    const top = best(total);
    const capability = (total[top] ?? 0) >= 1 ? (tables.names[top] ?? "other") : "other";
    return { capability, overloaded: claimed.size > 3 };
  });
}

function best(points: readonly number[]): number {
  return points.reduce((top, value, at) => (value > (points[top] ?? 0) ? at : top), 0);
}

function scoreCapabilities(
  server: string,
  tool: { name: string; description?: unknown },
  tables: CapabilityTables,
): CapabilityPoints {
  const points = tables.names.map(() => 0);
  const claimed = new Set<number>();
  const text = typeof tool.description === "string" ? tool.description.slice(0, MAX_TEXT) : "";
  const count = (words: string[], place: Place) => {
    for (const hit of hitsOf(words, tables)) {
      points[hit.capability] = (points[hit.capability] ?? 0) + POINTS[hit.column][place];
      if (place === "name" && hit.column !== "hints" && hit.column !== "servers") claimed.add(hit.capability);
    }
  };
  count(splitWords(server), "server");
  count(ownWords(tool.name.slice(0, MAX_TEXT), server), "name");
  count(splitWords(text), "text");
  return { points, claimed };
}

/** The keywords that stand in a text, each once, the longest where several start at one word. */
function hitsOf(text: string[], tables: CapabilityTables): Set<Keyword> {
  const words = text.map(singular);
  const hits = new Set<Keyword>();
  for (let at = 0; at < words.length; at++) {
    const known = tables.keywords.get(words[at] as string);
    if (known === undefined) continue;
    const found = known.filter((keyword) => keyword.words.every((word, offset) => words[at + offset] === word));
    const longest = found[0]?.words.length ?? 0;
    for (const keyword of found) if (keyword.words.length === longest) hits.add(keyword);
    at += Math.max(0, longest - 1);
  }
  return hits;
}

/** `issues` → `issue`, `repositories` → `repository`; words that end in `ss`, `us` or `is` stay. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /(?:xes|ches|shes|sses)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}
