/** Where a statement names an MCP server: beside the word itself, in a list that it introduces, or as what is said to be one. */
import { compoundName, isKnown, isMcp, isProper, nameAt, nameBefore } from "./name-in.ts";
import {
  afterNote,
  goesOn,
  isClosed,
  isConjunction,
  type Mention,
  type Named,
  type Reading,
  skipSeparators,
} from "./reading.ts";
import type { Token } from "./tokens.ts";

const SERVER_WORD = /^(?:servers?|tools?|toolsets?|connectors?|integrations?|endpoints?|connections?|backends?)$/;
const PLURAL = /^(?:mcps|mcp-\w+s|servers|tools|connectors|integrations)$/;
const ARTICLE = /^(?:the|our|your|a|an)$/;

export function mcpMentions(reading: Reading): Mention[] {
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
  const after = listAfter(reading, end, at);
  return after.length > 0 ? after : subjectBefore(reading, at);
}

/** `GitHub, Slack and Jira MCPs`, `the GitHub and the Jira MCP`: the names before the one that stands next to the word. */
function listBefore(reading: Reading, last: Named, plural: boolean): Named[] {
  const { tokens } = reading;
  const names: Named[] = [];
  for (let end = last.from; ; ) {
    let articles = end;
    while (ARTICLE.test(tokens[articles - 1]?.lower ?? "")) articles--;
    let conjunctions = articles;
    while (isConjunction(tokens[conjunctions - 1])) conjunctions--;
    if (conjunctions === articles) return names;
    // "the backend and the memory MCP": a word with an article of its own is none of the list, unless it is a name.
    const name = nameBefore(reading, conjunctions, plural && articles === end ? "any" : "proper");
    const elliptic = articles < end && ARTICLE.test(tokens[(name?.from ?? 0) - 1]?.lower ?? "");
    if (name === null || !(plural || elliptic)) return names;
    names.unshift(name);
    end = name.from;
  }
}

interface Opening {
  at: number;
  /** Any word may be an entry; otherwise only names that show themselves. */
  told: boolean;
  /** The introduction leaves no doubt; otherwise at least one entry must be a name for itself. */
  proven: boolean;
}

/** `MCP servers: linear, sentry`, `the MCP server called acme`, `MCP servers such as Linear`, `as MCP servers we run Grafana`. */
function listAfter(reading: Reading, from: number, word: number): Named[] {
  const { tokens, tables } = reading;
  const opening = listOpening(reading, from, word);
  let { at, proven } = opening;
  const names: Named[] = [];
  for (;;) {
    at = skipSeparators(reading, at);
    const name = nameAt(reading, at, opening.told ? "any" : "proper");
    if (name === null || isMcp(tokens[name.to])) break;
    if (opening.told ? !isEntry(reading, name) : !isMarked(reading, name)) break;
    proven ||= isMarked(reading, name) && (isProper(tokens[at]) || !tables.names.ordinary.has(name.name));
    names.push(name);
    at = opening.told || tokens[name.to]?.text === "(" ? afterNote(reading, name.to) : name.to;
    if (!goesOn(reading, at)) break;
  }
  return proven ? names : [];
}

function listOpening(reading: Reading, from: number, word: number): Opening {
  const { tokens, roles } = reading;
  // "MCP servers in use: …", "MCPs available: …"
  let closed = from;
  while (closed - from < 8 && isClosed(roles[closed]) && tokens[closed]?.kind === "word") closed++;
  const counted = tokens[closed]?.text === "(" && tokens[closed + 2]?.text === ")" ? closed + 3 : closed;
  const colon = tokens[counted]?.text === ")" ? counted + 1 : counted;
  const [first, second] = [tokens[from]?.lower ?? "", tokens[from + 1]?.lower ?? ""];
  if (/^(?::|=+|[-–—]+>?)$/.test(tokens[colon]?.text ?? "")) return { at: colon + 1, told: true, proven: true };
  if (/^(?:called|named|like)$/.test(first)) return { at: from + 1, told: true, proven: true };
  if (first === "such" && second === "as") return { at: from + 2, told: true, proven: true };
  // "MCP servers are …" may go on with what they are like.
  const verb = closed > from && /^(?:are|is|include|includes|namely)$/.test(tokens[closed - 1]?.lower ?? "");
  if (verb) return { at: closed, told: true, proven: false };
  if (first === "(") return { at: from + 1, told: true, proven: false };
  if (/^(?:for|of|de|von|für|pour|para)$/.test(first)) return { at: from + 1, told: false, proven: false };
  // "as MCP servers we run …", "through MCP you can reach …"
  const leading = /^(?:as|via|over|through|by|with)$/.test(tokens[word - 1]?.lower ?? "") && closed > from;
  if (leading)
    return {
      at: roles[closed] === undefined && !isProper(tokens[closed]) ? closed + 1 : closed,
      told: false,
      proven: false,
    };
  return { at: from, told: false, proven: true };
}

/** Set as code, or a known name. */
function isMarked(reading: Reading, named: Named): boolean {
  return reading.tokens[named.from]?.kind === "code" || isKnown(reading, named);
}

/** One word of a sentence that goes on is a word, not an entry of a list. */
function isEntry(reading: Reading, named: Named): boolean {
  const next = reading.tokens[named.to];
  if (isMarked(reading, named)) return true;
  return next === undefined || next.kind === "mark" || isConjunction(next) || isClosed(reading.roles[named.to]);
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
