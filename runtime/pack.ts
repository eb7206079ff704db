/** A pack: the skills of one folder with their modules' handlers, registered. Adding a skill is adding a folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PackError } from "./core/errors.ts";
import { HandlerRegistry, isHandler } from "./core/handler.ts";
import { loadSkills, type Skill } from "./core/skill.ts";

export interface Pack {
  skills: Skill[];
  handlers: HandlerRegistry;
  /** What did not load; the rest of the pack works all the same. */
  errors: PackError[];
}

/** Loads every skill of a folder and registers its handlers; the folder's modules are imported, so it must be trusted. */
export async function loadPack(folder: string): Promise<Pack> {
  const { skills, errors } = await loadSkills(folder);
  const pack: Pack = { skills: [], handlers: new HandlerRegistry(), errors };
  for (const skill of skills) {
    try {
      for (const handler of await importHandlers(skill)) pack.handlers.add(handler);
      pack.skills.push(skill);
    } catch (error) {
      pack.errors.push(
        error instanceof PackError
          ? error
          : new PackError("bad-module", `The module of ${skill.name} does not load`, {
              file: skill.file,
              cause: error,
            }),
      );
    }
  }
  return pack;
}

/** The handlers that a skill's module exports; they must be exactly those that its SKILL.md declares. */
async function importHandlers(skill: Skill) {
  const file = ["ts", "js"]
    .map((extension) => join(skill.directory, `${skill.name}.${extension}`))
    .concat(join(skill.directory, "scripts", `${skill.name}.mjs`))
    .find((candidate) => existsSync(candidate));
  if (file === undefined) {
    if (skill.handlers.length === 0) return [];
    throw new PackError("no-module", `${skill.name} declares handlers and has no module`, {
      file: skill.file,
      fix: `Add ${skill.name}.ts beside SKILL.md, or remove metadata.handlers`,
    });
  }
  const module: Record<string, unknown> = await import(pathToFileURL(file).href);
  const handlers = Object.values(module).filter(isHandler);
  const exported = handlers.map((handler) => handler.name);
  const missing = skill.handlers.filter((name) => !exported.includes(name));
  const undeclared = exported.filter((name) => !skill.handlers.includes(name));
  if (missing.length > 0 || undeclared.length > 0) {
    const parts = [
      missing.length > 0 ? `declares ${missing.join(", ")}, which its module does not export` : "",
      undeclared.length > 0 ? `exports ${undeclared.join(", ")}, which metadata.handlers does not name` : "",
    ];
    throw new PackError("handler-mismatch", `${skill.name} ${parts.filter((part) => part !== "").join(" and ")}`, {
      file: skill.file,
      fix: "Let metadata.handlers and the module's exports name the same handlers",
    });
  }
  return handlers;
}
