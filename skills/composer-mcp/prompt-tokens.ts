/**
 * Which `/mcp:` tokens of a prompt are selections. Only those that stand free in the person's own words: a token in a code
 * fence, in a code span, in a block quote or between quotation marks is something the person shows or cites, such as a
 * tool's answer. Attachments are never read.
 */
import { INVOCATION_PREFIX } from "./invocation.ts";

export interface PromptToken {
  /** From `/mcp:` to the next white space, as typed. */
  token: string;
  /** The index of its first character in the text. */
  start: number;
  /** Whether it is cited, and so no selection. */
  cited: boolean;
}

/** A stretch of the text: the index of its first character and the one after its last. */
type Span = readonly [start: number, end: number];

/** A token starts where a word starts. */
const TOKEN = /(?<!\S)\/mcp:\S*/g;

const CLOSING: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "“": "”",
  "„": "“”",
  "‘": "’",
  "«": "»",
  "‹": "›",
  "「": "」",
};

/** All tokens in the order of the text; takes time linear in its length. */
export function findTokens(text: string): PromptToken[] {
  if (!text.includes(INVOCATION_PREFIX)) return [];
  const spans = citedSpans(text);
  let next = 0;
  return [...text.matchAll(TOKEN)].map(({ 0: token, index: start }) => {
    while (next < spans.length && (spans[next]?.[1] ?? 0) <= start) next++;
    return { token, start, cited: (spans[next]?.[0] ?? text.length) <= start };
  });
}

/** The text without its selections: what is left for the model to do. */
export function textWithout(text: string, selections: readonly PromptToken[]): string {
  let rest = "";
  let from = 0;
  for (const { token, start } of selections) {
    rest += text.slice(from, start);
    from = start + token.length;
  }
  return rest + text.slice(from);
}

/** What is cited, in order, without overlaps. */
function citedSpans(text: string): Span[] {
  const spans: Span[] = [];
  let fence: string | null = null;
  let fenceStart = 0;
  let paragraph = 0;
  const endParagraph = (end: number) => {
    if (end > paragraph) spans.push(...inlineSpans(text, paragraph, end));
  };
  for (let start = 0; start < text.length; ) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence) && line.trim() === mark) {
        spans.push([fenceStart, end]);
        fence = null;
        paragraph = end;
      }
    } else if (mark !== undefined && !(mark.startsWith("`") && line.trim().slice(mark.length).includes("`"))) {
      endParagraph(start);
      fence = mark;
      fenceStart = start;
    } else if (/^\s*>/.test(line)) {
      endParagraph(start);
      spans.push([start, end]);
      paragraph = end;
    } else if (line.trim() === "") {
      endParagraph(start);
      paragraph = end;
    }
    start = end;
  }
  if (fence === null) endParagraph(text.length);
  // A fence that nobody closed goes on to the end, as Markdown has it.
  else spans.push([fenceStart, text.length]);
  return spans;
}

function lineEnd(text: string, start: number): number {
  const at = text.indexOf("\n", start);
  return at === -1 ? text.length : at + 1;
}

/** Code spans and quotations of one paragraph. Inside a code span, quotation marks mean nothing. */
function inlineSpans(text: string, from: number, to: number): Span[] {
  const paragraph = text.slice(from, to);
  const code = codeSpans(paragraph);
  const quotations = quotedSpans(paragraph, code);
  return [...code, ...quotations]
    .sort(([left], [right]) => left - right)
    .map(([start, end]) => [start + from, end + from]);
}

/** From a run of backticks to the next run of the same length. */
function codeSpans(paragraph: string): Span[] {
  const runs = [...paragraph.matchAll(/`+/g)].map(({ 0: run, index }) => ({ index, length: run.length }));
  const nextOfLength = new Map<number, number>();
  const closing = new Array<number | undefined>(runs.length);
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at] as { length: number };
    closing[at] = nextOfLength.get(length);
    nextOfLength.set(length, at);
  }
  const spans: Span[] = [];
  for (let at = 0; at < runs.length; at++) {
    const close = closing[at];
    const run = runs[at];
    const end = close === undefined ? undefined : runs[close];
    if (close === undefined || run === undefined || end === undefined) continue;
    spans.push([run.index, end.index + end.length]);
    at = close;
  }
  return spans;
}

/**
 * From a quotation mark at a word's start to its partner at a word's end. A second opening mark before the partner starts
 * anew, so that a stray mark never swallows a selection further on; single marks do not reach beyond their line.
 */
function quotedSpans(paragraph: string, code: readonly Span[]): Span[] {
  const spans: Span[] = [];
  let open = null as { at: number; closing: string; single: boolean } | null;
  let skip = 0;
  for (let at = 0; at < paragraph.length; at++) {
    const span = code[skip];
    if (span !== undefined && at === span[0]) {
      at = span[1] - 1;
      skip++;
      continue;
    }
    const character = paragraph[at] ?? "";
    if (character === "\n" && open?.single) open = null;
    if (open?.closing.includes(character) && /^(?:$|[\s.,;:!?)\]}…])/u.test(paragraph.slice(at + 1, at + 2))) {
      spans.push([open.at, at + 1]);
      open = null;
    } else if (Object.hasOwn(CLOSING, character) && /^(?:|[\s([{])$/u.test(paragraph.slice(Math.max(0, at - 1), at))) {
      open = { at, closing: CLOSING[character] ?? "", single: "'‘‹".includes(character) };
    }
  }
  return spans;
}
