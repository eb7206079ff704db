/** Where a statement names an MCP server or a CLI, whatever it says of it. */
import type { CliTable } from "./clis.ts";
import { type Cued, type CueRole, type CueTable, findCues } from "./cues.ts";
import { canonicalName, MAX_NAME, type NameTable, slug } from "./names.ts";
import { type Token, tokenize } from "./tokens.ts";

export interface Mention {
  kind: "mcp" | "cli";
  name: string;
  /** The tokens it covers, the last excluded. */
  from: number;
  to: number;
  /** It stands for itself; otherwise it counts only where the words around it speak of having or using it. */
  sure: boolean;
}

export interface MentionTables {
  names: NameTable;
  clis: CliTable;
  cues: CueTable;
}

/** A statement taken apart, with what the finders share. */
export interface Reading extends Cued {
  tokens: Token[];
  tables: MentionTables;
}

export function readTokens(text: string, tables: MentionTables): Reading {
  const tokens = tokenize(text);
  return { tokens, tables, ...findCues(tokens, tables.cues) };
}

/** In order, none within another; where the same words could name both, the MCP server goes first. */
export function findMentions(reading: Reading): Mention[] {
  const found = [...mcpMentions(reading), ...cliMentions(reading)];
  const taken: boolean[] = new Array(reading.tokens.length).fill(false);
  return found
    .filter(({ from, to }) => {
      if (taken.slice(from, to).includes(true)) return false;
      taken.fill(true, from, to);
      return true;
    })
    .sort((left, right) => left.from - right.from);
}

// ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Named {
  name: string;
  from: number;
  to: number;
}

/** How much may be taken for a name: what the context makes clear may be any word. */
type Trust = "any" | "proper";

const LONGEST_RUN = 4;

/** The MCP name that ends before `end`, in the field's spelling. */
function nameBefore(reading: Reading, end: number, trust: Trust): Named | null {
  const { tokens, roles, tables } = reading;
  const last = tokens[end - 1];
  if (last === undefined || last.kind === "mark") return null;
  if (last.kind === "code") return asName(last.text, end - 1, end, tables.names);
  for (let length = Math.min(tables.names.longest, end); length > 0; length--) {
    const words = tokens.slice(end - length, end);
    if (words.some(({ kind }) => kind !== "word")) continue;
    const name = tables.names.canonical.get(slug(words.map(({ text }) => text).join("-")));
    if (name !== undefined && (trust === "any" || isProper(last) || !tables.names.ordinary.has(name))) {
      return { name, from: end - length, to: end };
    }
  }
  let from = end;
  while (from > 0 && end - from < LONGEST_RUN && isProper(tokens[from - 1]) && roles[from - 1] === undefined) from--;
  if (from < end) {
    const words = tokens.slice(from, end).map(({ text }) => text);
    return asName(words.join("-"), from, end, tables.names);
  }
  const free = roles[end - 1] === undefined || roles[end - 1] === "thing";
  return trust === "any" && free ? asName(last.text, end - 1, end, tables.names) : null;
}

/** The MCP name that begins at `from`. */
function nameAt(reading: Reading, from: number, trust: Trust): Named | null {
  const { tokens, roles, tables } = reading;
  const first = tokens[from];
  if (first === undefined || first.kind === "mark") return null;
  if (first.kind === "code") return asName(first.text, from, from + 1, tables.names);
  for (let length = Math.min(tables.names.longest, tokens.length - from); length > 0; length--) {
    const words = tokens.slice(from, from + length);
    if (words.some(({ kind }) => kind !== "word")) continue;
    const name = tables.names.canonical.get(slug(words.map(({ text }) => text).join("-")));
    if (name !== undefined && (trust === "any" || isProper(first) || !tables.names.ordinary.has(name))) {
      return { name, from, to: from + length };
    }
  }
  let to = from;
  while (to - from < LONGEST_RUN && isProper(tokens[to]) && roles[to] === undefined) to++;
  if (to > from) {
    const words = tokens.slice(from, to).map(({ text }) => text);
    return asName(words.join("-"), from, to, tables.names);
  }
  return trust === "any" && roles[from] === undefined ? asName(first.text, from, from + 1, tables.names) : null;
}

