/**
 * The paragraph that declares the pack in a host's instruction file, between two markers. Everything outside the markers
 * stays as it is, to the byte; removing it gives back what was there before.
 */
import { PackError } from "../core/errors.ts";

const BEGIN = "<!-- mcp-skill-pack: begin -->";
const END = "<!-- mcp-skill-pack: end -->";

/** The text with the block put in or renewed; `before` is `null` where there is no file. */
export function withBlock(before: string | null, paragraph: string, file: string): string {
  const text = before ?? "";
  const eol = /\r\n/.test(text) ? "\r\n" : "\n";
  const block = [BEGIN, ...paragraph.trim().split("\n"), END].join(eol);
  const place = findBlock(text, file);
  if (place !== null) return text.slice(0, place.start) + block + text.slice(place.end);
  return `${text}${text === "" ? "" : eol}${block}${eol}`;
}

/** The text without the block and the line ends that came with it, or `null` where nothing else is in it. */
export function withoutBlock(text: string, file: string): string | null {
  const place = findBlock(text, file);
  if (place === null) return text;
  const before = text.slice(0, place.start).replace(/\r?\n$/, "");
  const after = text.slice(place.end).replace(/^\r?\n/, "");
  return before + after === "" ? null : before + after;
}

export function hasBlock(text: string, file: string): boolean {
  return findBlock(text, file) !== null;
}

function findBlock(text: string, file: string): { start: number; end: number } | null {
  const start = text.indexOf(BEGIN);
  const end = text.indexOf(END);
  if (start === -1 && end === -1) return null;
  const again = text.indexOf(BEGIN, start + 1) !== -1 || text.indexOf(END, end + 1) !== -1;
  if (start === -1 || end < start || again) {
    throw new PackError("bad-markers", "The pack's two markers are not there once each, in order", {
      file,
      fix: `Remove what is left of ${BEGIN} and ${END}, then run again`,
    });
  }
  return { start, end: end + END.length };
}

/** What the paragraph says of the skills that are installed. */
export function instructionsParagraph(skills: readonly string[]): string {
  return [
    "## MCP tools",
    "",
    `The skills ${skills.join(", ")} in \`.github/skills\` say which of this session's MCP tools serves a need, how to load few`,
    "of them, and which calls need a person's yes. Read the fitting SKILL.md before doing by hand what a connected tool may do,",
    "and before every MCP call: reads run, writes ask, and what cannot be taken back always asks.",
  ].join("\n");
}
