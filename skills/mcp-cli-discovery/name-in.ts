/** Names of MCP servers in a statement: known ones, those written as names are, and those that carry the word itself. */
import { canonicalName, MAX_NAME, type NameTable, slug } from "./names.ts";
import { joined, type Named, type Reading } from "./reading.ts";
import type { Token } from "./tokens.ts";

/** How much may be taken for a name: what the context makes clear may be any word. */
export type Trust = "any" | "proper";

const LONGEST_RUN = 4;

/** The MCP name that ends before `end`. */
export function nameBefore(reading: Reading, end: number, trust: Trust): Named | null {
  const { tokens, roles, tables } = reading;
  const last = tokens[end - 1];
  if (last === undefined || last.kind === "mark") return null;
  const marked = ownName(reading, end - 1);
  if (marked !== undefined) return marked;
  for (let length = Math.min(tables.names.longest, end); length > 0; length--) {
    const known = knownName(reading, end - length, end, trust);
    if (known !== null) return known;
  }
  let from = end;
  while (from > 0 && end - from < LONGEST_RUN && isProper(tokens[from - 1]) && roles[from - 1] === undefined) from--;
  if (from < end) return asName(joined(tokens.slice(from, end)), from, end, tables.names);
  const free = roles[end - 1] === undefined || roles[end - 1] === "thing";
  return trust === "any" && free ? asName(last.text, end - 1, end, tables.names) : null;
}

/** The MCP name that begins at `from`. */
export function nameAt(reading: Reading, from: number, trust: Trust): Named | null {
  const { tokens, roles, tables } = reading;
  const first = tokens[from];
  if (first === undefined || first.kind === "mark") return null;
  const marked = ownName(reading, from);
  if (marked !== undefined) return marked;
  for (let length = Math.min(tables.names.longest, tokens.length - from); length > 0; length--) {
    const known = knownName(reading, from, from + length, trust);
    if (known !== null) return known;
  }
  let to = from;
  while (to - from < LONGEST_RUN && isProper(tokens[to]) && roles[to] === undefined) to++;
  if (to > from) return asName(joined(tokens.slice(from, to)), from, to, tables.names);
  return trust === "any" && roles[from] === undefined ? asName(first.text, from, from + 1, tables.names) : null;
}

/** What a code span or a compound names by itself; `undefined` where the token is neither. */
function ownName(reading: Reading, at: number): Named | null | undefined {
  const token = reading.tokens[at] as Token;
  const compound = compoundName(token, reading);
  if (compound !== "") return { name: compound, from: at, to: at + 1 };
  return token.kind === "code" ? asName(token.text, at, at + 1, reading.tables.names) : undefined;
}

function knownName({ tokens, tables }: Reading, from: number, to: number, trust: Trust): Named | null {
  const words = tokens.slice(from, to);
  if (words.some(({ kind }) => kind !== "word")) return null;
  const name = tables.names.canonical.get(slug(joined(words)));
  const meant = trust === "any" || words.some(isProper) || !tables.names.ordinary.has(name ?? "");
  return name !== undefined && meant ? { name, from, to } : null;
}

/** A word that begins with a capital or holds a digit: a name rather than a word. */
export function isProper(token: Token | undefined): boolean {
  return token?.kind === "word" && (/^\p{Lu}/u.test(token.text) || /\p{N}/u.test(token.text)) && !isMcp(token);
}

function asName(text: string, from: number, to: number, table: NameTable): Named | null {
  if (text.length > MAX_NAME * 2 || /[^\p{L}\p{N}\s._@/-]/u.test(text)) return null;
  // A span of several words is a command or an excerpt, unless it is a name.
  if (/\s/.test(text) && !table.canonical.has(slug(text))) return null;
  const name = canonicalName(text, table);
  return name === "" || /^\d+$/.test(name) ? null : { name, from, to };
}

export function isKnown({ tables }: Reading, { name }: Named): boolean {
  return tables.names.canonical.has(name);
}

const MCP_WORD = /^mcps?$|^mcp-(?:servers?|tools?|integrations?|connectors?)$/;

export function isMcp(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== "mark" && MCP_WORD.test(token.lower);
}

/** The server of a token that holds the word itself: `github-mcp`, `mcp-server-git`, `@playwright/mcp`, `mcp__s__t`. */
export function compoundName({ kind, text, lower }: Token, { tables }: Reading): string {
  if (kind === "mark" || text.length > MAX_NAME * 3 || /\s/.test(text)) return "";
  const listed = /^mcp__([a-z0-9][a-z0-9_.-]*?)__\S/i.exec(text)?.[1] ?? /^mcp_([a-z0-9-]+)_\S/i.exec(text)?.[1];
  if (listed !== undefined) return canonicalName(listed, tables.names);
  const named =
    /^(?:@[\w.-]+\/)?mcp-server-[\w.-]+$/.test(lower) ||
    /^@modelcontextprotocol\/server-[\w-]+$/.test(lower) ||
    /^@[\w.-]+\/(?:[\w.-]+-)?mcp(?:-server)?(?:@[\w.]+)?$/.test(lower) ||
    /^[\w.]+(?:-[\w.]+)*-mcp(?:-servers?|s)?$/.test(lower);
  if (!named) return "";
  const name = canonicalName(text.replace(/(?<=.)@[\w.]+$/, ""), tables.names);
  if (tables.names.canonical.has(name)) return name;
  // "non-mcp", "using-mcp": a word before it, not a name.
  return tables.cues.phrases.get(name)?.some(({ words }) => words.length === 1) ? "" : name;
}

/** The MCP name at the head of a list's entry or of a table's cell, or `null` where the entry is a sentence. */
export function entryName(reading: Reading, from: number): Named | null {
  const { tokens } = reading;
  const start = /^(?:the|our|your|a|an)$/.test(tokens[from]?.lower ?? "") ? from + 1 : from;
  const name = nameAt(reading, start, "any");
  if (name === null) return null;
  const next = tokens[name.to];
  const ends = next === undefined || next.kind === "mark";
  return ends || tokens[start]?.kind === "code" || isKnown(reading, name) ? name : null;
}
