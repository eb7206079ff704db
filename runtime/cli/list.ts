import { defineCommand } from "citty";
import { listTarget } from "../install/install.ts";
import { readSource } from "../install/source.ts";
import { folderOf, targetOf } from "../install/target.ts";
import { allTargets } from "../install/visible.ts";
import { builtSkills } from "./built-skills.ts";
import { EXIT_DRIFT, FROM_ARG, surroundings, TARGET_ARGS } from "./install-options.ts";
import { formatTable, isTerminal, note, print, printJson } from "./io.ts";

export const command = defineCommand({
  meta: {
    name: "list",
    description: "List installed skills by folder, each hashed again: current, stale, modified, missing or foreign",
  },
  args: {
    ...TARGET_ARGS,
    ...FROM_ARG,
    verify: { type: "boolean", description: "Exit 4 where a skill of this pack is modified or missing" },
    json: { type: "boolean", description: "Print JSON" },
  },
  async run({ args }) {
    const place = surroundings();
    const one = args.host !== undefined || (args.dir !== undefined && !args.global);
    const targets = one
      ? [targetOf(args, place)]
      : allTargets(place).filter(({ scope }) => !args.global || scope === "user");
    const sources = await readSource(builtSkills(args.from));
    const rows = [];
    for (const target of targets) {
      const skills = await listTarget(target, sources);
      if (skills === null && one) note(`${folderOf(target)} is not there`);
      for (const skill of skills ?? []) {
        rows.push({ ...skill, host: target.host, scope: target.scope, folder: folderOf(target) });
      }
    }
    if (args.json) printJson(rows);
    else {
      const cells = rows.map(({ name, state, linked, folder }) => [name, state, linked ? "link" : "copy", folder]);
      if (isTerminal()) print(await formatTable(["skill", "state", "as", "folder"], cells));
      else for (const row of cells) print(row.join("\t"));
    }
    const drifted = rows.some(({ state }) => state === "modified" || state === "missing");
    return args.verify && drifted ? EXIT_DRIFT : 0;
  },
});
