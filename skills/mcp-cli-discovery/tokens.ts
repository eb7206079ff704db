/** A statement as words, code spans and marks. Links give their text, addresses and quotations of several words nothing. */

export interface Token {
  /** As written; the content of a code span. */
  text: string;
  /** Lower case, with plain apostrophes. */
  lower: string;
  kind: "word" | "code" | "mark";
  /** Followed by `'s`. */
  possessive: boolean;
}

/** A word is cut at 200 characters: no name is that long, and some engines give up on longer repetitions. */
const PART =
  /(`+)|(\bhttps?:\/\/[^\s)>\]]+)|(@?[\p{L}\p{N}](?:[\p{L}\p{N}]|_{1,4}(?=[\p{L}\p{N}])|[.+@/'’-](?=[\p{L}\p{N}])){0,199})|([,;:()[\]!?.|–—→&+"“”/]|[-=]+>?)|([✅✔✓☑❌✗✘✖🚫⛔])|([^\s\p{L}\p{N}`,;:()[\]!?.|–—→&+"“”/=✅✔✓☑❌✗✘✖🚫⛔-]+)/gu;

/** In one pass. Emphasis marks are dropped; a tick and a cross are words. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const closing = closingMarks(text);
  PART.lastIndex = 0;
  for (let match = PART.exec(text); match !== null; match = PART.exec(text)) {
    const [, ticks, address, word, mark, sign] = match;
    if (ticks !== undefined) {
      const end = closing.get(match.index);
      if (end === undefined) continue;
      push(tokens, text.slice(match.index + ticks.length, end).trim(), "code");
      PART.lastIndex = end + ticks.length;
    } else if (word !== undefined) push(tokens, word, "word");
    else if (mark !== undefined) push(tokens, mark, "mark");
    else if (sign !== undefined) push(tokens, sign, "word");
    else if (address !== undefined) push(tokens, "", "mark");
  }
  return withoutQuotations(withoutTargets(tokens));
}

function push(tokens: Token[], text: string, kind: Token["kind"]): void {
  const possessive = kind === "word" && /['’]s$/.test(text) && !CONTRACTED.has(text.toLowerCase().replace("’", "'"));
  const bare = possessive ? text.slice(0, -2) : text;
  tokens.push({ text: bare, lower: bare.toLowerCase().replaceAll("’", "'"), kind, possessive });
}

const CONTRACTED: ReadonlySet<string> = new Set(
  ["it", "that", "there", "here", "what", "who", "how", "let", "he", "she", "where"].map((word) => `${word}'s`),
);

/** Where each run of backticks that opens a span is closed by a run of the same length. */
function closingMarks(text: string): Map<number, number> {
  const runs = [...text.matchAll(/`+/g)].map((match) => ({ at: match.index, length: match[0].length }));
  const next = new Map<number, number>();
  const later: (number | undefined)[] = new Array(runs.length);
  for (let index = runs.length - 1; index >= 0; index--) {
    const { length } = runs[index] as { length: number };
    later[index] = next.get(length);
    next.set(length, index);
  }
  const closing = new Map<number, number>();
  for (let index = 0; index < runs.length; index++) {
    const close = later[index];
    if (close === undefined) continue;
    closing.set((runs[index] as { at: number }).at, (runs[close] as { at: number }).at);
    index = close;
  }
  return closing;
}

/** `[text](target)` without its target. */
function withoutTargets(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.text === "(" && tokens[at - 1]?.text === "]") {
      const end = indexOfMark(tokens, ")", at, 12);
      const opening = kept.slice(-12).findLastIndex(({ text }) => text === "[");
      if (end !== -1 && opening !== -1) {
        kept.pop();
        kept.splice(Math.max(0, kept.length + 1 - 12) + opening, 1);
        at = end;
        continue;
      }
    }
    kept.push(token);
  }
  return kept;
}

function indexOfMark(tokens: readonly Token[], mark: string, from: number, within: number): number {
  const end = Math.min(tokens.length, from + within);
  for (let at = from; at < end; at++) if (tokens[at]?.kind === "mark" && tokens[at]?.text === mark) return at;
  return -1;
}

/** The most words that stand between quotation marks and are still a name; more are somebody else's words. */
const QUOTED_NAME = 3;
const QUOTED_AT_MOST = 60;

function withoutQuotations(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.kind !== "mark" || !/^["“”]$/.test(token.text)) {
      kept.push(token);
      continue;
    }
    const end = closingQuote(tokens, at);
    if (end - at - 1 > QUOTED_NAME) at = end;
  }
  return kept;
}

function closingQuote(tokens: readonly Token[], from: number): number {
  const end = Math.min(tokens.length, from + QUOTED_AT_MOST);
  for (let at = from + 1; at < end; at++) if (/^["”]$/.test(tokens[at]?.text ?? "")) return at;
  return -1;
}