/** A word that begins with a capital or holds a digit: a name rather than a word. */
function isProper(token: Token | undefined): boolean {
  return token?.kind === "word" && (/^\p{Lu}/u.test(token.text) || /\p{N}/u.test(token.text)) && !isMcp(token);
}

function asName(text: string, from: number, to: number, table: NameTable): Named | null {
  if (text.length > MAX_NAME * 2 || /[^\p{L}\p{N}\s._@/-]/u.test(text)) return null;
  // A span of several words is a command or an excerpt, unless it is a name.
  if (/\s/.test(text) && !table.canonical.has(slug(text))) return null;
  const name = canonicalName(text, table);
  return name === "" || /^\d+$/.test(name) ? null : { name, from, to };
}

// ── MCP servers ─────────────────────────────────────────────────────────────────────────────────────────────────────

const MCP_WORD = /^mcps?$|^mcp-(?:servers?|tools?|integrations?|connectors?)$/;
const SERVER_WORD = /^(?:servers?|tools?|toolsets?|connectors?|integrations?|endpoints?|connections?|backends?)$/;
const PLURAL = /^(?:mcps|mcp-\w+s|servers|tools|connectors|integrations)$/;

function isMcp(token: Token | undefined): boolean {
  return token !== undefined && token.kind !== "mark" && MCP_WORD.test(token.lower);
}

function mcpMentions(reading: Reading): Mention[] {
  const { tokens } = reading;
  const found: Named[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    const compound = compoundName(token, reading);
    if (compound !== "") found.push({ name: compound, from: at, to: at + 1 });
    else if (isMcp(token) || isSpelledOut(tokens, at)) found.push(...namesAround(reading, at));
  }
  return found.map((named) => ({ kind: "mcp", sure: true, ...named }));
}

function isSpelledOut(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === "model" && tokens[at + 1]?.lower === "context" && tokens[at + 2]?.lower === "protocol";
}

/** The server of a token that holds the word itself: `github-mcp`, `mcp-server-git`, `@playwright/mcp`, `mcp__s__t`. */
function compoundName({ kind, text, lower }: Token, { tables }: Reading): string {
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
  // "non-mcp", "using-mcp": a word before it, not a name.
  return tables.cues.phrases.get(name)?.some(({ words }) => words.length === 1) ? "" : name;
}

/** The servers that the word "MCP" at `at` makes out of the names around it. */
function namesAround(reading: Reading, at: number): Named[] {
  const { tokens, roles } = reading;
  let end = at + (isMcp(tokens[at]) ? 1 : 3);
  let plural = PLURAL.test(tokens[at]?.lower ?? "");
  while (SERVER_WORD.test(tokens[end]?.lower ?? "")) {
    plural ||= PLURAL.test(tokens[end]?.lower ?? "");
    end++;
  }
  // "the GitHub MCP docs" are a text.
  if (roles[end] === "thing") return [];
  const before = nameBefore(reading, at, "any");
  if (before !== null) return [...listBefore(reading, before, plural), { ...before, to: end }];
  const after = listAfter(reading, end);
  return after.length > 0 ? after : subjectBefore(reading, at);
}

/** `GitHub, Slack and Jira MCPs`: the names before the one that stands next to the word. */
function listBefore(reading: Reading, last: Named, plural: boolean): Named[] {
  const { tokens } = reading;
  const names: Named[] = [];
  let end = last.from;
  for (;;) {
    let conjunction = end;
    let article = false;
    while (/^(?:the|our|your|a|an)$/.test(tokens[conjunction - 1]?.lower ?? "")) {
      conjunction--;
      article = true;
    }
    let joined = conjunction;
    while (isConjunction(tokens[joined - 1])) joined--;
    if (joined === conjunction) return names;
    const name = nameBefore(reading, joined, "proper");
    const elliptic = article && /^(?:the|our|your)$/.test(tokens[(name?.from ?? 0) - 1]?.lower ?? "");
    if (name === null || !(plural || elliptic)) return names;
    names.unshift(name);
    end = name.from;
  }
}

function isConjunction(token: Token | undefined): boolean {
  return token !== undefined && /^(?:and|or|und|oder|et|y|&|,|\/|\+|plus)$/.test(token.lower);
}

