/** What install, update and uninstall have in common: their options, what they print and the exit code they give. */
import { printable } from "../core/errors.ts";
import { homeFolder } from "../core/home-folder.ts";
import type { SkillResult, TargetResult } from "../install/install.ts";
import type { FileChange } from "../install/own-files.ts";
import type { Surroundings } from "../install/target.ts";
import { note, print, printJson } from "./io.ts";

export const TARGET_ARGS = {
  host: { type: "string", description: "Whose folder of skills", valueHint: "claude|github|agents" },
  global: { type: "boolean", description: "The user's folder instead of the project's" },
  dir: {
    type: "string",
    description: "The project (default: the working directory); without --host, the folder of skills itself",
    valueHint: "folder",
  },
} as const;

export const RUN_ARGS = {
  "dry-run": { type: "boolean", description: "Print what would be done, and do nothing" },
  force: {
    type: "boolean",
    description: "Also touch what was edited or is not of this pack; it is kept beside as .bak",
  },
  json: { type: "boolean", description: "Print JSON" },
} as const;

export const FROM_ARG = {
  from: {
    type: "string",
    description: "A folder of self-contained skills (default: the pack's own)",
    valueHint: "folder",
  },
} as const;

/** Something was in the way and left as it was. */
export const EXIT_CONFLICT = 3;
/** What is installed is not what was installed. */
export const EXIT_DRIFT = 4;

export function surroundings(): Surroundings {
  return { cwd: process.cwd(), home: homeFolder(), env: process.env };
}

/** The positional arguments of a command, which citty gives as `_`. */
export function named(args: { _: string[] }): string[] {
  return args._;
}

export function printRun(
  results: readonly TargetResult[],
  changes: readonly FileChange[],
  json: boolean | undefined,
): void {
  if (json) {
    printJson({ targets: results, files: changes });
    return;
  }
  for (const { folder, dryRun, skills } of results) {
    const would = dryRun ? "would be " : "";
    for (const skill of skills) {
      print(
        `${skill.result === "kept" || skill.result === "unchanged" ? "" : would}${skill.result}\t${printable(`${folder}/${skill.name}`, 400)}`,
      );
      for (const file of skill.files) {
        if ("backup" in file) note(`  ${file.path} was kept as ${file.backup}`);
      }
      if (skill.conflict !== null) note(conflictLine(skill));
    }
  }
  for (const { file, result } of changes) print(`${result}\t${printable(file, 400)}`);
}

function conflictLine({ name, conflict, state, files }: SkillResult): string {
  const kept = files.filter(({ action }) => action === "keep").map(({ path }) => path);
  const which = state === "modified" && kept.length > 1 ? ` (kept: ${kept.join(", ")})` : "";
  return `${printable(name, 64)}: ${printable(conflict ?? "", 300)}${which}; left as it is, --force replaces it`;
}

export function hasConflict(results: readonly TargetResult[]): boolean {
  return results.some(({ skills }) => skills.some(({ conflict }) => conflict !== null));
}
