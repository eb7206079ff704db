import { defineCommand } from "citty";
import type { TargetResult } from "../install/install.ts";
import type { FileChange } from "../install/own-files.ts";
import { builtSkills } from "./built-skills.ts";
import {
  EXIT_CONFLICT,
  FROM_ARG,
  hasConflict,
  named,
  printRun,
  RUN_ARGS,
  surroundings,
  TARGET_ARGS,
} from "./install-options.ts";
import { installedTargets } from "./installed-targets.ts";
import { note } from "./io.ts";

export const command = defineCommand({
  meta: { name: "update", description: "Bring installed skills to what the pack has; what was edited stays" },
  args: {
    skill: { type: "positional", required: false, description: "The skills' names; default all that are installed" },
    ...TARGET_ARGS,
    ...FROM_ARG,
    ...RUN_ARGS,
  },
  async run({ args }) {
    const [{ installSkills }, { readSource }, extras] = await Promise.all([
      import("../install/install.ts"),
      import("../install/source.ts"),
      import("../install/extras.ts"),
    ]);
    const dryRun = args["dry-run"] === true;
    const sources = await readSource(builtSkills(args.from));
    const results: TargetResult[] = [];
    const files: FileChange[] = [];
    for (const { target, skills } of await installedTargets(args, surroundings())) {
      const wanted = named(args).length > 0 ? skills.filter((name) => named(args).includes(name)) : skills;
      for (const name of wanted.filter((name) => !sources.some((source) => source.name === name))) {
        note(`note: the pack no longer has ${name}; uninstall removes it`);
      }
      const known = sources.filter(({ name }) => wanted.includes(name));
      if (known.length > 0) results.push(await installSkills(target, known, { force: args.force, dryRun }));
      if (extras.takesInstructions(target) && (await extras.hasInstructions(target))) {
        files.push(await extras.addInstructions(target, skills, dryRun));
      }
    }
    if (results.length === 0) note("No skill of this pack is installed here; mcp-skills install puts them there");
    printRun(results, files, args.json);
    return hasConflict(results) ? EXIT_CONFLICT : 0;
  },
});
