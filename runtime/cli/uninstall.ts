import { defineCommand } from "citty";
import { PackError } from "../core/errors.ts";
import type { TargetResult } from "../install/install.ts";
import type { FileChange } from "../install/own-files.ts";
import { EXIT_CONFLICT, EXIT_DRIFT, named, printRun, RUN_ARGS, surroundings, TARGET_ARGS } from "./install-options.ts";
import { installedTargets } from "./installed-targets.ts";
import { note } from "./io.ts";

export const command = defineCommand({
  meta: { name: "uninstall", description: "Remove what was installed and nothing else; what was edited stays" },
  args: {
    skill: { type: "positional", required: false, description: "The skills' names; default all of this pack" },
    ...TARGET_ARGS,
    all: { type: "boolean", description: "All skills of this pack; the default, for those who like to say so" },
    ...RUN_ARGS,
  },
  async run({ args }) {
    const [{ uninstallSkills }, { removeExtras }] = await Promise.all([
      import("../install/install.ts"),
      import("../install/extras.ts"),
    ]);
    const names = named(args);
    if (args.all && names.length > 0) throw new PackError("usage", "--all and names exclude each other");
    const dryRun = args["dry-run"] === true;
    const results: TargetResult[] = [];
    const files: FileChange[] = [];
    for (const { target, skills } of await installedTargets(args, surroundings(), true)) {
      // The hooks run a script of using-mcp, and the paragraph names the skills: both go before what they speak of.
      const last = names.length === 0 || skills.every((name) => names.includes(name));
      if (last || names.includes("using-mcp")) files.push(...(await removeExtras(target, dryRun)));
      if (skills.length > 0 || names.length > 0) {
        results.push(await uninstallSkills(target, names, { force: args.force, dryRun }));
      }
    }
    if (results.length === 0 && files.length === 0) note("No skill of this pack is installed here");
    printRun(results, files, args.json);
    const kept = results.flatMap(({ skills }) => skills).filter(({ conflict }) => conflict !== null);
    if (kept.length === 0) return 0;
    return kept.some(({ state }) => state === "modified") ? EXIT_DRIFT : EXIT_CONFLICT;
  },
});
