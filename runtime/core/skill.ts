/**
 * Loading a SKILL.md of the public Agent Skills format. A SKILL.md is untrusted: its front matter is YAML and nothing
 * else, every scalar stays the text that was written, and what does not fit is refused with file, line and fix.
 *
 * Rules: Agent Skills specification (agentskills.io/specification).
 */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import * as z from "zod/mini";
import "./schema-messages.ts";
import { PackError, printable } from "./errors.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { nearest } from "./nearest.ts";
import { decodeSkill, splitFrontmatter } from "./skill-text.ts";

/** The largest SKILL.md that is read, in bytes: hosts refuse or cut larger ones. */
export const MAX_SKILL_BYTES = 1024 * 1024;

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The specification's front matter and nothing more; lengths count UTF-16 code units, as most hosts do and zod does not. */
const FrontmatterSchema = z.strictObject({
  name: z
    .string()
    .check(
      z.regex(NAME, "must be lower-case letters, digits and single hyphens"),
      z.maxLength(64, "is longer than 64 characters"),
    ),
  description: z.string().check(
    z.refine((text) => text.length <= 1024, "is longer than 1,024 characters"),
    z.refine((text) => text.trim() !== "", "is empty"),
  ),
  license: z.optional(z.string()),
  compatibility: z.optional(
    z.string().check(
      z.minLength(1, "is empty"),
      z.refine((text) => text.length <= 500, "is longer than 500 characters"),
    ),
  ),
  metadata: z._default(z.record(z.string(), z.string("must be text"), "must hold keys with texts, one a line"), {}),
  "allowed-tools": z.optional(z.string("must be one space-separated line of text")),
});

export interface Skill {
  name: string;
  description: string;
  license?: string | undefined;
  compatibility?: string | undefined;
  metadata: Record<string, string>;
  allowedTools?: string | undefined;
  /** The names in `metadata.handlers`. */
  handlers: string[];
  /** Absolute path of the SKILL.md, and of its folder. */
  file: string;
  directory: string;
  /** The Markdown after the front matter, with line feeds only. */
  body: string;
  /** The line of the file on which the body starts. */
  bodyLine: number;
  /** What was read all the same, but should be mended. */
  warnings: PackError[];
}

export interface LoadedSkills {
  skills: Skill[];
  /** One for each folder that did not load. */
  errors: PackError[];
}

/**
 * Loads every skill of a folder: each direct sub-folder that holds a SKILL.md, in the order of their names. A bad skill
 * gives an error and never stops the others.
 */
export async function loadSkills(folder: string): Promise<LoadedSkills> {
  let names: string[];
  try {
    names = (await readdir(folder)).sort();
  } catch (cause) {
    throw unreadable(folder, cause, "Name a folder that holds skill folders");
  }
  const loaded: LoadedSkills = { skills: [], errors: [] };
  for (const name of names) {
    if (name.startsWith(".") || name === "node_modules") continue;
    const directory = join(folder, name);
    try {
      if (!(await stat(directory)).isDirectory()) continue;
      if (!holdsSkill(await readdir(directory), directory)) continue;
      loaded.skills.push(await loadSkill(directory));
    } catch (error) {
      loaded.errors.push(error instanceof PackError ? error : unreadable(directory, error));
    }
  }
  return loaded;
}

/** Throws `wrong-case` for a name that only some file systems and no host take for SKILL.md. */
function holdsSkill(names: readonly string[], directory: string): boolean {
  if (names.includes("SKILL.md")) return true;
  const near = names.find((name) => name.toLowerCase() === "skill.md");
  if (near === undefined) return false;
  throw new PackError("wrong-case", `The file is called ${near}, and hosts look for SKILL.md`, {
    file: join(directory, near),
    fix: "Rename it to SKILL.md",
  });
}

/** Loads one skill's folder, or throws a `PackError` with the file, the line where one is known, and the fix. */
export async function loadSkill(directory: string): Promise<Skill> {
  const file = join(resolve(directory), "SKILL.md");
  return parseSkill(await readSkillFile(file), file);
}

