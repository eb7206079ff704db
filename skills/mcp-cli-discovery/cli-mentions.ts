/** Where a statement names a command line program: beside the word "CLI", in a list, or by a name that is known. */
import { isMcp } from "./name-in.ts";
import { slug } from "./names.ts";
import {
  afterNote,
  goesOn,
  isClosed,
  isConjunction,
  joined,
  type Mention,
  type MentionTables,
  type Named,
  type Reading,
  skipSeparators,
} from "./reading.ts";
import type { Token } from "./tokens.ts";

const CLI_WORD = /^(?:clis?|cli-tools?)$/;
const PROGRAM_WORD = /^(?:command|commands|binary|binaries|client|executable|tool|utility)$/;

export function cliMentions(reading: Reading): Mention[] {
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
  const list: Named[] = [];
  for (let end = at; ; ) {
    const named = cliBefore(reading, end);
    if (named === null) break;
    list.unshift(named);
    end = named.from;
    while (isConjunction(reading.tokens[end - 1])) end--;
    if (end === named.from) break;
  }
  const named = list.length > 0 ? list : clisAfter(reading, at);
  return named.map((cli) => ({ kind: "cli", sure: true, ...cli }));
}

/** `the Azure Developer CLI`, `` `azd` CLI ``. */
function cliBefore({ tokens, tables }: Reading, end: number): Named | null {
  const last = tokens[end - 1];
  if (last === undefined || last.kind === "mark") return null;
  for (let length = Math.min(tables.clis.longest, end); length > 0; length--) {
    const words = tokens.slice(end - length, end);
    if (words.some(({ kind }) => kind === "mark")) continue;
    const name = tables.clis.products.get(slug(joined(words)));
    if (name !== undefined) return { name, from: end - length, to: end };
  }
  return last.kind === "code" ? programName(last.text, end - 1) : null;
}

/** `CLIs: kubectl, stern`. */
function clisAfter(reading: Reading, from: number): Named[] {
  const { tokens, roles } = reading;
  const isPart = (at: number) => isClosed(roles[at]) || /^(?:line|tools?)$/.test(tokens[at]?.lower ?? "");
  let at = from + 1;
  while (at - from < 8 && tokens[at]?.kind === "word" && isPart(at)) at++;
  if (tokens[at]?.text === ")") at++;
  if (tokens[at]?.text !== ":" && tokens[at]?.text !== "(") return [];
  // What stands in brackets after "CLI" may be anything.
  const told = tokens[at]?.text === ":";
  return programs(reading, at + 1).filter(({ name }) => told || reading.tables.clis.names.has(name));
}

/** `Required tools: Docker, kubectl`: of a list of any tools, the programs that are known by name. */
function toolsAfter(reading: Reading, from: number): Mention[] {
  const { tokens, tables } = reading;
  return programs(reading, from)
    .filter(({ name, from: start, to }) => {
      const product = slug(joined(tokens.slice(start, to)));
      const isServer = product !== name && tables.names.canonical.has(product);
      return tables.clis.names.has(name) && !isServer && !isMcp(tokens[to]);
    })
    .map((named) => ({ kind: "cli", sure: true, ...named }));
}

/** The entries of a list, up to the first that could be no program. */
function programs(reading: Reading, from: number): Named[] {
  const found: Named[] = [];
  for (let at = skipSeparators(reading, from); ; at = skipSeparators(reading, at)) {
    const named = programAt(reading, at);
    if (named === null) return found;
    found.push(named);
    at = afterNote(reading, named.to);
    if (!goesOn(reading, at)) return found;
  }
}

/** An entry of a list of programs: a known name, or anything set as code or in lower case that could be one. */
export function programAt({ tokens, roles, tables }: Reading, at: number): Named | null {
  const token = tokens[at];
  if (token === undefined || token.kind === "mark") return null;
  for (let length = Math.min(tables.clis.longest, tokens.length - at); length > 0; length--) {
    const words = tokens.slice(at, at + length);
    const name = tables.clis.products.get(slug(joined(words)));
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