/** `MCP servers: linear, sentry`, `the MCP server called acme`, `MCP servers such as Linear`. */
function listAfter(reading: Reading, from: number): Named[] {
  const { tokens, roles } = reading;
  let at = from;
  let told = false;
  // "MCP servers are …" may go on with what they are like: at least one entry must be a name for itself.
  let proven = true;
  // "MCP servers in use: …", "MCPs available: …"
  let colon = at;
  while (colon - at < 8 && isClosed(roles[colon]) && tokens[colon]?.kind === "word") colon++;
  if (tokens[colon]?.text === ")") colon++;
  if (/^(?::|=+|[-–—]+>?)$/.test(tokens[colon]?.text ?? "")) {
    at = colon + 1;
    told = true;
  } else if (/^(?:called|named|like)$/.test(tokens[at]?.lower ?? "")) {
    at += 1;
    told = true;
  } else if (tokens[at]?.lower === "such" && tokens[at + 1]?.lower === "as") {
    at += 2;
    told = true;
  } else if (colon > at && /^(?:are|is|include|includes|namely)$/.test(tokens[colon - 1]?.lower ?? "")) {
    at = colon;
    told = true;
    proven = false;
  } else if (tokens[at]?.text === "(") {
    at += 1;
    told = true;
    proven = false;
  } else if (/^(?:for|of|from|de|von|für|pour|para)$/.test(tokens[at]?.lower ?? "")) {
    const named = nameAt(reading, at + 1, "proper");
    return named !== null && isKnown(reading, named) ? [named] : [];
  }
  const names: Named[] = [];
  for (;;) {
    while (/^(?:the|a|an|our|your|and|or|&|,|\+|\/|\[|;)$/.test(tokens[at]?.lower ?? "") && at - from < 10_000) at++;
    const name = nameAt(reading, at, told ? "any" : "proper");
    const ends =
      name === null || isMcp(tokens[name.to]) || (told ? !isListed(reading, name) : !isMarked(reading, name));
    if (ends) return proven ? names : [];
    proven ||= isMarked(reading, name) && (isProper(tokens[at]) || !reading.tables.names.ordinary.has(name.name));
    names.push(name);
    at = name.to;
    if (tokens[at]?.text === "(") at = afterParenthesis(tokens, at);
    else if (told) at = afterNote(reading, at);
    if (!/^(?:and|or|&|,|\+|\/|;)$/.test(tokens[at]?.lower ?? "")) return proven ? names : [];
  }
}

/** Set as code, or a known name. */
function isMarked({ tokens, tables }: Reading, { name, from }: Named): boolean {
  return tokens[from]?.kind === "code" || tables.names.canonical.has(name);
}

/** "linear for tickets, sentry for errors": what is said of an entry, up to the next comma. */
function afterNote({ tokens }: Reading, from: number): number {
  let at = from;
  while (at - from < 10 && tokens[at]?.kind === "word" && !/^(?:and|or)$/.test(tokens[at]?.lower ?? "")) at++;
  return /^[,;]$/.test(tokens[at]?.text ?? "") ? at : from;
}

/** One word of a sentence that goes on is a word, not an entry of a list. */
function isListed(reading: Reading, named: Named): boolean {
  const { tokens, roles } = reading;
  const next = tokens[named.to];
  if (isMarked(reading, named)) return true;
  return next === undefined || next.kind === "mark" || isConjunction(next) || isClosed(roles[named.to]);
}

function afterParenthesis(tokens: readonly Token[], from: number): number {
  for (let at = from; at < Math.min(tokens.length, from + 30); at++) if (tokens[at]?.text === ")") return at + 1;
  return from;
}

/** Words that carry no subject of their own: `is there as an`, `also a`, `both connected over`. */
export function isClosed(role: CueRole | undefined): boolean {
  return role !== undefined && role !== "thing" && role !== "others" && role !== "about";
}

const FARTHEST_SUBJECT = 14;

/** `Jira and Confluence via MCP`, `Semgrep is there as an MCP server`, `Tavily (MCP)`, `Azure through its MCP server`. */
function subjectBefore(reading: Reading, at: number): Named[] {
  const { tokens, roles } = reading;
  let end = at;
  while (at - end < FARTHEST_SUBJECT && end > 0) {
    const token = tokens[end - 1] as Token;
    const bracketed = token.text === "(";
    const crossed =
      token.kind === "mark" ? bracketed || token.text === "," : token.kind === "word" && isClosed(roles[end - 1]);
    const name = nameBefore(reading, end, tokens[end]?.text === "(" ? "any" : "proper");
    // A sentence's first word has its capital from there.
    if (name !== null && (name.from > 0 || tokens[0]?.kind === "code" || isKnown(reading, name) || end < at - 1)) {
      return [...listBefore(reading, name, true), name];
    }
    if (!crossed || (token.kind === "mark" && end === at && !bracketed)) return [];
    end--;
  }
  return [];
}

function isKnown({ tables }: Reading, { name }: Named): boolean {
  return tables.names.canonical.has(name);
}

// ── CLIs ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const CLI_WORD = /^(?:clis?|cli-tools?)$/;
const PROGRAM_WORD = /^(?:command|commands|binary|binaries|client|executable|tool|utility)$/;

function cliMentions(reading: Reading): Mention[] {
  const { tokens, roles, tables } = reading;
  const found: Mention[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (isCliWord(tokens, at)) found.push(...clisAround(reading, at));
    if (/^tool(?:s|ing)?$/.test(token.lower) && tokens[at + 1]?.text === ":")
      found.push(...toolsAfter(reading, at + 2));
    if (token.kind === "mark" || isCliWord(tokens, at + 1)) continue;
    const program = token.kind === "code" ? (token.text.replace(/^[$>] /, "").split(/\s/, 1)[0] ?? "") : token.text;
    const known =
      tables.clis.names.get(program) ??
      (isSentenceStart(tokens, at) ? tables.clis.names.get(token.lower) : undefined) ??
      tables.clis.names.get(ownProduct(token, tables));
    if (known === undefined || roles[at + 1] === "thing") continue;
    const called = PROGRAM_WORD.test(tokens[at + 1]?.lower ?? "");
    if (known.ordinary && !called && token.kind !== "code") continue;
    const name =
      [program, token.lower].find((spelling) => tables.clis.names.has(spelling)) ?? ownProduct(token, tables);
    // A code span with arguments is a command, whatever its first word means elsewhere.
    const sure = token.kind === "code" && (!known.ordinary || /\s/.test(token.text));
    found.push({ kind: "cli", name, from: at, to: at + (called ? 2 : 1), sure });
  }
  return found;
}

/** The program of a product that is nothing but its program: `ripgrep` is `rg`. The name of a service stands for the service. */
function ownProduct({ kind, text, lower }: Token, { clis, names }: MentionTables): string {
  return kind === "word" && text === lower && !names.canonical.has(slug(lower))
    ? (clis.products.get(slug(lower)) ?? "")
    : "";
}

/** A program's name may be written with a capital where a sentence begins. */
function isSentenceStart(tokens: readonly Token[], at: number): boolean {
  return at === 0 || tokens[at - 1]?.kind === "mark" || /^(?:is|are|was)$/.test(tokens[at + 1]?.lower ?? "");
}

function isCliWord(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token?.kind !== "word") return false;
  if (CLI_WORD.test(token.lower)) return true;
  const next = tokens[at + 1]?.lower ?? "";
  return (
    (token.lower === "command-line" && /^(?:tools?|clients?|interfaces?|programs?)$/.test(next)) ||
    (token.lower === "command" && next === "line")
  );
}

