/** What is to be installed: a folder of skills, read whole and checked whole before anything is written. */
import { createHash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PackError, printable } from "../core/errors.ts";
import { loadSkill, loadSkills } from "../core/skill.ts";
import { checkPaths } from "./names.ts";

export interface SourceFile {
  /** Relative to the skill's folder, with `/` between the segments. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
  hash: string;
}

export interface SourceSkill {
  name: string;
  /** Absolute path of the skill's folder. */
  folder: string;
  files: SourceFile[];
}

const MAX_FILES = 1000;
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_DEPTH = 12;
/** Never part of a skill: a clone's history, installed packages, secrets. */
const LEFT_OUT = /^(?:\.git|node_modules|\.DS_Store|Thumbs\.db|\.env(?:\..*)?)$/;

/** SHA-256 of a file; a text's line ends count as line feeds, so that a checkout on Windows changes nothing. */
export function contentHash(bytes: Uint8Array): string {
  const text = bytes.includes(0) ? bytes : Buffer.from(bytes).toString("latin1").replaceAll("\r\n", "\n");
  return createHash("sha256")
    .update(typeof text === "string" ? Buffer.from(text, "latin1") : text)
    .digest("hex");
}

/**
 * Reads the named skills of a folder, or all. Nothing of a skill is run: its front matter is read, its files are copied.
 * Throws a `PackError` where a skill does not load, holds a link or an unsafe name, or is too large.
 */
export async function readSource(folder: string, names: readonly string[] = []): Promise<SourceSkill[]> {
  const { skills, errors } = await loadSkills(folder);
  const wanted = names.length > 0 ? names : [...skills.map(({ name }) => name)];
  if (names.length === 0 && errors[0] !== undefined) throw errors[0];
  if (wanted.length === 0) {
    throw new PackError("no-skills", "The folder holds no skill", {
      file: folder,
      fix: "Name a folder of skill folders",
    });
  }
  return Promise.all(
    [...new Set(wanted)].map(async (name) => {
      const known = skills.find((skill) => skill.name === name);
      if (known === undefined) {
        const failed = errors.find(({ file }) => file !== undefined && basename(dirname(file)) === name);
        throw (
          failed ??
          new PackError("usage", `There is no skill "${printable(name, 64)}"`, {
            fix: `One of: ${skills.map((skill) => skill.name).join(", ")}`,
          })
        );
      }
      return readSkill(known.directory, name);
    }),
  );
}

async function readSkill(folder: string, name: string): Promise<SourceSkill> {
  await loadSkill(folder);
  const files: SourceFile[] = [];
  const paths: string[] = [];
  let total = 0;
  const walk = async (relative: string, depth: number): Promise<void> => {
    for (const entry of (await readdir(join(folder, relative))).sort()) {
      if (LEFT_OUT.test(entry)) continue;
      const path = relative === "" ? entry : `${relative}/${entry}`;
      const found = await lstat(join(folder, path));
      paths.push(path);
      if (found.isDirectory() && depth < MAX_DEPTH) await walk(path, depth + 1);
      else if (found.isFile()) {
        total += found.size;
        if (total > MAX_BYTES || files.length >= MAX_FILES) {
          throw new PackError("too-large", `${name} has more than ${MAX_FILES} files or ${MAX_BYTES} bytes`, {
            file: folder,
            fix: "Remove what is not part of the skill",
          });
        }
        const bytes = await readFile(join(folder, path));
        files.push({ path, bytes, executable: (found.mode & 0o111) !== 0, hash: contentHash(bytes) });
      } else {
        const what = found.isSymbolicLink() ? "a link" : "neither a file nor a folder that can be copied";
        throw new PackError("not-a-file", `"${printable(path)}" is ${what}; a skill is installed from files only`, {
          file: folder,
          fix: "Replace it by the file itself",
        });
      }
    }
  };
  await walk("", 0);
  checkPaths(paths, folder);
  return { name, folder, files };
}
