/**
 * A text as the statements that its author makes: what is quoted, logged, commented out or shown as code is gone, and each
 * statement knows the heading and the introducing line it stands under. One pass, in linear time.
 */

export interface Statement {
  text: string;
  kind: "sentence" | "item" | "row" | "heading";
  /** For a table's row: its cells, and the heading cells of its columns. */
  cells?: string[];
  columns?: string[];
  /** The headings above, outermost first. */
  headings: string[];
  /** The line that introduces this list or table, where it ends with a colon; else empty. */
  intro: string;
}

type Line = { kind: "text" | "item" | "row" | "heading" | "blank"; text: string; level: number };

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+)$/;
const ITEM = /^([ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(.+)$/;
const NOTE = /^ {0,3}> ?(?:\[!\w{3,12}\]|[*_]{0,2}(?:note|important|tip|warning|caution|attention)\b)/i;
const RULE = /^[\s|:-]+$/;
/** A line of a log or of a terminal: a time stamp, a level, or a shell's prompt before it. */
const LOGGED =
  /^\s*(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|TRACE|FATAL)\b[\]:]?\s|[$%❯]\s|npm ERR!|at .+:\d+:\d+\)?$)/;

/** The statements of a text, in order. */
export function readStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  const headings: { level: number; text: string }[] = [];
  let paragraph: string[] = [];
  let intro = "";
  let columns: string[] | undefined;
  let last: Line["kind"] = "blank";
  const place = () => ({ headings: headings.map((heading) => heading.text), intro });
  const endParagraph = () => {
    if (paragraph.length === 0) return;
    const joined = paragraph.join(" ");
    paragraph = [];
    for (const sentence of splitSentences(joined)) statements.push({ text: sentence, kind: "sentence", ...place() });
    const end = statements.at(-1)?.text ?? "";
    intro = /:["')\]*_]*$/.test(end) ? end : "";
  };
  for (const line of statedLines(text)) {
    if (line.kind !== "row") columns = undefined;
    if (line.kind === "text" && last === "item" && line.level > 0) {
      const item = statements.at(-1);
      if (item?.kind === "item") item.text += ` ${line.text}`;
      continue;
    }
    const underlined = line.kind === "text" && paragraph.length === 1 && /^(?:=+|-{2,})$/.test(line.text);
    if (underlined) {
      line.kind = "heading";
      line.level = line.text.startsWith("=") ? 1 : 2;
      line.text = paragraph.pop() ?? "";
    }
    if (line.kind !== "text" || startsAnew(line.text, paragraph)) endParagraph();
    if (line.kind === "heading") {
      while ((headings.at(-1)?.level ?? 0) >= line.level) headings.pop();
      intro = "";
      statements.push({ text: line.text, kind: "heading", ...place() });
      headings.push({ level: line.level, text: line.text });
    } else if (line.kind === "text") {
      // What comes after a list no longer stands under the line that introduced it.
      if (last === "item" || last === "row") intro = "";
      paragraph.push(line.text);
    } else if (line.kind === "item") {
      statements.push({ text: line.text, kind: "item", ...place() });
    } else if (line.kind === "row" && !RULE.test(line.text)) {
      const cells = line.text
        .replace(/^\s*\||\|\s*$/g, "")
        .split("|")
        .map((cell) => cell.trim());
      if (columns === undefined) columns = cells;
      else statements.push({ text: cells.join(" | "), kind: "row", cells, columns, ...place() });
    }
    if (line.kind !== "blank") last = line.kind;
    else if (last === "text") last = "blank";
  }
  endParagraph();
  return statements;
}

/** A new line of a paragraph that is a statement of its own: `Key: value`, or what follows a line that has ended. */
function startsAnew(line: string, paragraph: readonly string[]): boolean {
  const before = paragraph.at(-1);
  return before !== undefined && (/[.!?:]["')\]]*$/.test(before) || /^[*_]{0,2}[A-Za-z][\w ()/-]{0,40}:/.test(line));
}

function* statedLines(text: string): Generator<Line> {
  const lines = withoutComments(text.replace(/^\uFEFF/, "")).split(/\r\n|[\n\r]/);
  let fence: string | null = null;
  let listed = false;
  let noted = false;
  const start = frontmatterEnd(lines);
  for (const written of lines.slice(start)) {
    // A note that is set as a quotation is the author's own.
    noted = NOTE.test(written) || (noted && /^ {0,3}>/.test(written));
    const line = noted ? written.replace(/^ {0,3}> ?(?:\[!\w+\])?/, "") : written;
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark)
        fence = null;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      continue;
    }
    if (line.trim() === "") {
      yield { kind: "blank", text: "", level: 0 };
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading !== null) {
      listed = false;
      yield { kind: "heading", text: (heading[2] ?? "").replace(/[ \t]#+[ \t]*$/, ""), level: heading[1]?.length ?? 1 };
      continue;
    }
    const item = ITEM.exec(line);
    const indented = /^(?: {4}|\t)/.test(line);
    if (/^\s*>/.test(line) || LOGGED.test(item?.[2] ?? line) || (indented && !listed)) continue;
    if (item !== null) {
      listed = true;
      yield { kind: "item", text: withoutStruck(item[2] ?? ""), level: 0 };
    } else if (/^\s*\|/.test(line) || (line.includes("|") && RULE.test(line))) {
      yield { kind: "row", text: line, level: 0 };
    } else {
      if (!/^\s/.test(line)) listed = false;
      yield { kind: "text", text: withoutStruck(line.trim()), level: /^\s/.test(line) ? 1 : 0 };
    }
  }
}

/** Without what is struck out. */
function withoutStruck(line: string): string {
  return line.includes("~~") ? line.replace(/~~[^~]+~~/g, "") : line;
}

/** The line after a leading block between `---` lines, or 0. */
function frontmatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== "---") return 0;
  const end = lines.indexOf("---", 1);
  return end === -1 ? 0 : end + 1;
}

/** Without HTML comments; one that is not closed hides the rest, as it does where Markdown is shown. */
function withoutComments(text: string): string {
  let kept = "";
  let at = 0;
  for (let start = text.indexOf("<!--"); start !== -1; start = text.indexOf("<!--", at)) {
    kept += text.slice(at, start);
    const end = text.indexOf("-->", start + 4);
    if (end === -1) return kept;
    // Lines stay lines.
    kept += "\n".repeat(text.slice(start, end).split("\n").length - 1);
    at = end + 3;
  }
  return kept + text.slice(at);
}

const ABBREVIATED = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|incl|approx|No|Mr|Mrs|Dr)\.$/;

/** Splits at `.`, `!` and `?` before white space, not inside code spans and not after an abbreviation. */
export function splitSentences(text: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let code = false;
  const lastMark = text.lastIndexOf("`");
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "`") code = !code && at < lastMark;
    if (code || (character !== "." && character !== "!" && character !== "?")) continue;
    let end = at + 1;
    while (end < text.length && /["')\]*_”’]/.test(text[end] ?? "")) end++;
    if (end < text.length && !/\s/.test(text[end] ?? "")) continue;
    if (character === "." && ABBREVIATED.test(text.slice(Math.max(start, at - 12), at + 1))) continue;
    sentences.push(text.slice(start, end).trim());
    start = end;
  }
  const rest = text.slice(start).trim();
  if (rest !== "") sentences.push(rest);
  return sentences;
}
