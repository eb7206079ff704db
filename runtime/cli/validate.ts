import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { defineCommand } from "citty";
import { describeError, PackError } from "../core/errors.ts";
import { loadSkill, loadSkills, type Skill } from "../core/skill.ts";
import { print, printJson } from "./io.ts";
import { packFolder } from "./pack-folder.ts";

export const command = defineCommand({
  meta: {
    name: "validate",
    description: "Check one skill, or every skill of a folder; exit 1 where one does not hold",
  },
  args: {
    folder: {
      type: "positional",
      required: false,
      description: "A skill's folder, or a folder of skills (default: the pack's own)",
    },
    portable: { type: "boolean", description: "Also say what other hosts would drop, cut or read differently" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const folder = resolve(args.folder ?? packFolder());
    const { skills, errors } = await load(folder);
    const warnings = skills.flatMap((skill) => skill.warnings);
    const findings = args.portable ? await portable([...skills.map(({ file }) => file), ...filesOf(errors)]) : [];
    if (args.json) {
      printJson({ valid: skills.map((skill) => skill.name), warnings, errors, ...(args.portable && { findings }) });
    } else {
      for (const skill of skills) print(`ok       ${skill.name}`);
      for (const warning of warnings) print(`warning  ${describeError(warning)}`);
      for (const finding of findings) print(`portable ${describeError(finding)}`);
      for (const error of errors) print(`error    ${describeError(error)}`);
    }
    if (skills.length + errors.length === 0) {
      throw new PackError("no-skills", "There is no skill in the folder", {
        file: folder,
        fix: "Name a folder with a SKILL.md, or one that holds such folders",
      });
    }
    return errors.length + findings.length > 0 ? 1 : 0;
  },
});

async function load(folder: string): Promise<{ skills: Skill[]; errors: PackError[] }> {
  if (!existsSync(join(folder, "SKILL.md"))) return loadSkills(folder);
  try {
    return { skills: [await loadSkill(folder)], errors: [] };
  } catch (error) {
    if (error instanceof PackError) return { skills: [], errors: [error] };
    throw error;
  }
}

function filesOf(errors: readonly PackError[]): string[] {
  return errors.flatMap(({ file }) => (file !== undefined && basename(file) === "SKILL.md" ? [file] : []));
}

async function portable(files: readonly string[]): Promise<PackError[]> {
  const { portableFindings } = await import("../install/portable.ts");
  const sorted = [...new Set(files)].sort((left, right) => (dirname(left) < dirname(right) ? -1 : 1));
  const found = await Promise.all(
    sorted.map(async (file) => {
      const bytes = await readFile(file).catch(() => null);
      return bytes === null ? [] : portableFindings(bytes, file);
    }),
  );
  return found.flat();
}
