/** A statement taken apart, with what the finders of mentions share. */
import type { CliTable } from "./clis.ts";
import { type Cued, type CueRole, type CueTable, findCues } from "./cues.ts";
import type { NameTable } from "./names.ts";
import { type Token, tokenize } from "./tokens.ts";

export interface MentionTables {
  names: NameTable;
  clis: CliTable;
  cues: CueTable;
}

export interface Reading extends Cued {
  tokens: Token[];
  tables: MentionTables;
}

/** A name and the tokens it covers, the last excluded. */
export interface Named {
  name: string;
  from: number;
  to: number;
}

export interface Mention extends Named {
  kind: "mcp" | "cli";
  /** It stands for itself; otherwise it counts only where the words around it speak of having or using it. */
  sure: boolean;
}

export function readTokens(text: string, tables: MentionTables): Reading {
  const tokens = tokenize(text);
  return { tokens, tables, ...findCues(tokens, tables.cues) };
}

/** Words that carry no subject of their own: `is there as an`, `also a`, `both connected over`. */
export function isClosed(role: CueRole | undefined): boolean {
  return role !== undefined && role !== "thing" && role !== "others" && role !== "about";
}

export function isConjunction(token: Token | undefined): boolean {
  return token !== undefined && /^(?:and|or|und|oder|et|y|&|,|\/|\+|plus)$/.test(token.lower);
}

/** What joins the entries of a list that was introduced; it may open with a bracket or an article. */
export function skipSeparators({ tokens }: Reading, from: number): number {
  let at = from;
  while (/^(?:the|a|an|our|your|and|or|&|,|\+|\/|\[|;)$/.test(tokens[at]?.lower ?? "")) at++;
  return at;
}

/** Whether another entry of a list follows. */
export function goesOn({ tokens }: Reading, at: number): boolean {
  return /^(?:and|or|&|,|\+|\/|;)$/.test(tokens[at]?.lower ?? "");
}

/** After what is said of an entry: a bracket, or "linear for tickets, sentry for errors" up to the next comma. */
export function afterNote({ tokens }: Reading, from: number): number {
  if (tokens[from]?.text === "(") {
    const end = tokens.slice(from, from + 30).findIndex(({ text }) => text === ")");
    return end === -1 ? from : from + end + 1;
  }
  let at = from;
  while (at - from < 10 && tokens[at]?.kind === "word" && !/^(?:and|or)$/.test(tokens[at]?.lower ?? "")) at++;
  return /^[,;]$/.test(tokens[at]?.text ?? "") ? at : from;
}

/** Tokens as one name would be written. */
export function joined(tokens: readonly Token[]): string {
  return tokens.map(({ text }) => text).join("-");
}
