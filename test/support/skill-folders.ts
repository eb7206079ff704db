/** Folders of skills and projects to install them into, in a place of their own that the caller removes. */
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import type { Target } from "../../runtime/install/target.ts";

/** A temporary folder with a space and letters beyond ASCII in its name, removed after the file's tests. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-skills Ünï (x) ")));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let count = 0;
export function newFolder(root: string, name = "p"): string {
  count += 1;
  const folder = join(root, `${name}-${count}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Writes files by their relative path. */
export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

export function skillText(name: string, body = "Do it.\n"): string {
  return `---\nname: ${name}\ndescription: Show how a skill is installed. Use it in tests.\nlicense: MIT\n---\n\n# ${name}\n\n${body}`;
}

/** A folder with the skills `first` (a script, a reference, an executable) and `second`. */
export function skillSource(root: string, body?: string): string {
  const folder = newFolder(root, "source");
  writeFiles(folder, {
    "first/SKILL.md": skillText("first", body),
    "first/scripts/first.mjs": "export const answer = 42;\n",
    "first/references/notes.md": "Notes\n",
    "second/SKILL.md": skillText("second"),
  });
  chmodSync(join(folder, "first/scripts/first.mjs"), 0o755);
  return folder;
}

export function claudeTarget(base: string): Target {
  return { host: "claude", scope: "project", base, segments: [".claude", "skills"] };
}

/** Every file below a folder with its text, links as `-> target`. */
export function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const status = statSync(join(folder, entry), { throwIfNoEntry: false });
    if (status?.isFile()) found[entry.replaceAll("\\", "/")] = readFileSync(join(folder, entry), "utf8");
  }
  return found;
}
