/** A pack: the skills of one folder with their modules' handlers, registered. Adding a skill is adding a folder. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { PackError, printable } from "./core/errors.ts";
import { type Handler, HandlerRegistry, isHandler } from "./core/handler.ts";
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
      const handlers = await importHandlers(skill);
      refuseTaken(pack.handlers, handlers, skill);
      for (const handler of handlers) pack.handlers.add(handler);
      pack.skills.push(skill);
    } catch (error) {
      pack.errors.push(error instanceof PackError ? error : badModule(skill, error));
    }
  }
  return pack;
}

function badModule(skill: Skill, cause: unknown): PackError {
  const why = printable(cause instanceof Error ? cause.message : String(cause));
  return new PackError("bad-module", `The module of ${skill.name} does not load: ${why}`, {
    file: skill.file,
    fix: "Mend the module beside it; the other skills work without it",
    cause,
  });
}

/** A skill is registered whole or not at all. */
function refuseTaken(registry: HandlerRegistry, handlers: readonly Handler[], skill: Skill): void {
  const taken = handlers.find(({ name }, at) => {
    return registry.get(name) !== undefined || handlers.findIndex((other) => other.name === name) !== at;
  });
  if (taken === undefined) return;
  throw new PackError(
    "duplicate-handler",
    `Two handlers are called "${taken.name}"; that of ${skill.name} is left out`,
    {
      file: skill.file,
      fix: "Rename one of them",
    },
  );
}

/** The handlers that a skill's module exports; they must be exactly those that its SKILL.md declares. */
async function importHandlers(skill: Skill): Promise<Handler[]> {
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
  // A handler may be exported under two names.
  const handlers = [...new Set(Object.values(module).filter(isHandler))];
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
