/** A SKILL.md as text: its bytes decoded, and where its front matter ends and its Markdown starts. Nothing is parsed here. */
import { PackError, printable } from "./errors.ts";

/** The text of a SKILL.md, a byte order mark left in. Throws `bad-encoding` with the line for what is no UTF-8. */
export function decodeSkill(bytes: Uint8Array, file: string): string {
  const fix = "Save it as UTF-8";
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff) || first === 0 || second === 0) {
    throw new PackError("bad-encoding", "SKILL.md is UTF-16", { file, line: 1, fix });
  }
  try {
    return utf8(bytes);
  } catch (cause) {
    throw new PackError("bad-encoding", "SKILL.md is not valid UTF-8", { file, line: badLine(bytes), fix, cause });
  }
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The first line that is no UTF-8: a line feed is never part of another character. */
function badLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, start);
    try {
      utf8(bytes.subarray(start, end === -1 ? bytes.length : end));
    } catch {
      break;
    }
    start = end === -1 ? bytes.length : end + 1;
  }
  return line;
}

/**
 * The YAML between two lines of exactly `---`, the first of them the file's first line, and the Markdown after it, both with
 * line feeds only. `bodyLine` is the file's line on which the Markdown starts. Throws `no-frontmatter` or
 * `unclosed-frontmatter`.
 */
export function splitFrontmatter(source: string, file: string): { yaml: string; body: string; bodyLine: number } {
  const lines = source.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (source.trim() === "") {
    throw new PackError("no-frontmatter", "SKILL.md is empty", {
      file,
      line: 1,
      fix: "Start it with ---, name, description and ---",
    });
  }
  if (lines[0] !== "---") {
    throw new PackError("no-frontmatter", `SKILL.md starts with "${printable(lines[0] ?? "", 40)}", not with ---`, {
      file,
      line: 1,
      column: 1,
      fix: "Make the first line exactly ---, with nothing before or after it",
    });
  }
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith("---"));
  if (end === -1 || lines[end]?.trimEnd() !== "---") {
    throw new PackError("unclosed-frontmatter", "The front matter has no closing --- line", {
      file,
      line: end === -1 ? lines.length : end + 1,
      fix: "Close the front matter with a line of exactly ---",
    });
  }
  return { yaml: lines.slice(1, end).join("\n"), body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
}