async function readSkillFile(file: string): Promise<string> {
  try {
    const real = await realpath(file);
    if (!real.startsWith((await realpath(dirname(file))) + sep)) {
      throw new PackError("leaves-folder", "SKILL.md is a link to a file outside its folder", {
        file,
        fix: "Put the file itself into the folder",
      });
    }
    const status = await stat(real);
    if (!status.isFile()) {
      // Reading a pipe or a device could wait for ever.
      const what = status.isDirectory() ? "a folder" : "no regular file";
      throw new PackError("unreadable", `SKILL.md is ${what}`, { file, fix: "Put a text file in its place" });
    }
    const { size } = status;
    if (size > MAX_SKILL_BYTES) {
      throw new PackError("too-large", `SKILL.md has ${size} bytes, ${MAX_SKILL_BYTES} at most`, {
        file,
        fix: "Move long parts to files beside it and link to them",
      });
    }
    return decodeSkill(await readFile(real), file);
  } catch (error) {
    throw error instanceof PackError ? error : unreadable(file, error);
  }
}

/** Parses the text of a SKILL.md. `file` gives the folder's name to compare with, and the place in errors. */
export async function parseSkill(text: string, file: string): Promise<Skill> {
  const { yaml, body, bodyLine } = splitFrontmatter(text, file);
  const { data, warnings } = await readFrontmatter(yaml, file);
  const checked = FrontmatterSchema.safeParse(data);
  if (!checked.success) throw badField(checked.error, yaml, file);
  const { name, description, license, compatibility, metadata } = checked.data;
  const folder = basename(dirname(resolve(file)));
  if (name !== folder) {
    throw new PackError("name-mismatch", `The name "${name}" is not that of its folder, "${printable(folder)}"`, {
      file,
      line: lineOfKey(yaml, "name") ?? 2,
      fix: `Rename the folder to "${name}", or the skill to the folder's name`,
    });
  }
  return {
    name,
    description,
    license,
    compatibility,
    metadata,
    allowedTools: checked.data["allowed-tools"],
    handlers: (metadata.handlers ?? "").split(/\s+/).filter((handler) => handler !== ""),
    file,
    directory: dirname(file),
    body,
    bodyLine,
    warnings,
  };
}

function badField(error: z.core.$ZodError, yaml: string, file: string): PackError {
  // A key that is not known comes first: it is often the one that is missing, misspelt.
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const typed = key.toLowerCase().replaceAll("_", "-").trim();
    const near = nearest(typed, Object.keys(FrontmatterSchema.shape), Math.max(1, Math.floor(typed.length / 3)));
    return new PackError(
      "unknown-key",
      `The front matter's key "${printable(key)}" is not one of the specification's`,
      {
        file,
        line: lineOfKey(yaml, key) ?? 2,
        fix: `${near === undefined ? "Move" : `Did you mean "${near}"? Otherwise move`} it under metadata, as text`,
      },
    );
  }
  const key = String(issue?.path[0] ?? "");
  if (key === "") {
    return new PackError("bad-frontmatter", "The front matter is not a list of keys and values", {
      file,
      line: 2,
      fix: "Write name: and description:, one a line",
    });
  }
  const missing = issue?.code === "invalid_type" && issue.message.includes("undefined");
  const path = issue?.path.join(".") ?? key;
  return new PackError("bad-field", missing ? `The front matter has no ${key}` : `${path} ${issue?.message}`, {
    file,
    line: lineOfKey(yaml, ...(issue?.path ?? []).map(String)) ?? 1,
    fix: missing ? `Add a line ${key}: …` : `Mend the value of ${path}`,
  });
}

/** The file's line on which a top-level key stands, or a key under it; where that one is not found, its parent's. */
function lineOfKey(yaml: string, key = "", child?: string): number | undefined {
  const lines = yaml.split("\n");
  const at = lines.findIndex((line) => keyOf(line) === key);
  if (at === -1) return undefined;
  const under = child === undefined ? -1 : lines.findIndex((line, index) => index > at && keyOf(line.trim()) === child);
  return (under === -1 ? at : under) + 2;
}

function keyOf(line: string): string | undefined {
  const colon = line.indexOf(":");
  return colon === -1 ? undefined : line.slice(0, colon).replace(/^(["'])(.*)\1$/, "$2");
}

function unreadable(file: string, cause: unknown, fix = "Check the path and its permissions"): PackError {
  const code = (cause as { code?: string }).code ?? "unreadable";
  const reasons: Record<string, string> = {
    ENOENT: "does not exist",
    EACCES: "may not be read",
    EISDIR: "is a folder",
    ENOTDIR: "is not a folder",
    ELOOP: "is a link that leads back to itself",
  };
  return new PackError("unreadable", `${basename(file)} ${reasons[code] ?? `cannot be read (${code})`}`, {
    file,
    fix,
    cause,
  });
}
