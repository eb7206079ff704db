import { defineCommand } from "citty";
import { PackError } from "../core/errors.ts";
import { print, printJson } from "./io.ts";

export const command = defineCommand({
  meta: { name: "schema", description: "Print the JSON Schema (draft 2020-12) of what a run hands on" },
  args: {
    name: {
      type: "positional",
      required: false,
      description: "payload, results or handoff; without it, all are listed",
    },
  },
  async run({ args }) {
    const { SCHEMAS, jsonSchema } = await import("../core/published.ts");
    if (args.name === undefined) {
      for (const [name, { description }] of Object.entries(SCHEMAS)) print(`${name}\t${description}`);
      return 0;
    }
    const schema = Object.hasOwn(SCHEMAS, args.name) ? jsonSchema(args.name as keyof typeof SCHEMAS) : undefined;
    if (schema === undefined) {
      throw new PackError("usage", `There is no schema "${args.name}"`, {
        fix: `One of: ${Object.keys(SCHEMAS).join(", ")}`,
      });
    }
    printJson(schema);
    return 0;
  },
});
