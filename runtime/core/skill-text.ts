/** Where the front matter of a SKILL.md ends and its Markdown starts. Nothing of it is parsed here. */
import { PackError, printable } from "./errors.ts";

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
