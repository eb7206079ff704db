/**
 * Loading a SKILL.md of the public Agent Skills format. A SKILL.md is untrusted: its front matter is YAML and nothing
 * else, every scalar stays the text that was written, and what does not fit is refused with file, line and fix.
 *
 * Rules: Agent Skills specification (agentskills.io/specification).
 */
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { z } from "zod";
import { PackError, printable } from "./errors.ts";
import { readFrontmatter } from "./frontmatter.ts";
import { splitFrontmatter } from "./skill-text.ts";

/** The largest SKILL.md that is read, in bytes: hosts refuse or cut larger ones. */
export const MAX_SKILL_BYTES = 1024 * 1024;

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** The specification's front matter and nothing more; lengths count UTF-16 code units, as most hosts do. */
const FrontmatterSchema = z.strictObject({
  name: z
    .string()
    .max(64, "is longer than 64 characters")
    .regex(NAME, "must be lower-case letters, digits and single hyphens"),
  description: z
    .string()
    .max(1024, "is longer than 1,024 characters")
    .refine((text) => text.trim() !== "", "is empty"),
  license: z.string().optional(),
  compatibility: z.string().min(1, "is empty").max(500, "is longer than 500 characters").optional(),
  metadata: z.record(z.string(), z.string("must be text")).default({}),
  "allowed-tools": z.string("must be one space-separated line of text").optional(),
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
      if (!(await readdir(directory)).includes("SKILL.md")) continue;
      loaded.skills.push(await loadSkill(directory));
    } catch (error) {
      loaded.errors.push(error instanceof PackError ? error : unreadable(directory, error));
    }
  }
  return loaded;
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
    const { size } = await stat(real);
    if (size > MAX_SKILL_BYTES) {
      throw new PackError("too-large", `SKILL.md has ${size} bytes, ${MAX_SKILL_BYTES} at most`, {
        file,
        fix: "Move long parts to files beside it and link to them",
      });
    }
    return decode(await readFile(real), file);
  } catch (error) {
    throw error instanceof PackError ? error : unreadable(file, error);
  }
}

function decode(bytes: Uint8Array, file: string): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    throw new PackError("bad-encoding", "SKILL.md is UTF-16", { file, line: 1, fix: "Save it as UTF-8" });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new PackError("bad-encoding", "SKILL.md is not valid UTF-8", { file, fix: "Save it as UTF-8", cause });
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
      line: lineOfKey(yaml, "name"),
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

function badField(error: z.ZodError, yaml: string, file: string): PackError {
  // A key that is not known comes first: it is often the one that is missing, misspelt.
  const issue = error.issues.find(({ code }) => code === "unrecognized_keys") ?? error.issues[0];
  if (issue?.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    const near = Object.keys(FrontmatterSchema.shape).find((known) => isNear(known, key));
    return new PackError(
      "unknown-key",
      `The front matter's key "${printable(key)}" is not one of the specification's`,
      {
        file,
        line: lineOfKey(yaml, key),
        fix: near === undefined ? `Move it under metadata, as text` : `Did you mean "${near}"?`,
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
    line: lineOfKey(yaml, key) ?? 1,
    fix: missing ? `Add a line ${key}: …` : `Mend the value of ${path}`,
  });
}

/** The file's line on which a top-level key stands. */
function lineOfKey(yaml: string, key: string): number | undefined {
  const index = yaml.split("\n").findIndex((line) => line.startsWith(`${key}:`) || line.startsWith(`"${key}":`));
  return index === -1 ? undefined : index + 2;
}

/** Equal but for case, white space, `_` for `-`, or two neighbouring letters that changed places. */
function isNear(known: string, typed: string): boolean {
  const plain = typed.toLowerCase().replaceAll("_", "-").trim();
  if (plain === known) return true;
  return [...plain].sort().join("") === [...known].sort().join("");
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