function clisAround(reading: Reading, at: number): Mention[] {
  const { tokens } = reading;
  const before = cliBefore(reading, at);
  if (before !== null) {
    const list: Named[] = [before];
    let joined = before.from;
    while (isConjunction(tokens[joined - 1])) joined--;
    for (let other = cliBefore(reading, joined); joined < (list[0]?.from ?? 0) && other !== null; ) {
      list.unshift(other);
      joined = other.from;
      while (isConjunction(tokens[joined - 1])) joined--;
      other = cliBefore(reading, joined);
    }
    return list.map((named) => ({ kind: "cli", sure: true, ...named }));
  }
  return clisAfter(reading, at).map((named) => ({ kind: "cli", sure: true, ...named }));
}

/** `the Azure Developer CLI`, `` `azd` CLI ``. */
function cliBefore({ tokens, tables }: Reading, end: number): Named | null {
  const last = tokens[end - 1];
  if (last === undefined || last.kind === "mark") return null;
  for (let length = Math.min(tables.clis.longest, end); length > 0; length--) {
    const words = tokens.slice(end - length, end);
    if (words.some(({ kind }) => kind === "mark")) continue;
    const name = tables.clis.products.get(slug(words.map(({ text }) => text).join("-")));
    if (name !== undefined) return { name, from: end - length, to: end };
  }
  return last.kind === "code" ? programName(last.text, end - 1) : null;
}

