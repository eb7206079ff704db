import { defineCommand } from "citty";
import { describeError } from "../core/errors.ts";
import { loadPack } from "../pack.ts";
import { formatTable, isTerminal, note, print, printJson } from "./io.ts";
import { packFolder } from "./pack-folder.ts";

const list = defineCommand({
  meta: { name: "list", description: "List the pack's skills and their handlers" },
  args: { json: { type: "boolean", description: "Print JSON" } },
  async run({ args }) {
    const { skills, errors } = await loadPack(packFolder());
    for (const error of errors) note(describeError(error));
    if (args.json) {
      printJson(skills.map(({ name, description, handlers, file }) => ({ name, description, handlers, file })));
    } else if (isTerminal()) {
      print(
        await formatTable(
          ["skill", "handlers", "description"],
          skills.map((skill) => [skill.name, skill.handlers.join(" "), skill.description]),
        ),
      );
    } else {
      for (const skill of skills) print(`${skill.name}\t${skill.handlers.join(" ")}\t${skill.description}`);
    }
    return errors.length > 0 ? 1 : 0;
  },
});

export const command = defineCommand({
  meta: { name: "skills", description: "The skills of the pack, or of any folder" },
  subCommands: { list, validate: () => import("./validate.ts").then((module) => module.command) },
});
