/** Every command with one line on what it does. A command's module is imported when it runs. */
import type { CommandDef } from "citty";

export interface CommandEntry {
  summary: string;
  // biome-ignore lint/suspicious/noExplicitAny: citty's own type for a command of any arguments.
  load(): Promise<CommandDef<any>>;
}

export const COMMANDS: Record<string, CommandEntry> = {
  skills: {
    summary: "List the pack's skills, or validate a folder of skills",
    load: () => import("./skills.ts").then((module) => module.command),
  },
  run: {
    summary: "Run one handler: JSON in, JSON out",
    load: () => import("./run.ts").then((module) => module.command),
  },
};