/** `CLIs: kubectl, stern`. */
function clisAfter(reading: Reading, from: number): Named[] {
  const { tokens, roles } = reading;
  let at = from + 1;
  while (
    at - from < 8 &&
    tokens[at]?.kind === "word" &&
    (isClosed(roles[at]) || /^(?:line|tools?)$/.test(tokens[at]?.lower ?? ""))
  )
    at++;
  if (tokens[at]?.text === ")") at++;
  if (tokens[at]?.text !== ":" && tokens[at]?.text !== "(") return [];
  const listed = tokens[at]?.text === ":";
  const names: Named[] = [];
  for (at += 1; ; ) {
    while (/^(?:the|and|or|&|,|\+|\/|\[|;)$/.test(tokens[at]?.lower ?? "")) at++;
    const name = programAt(reading, at);
    if (name === null || !(listed || reading.tables.clis.names.has(name.name))) return names;
    names.push(name);
    at = name.to;
    if (tokens[at]?.text === "(") at = afterParenthesis(tokens, at);
    else at = afterNote(reading, at);
    if (!/^(?:and|or|&|,|\+|\/|;)$/.test(tokens[at]?.lower ?? "")) return names;
  }
}

/** `Required tools: Docker, kubectl`: of a list of any tools, the programs that are known by name. */
function toolsAfter(reading: Reading, from: number): Mention[] {
  const { tokens, tables } = reading;
  const found: Mention[] = [];
  for (let at = from; at < tokens.length; ) {
    while (/^(?:the|and|or|&|,|\+|\/|\[|;)$/.test(tokens[at]?.lower ?? "")) at++;
    const named = programAt(reading, at);
    if (named === null) return found;
    const known = tables.clis.names.get(named.name);
    const product = slug(
      tokens
        .slice(at, named.to)
        .map(({ text }) => text)
        .join("-"),
    );
    const isServer = product !== named.name && tables.names.canonical.has(product);
    if (known !== undefined && !isServer && !isMcp(tokens[named.to]))
      found.push({ kind: "cli", sure: false, ...named });
    at = named.to;
    if (tokens[at]?.text === "(") at = afterParenthesis(tokens, at);
    if (!/^(?:and|or|&|,|\+|\/|;)$/.test(tokens[at]?.lower ?? ""))
      return found.map((mention) => ({ ...mention, sure: true }));
  }
  return found.map((mention) => ({ ...mention, sure: true }));
}

/** An entry of a list of programs: a known name, or anything set as code or in lower case that could be one. */
export function programAt({ tokens, roles, tables }: Reading, at: number): Named | null {
  const token = tokens[at];
  if (token === undefined || token.kind === "mark") return null;
  for (let length = Math.min(tables.clis.longest, tokens.length - at); length > 0; length--) {
    const words = tokens.slice(at, at + length);
    const name = tables.clis.products.get(slug(words.map(({ text }) => text).join("-")));
    if (name === undefined || words.some(({ kind }) => kind === "mark")) continue;
    const trailing = /^clis?$/.test(tokens[at + length]?.lower ?? "") ? 1 : 0;
    return { name, from: at, to: at + length + trailing };
  }
  const alone = tokens[at + 1] === undefined || tokens[at + 1]?.kind === "mark" || isConjunction(tokens[at + 1]);
  if (token.kind === "code" || (alone && roles[at] === undefined)) return programName(token.text, at);
  return null;
}

function programName(text: string, at: number): Named | null {
  const program = text.split(/\s/, 1)[0] ?? "";
  return /^[a-z0-9][a-z0-9._+-]{0,39}$/.test(program) && !/^\d+$/.test(program)
    ? { name: program, from: at, to: at + 1 }
    : null;
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
