import { defineCommand } from "citty";
import { PackError } from "../core/errors.ts";
import { handlerSchemas, runHandler } from "../core/handler.ts";
import { describeHandler } from "../handler-reference.ts";
import { loadPack } from "../pack.ts";
import { print, printJson, readJsonInput } from "./io.ts";
import { packFolder } from "./pack-folder.ts";

export const command = defineCommand({
  meta: { name: "run", description: "Run one handler of the pack: JSON in, JSON out" },
  args: {
    handler: { type: "positional", required: false, description: "The handler's name; without it, all are listed" },
    input: {
      type: "string",
      description: "The JSON input itself, or a file's path; default: stdin",
      valueHint: "json|file",
    },
    schema: { type: "boolean", description: "Print the handler's description and both JSON Schemas instead" },
  },
  async run({ args }) {
    const { handlers } = await loadPack(packFolder());
    if (args.handler === undefined) {
      for (const handler of handlers.all()) print(`${handler.name}\t${handler.description}`);
      return 0;
    }
    const handler = handlers.get(args.handler);
    if (handler === undefined) {
      throw new PackError("usage", `There is no handler "${args.handler}"`, {
        fix: `One of: ${handlers
          .all()
          .map(({ name }) => name)
          .join(", ")}`,
      });
    }
    if (args.schema) {
      printJson({
        name: handler.name,
        description: handler.description,
        annotations: handler.annotations,
        ...handlerSchemas(handler),
      });
      return 0;
    }
    printJson(await runHandler(handler, await readHandlerInput(args.input)));
    return 0;
  },
});

/** Help on one handler: what it does, its input field by field, and where the rest stands. */
export async function handlerHelp(rawArgs: string[]): Promise<string | null> {
  const name = rawArgs.find((argument) => !argument.startsWith("-"));
  if (name === undefined) return null;
  const { handlers } = await loadPack(packFolder());
  const handler = handlers.get(name);
  return handler === undefined ? null : describeHandler(handler);
}

async function readHandlerInput(input: string | undefined): Promise<unknown> {
  if (input === undefined) return readJsonInput("-");
  if (!/^\s*[[{]/.test(input)) return readJsonInput(input);
  try {
    return JSON.parse(input);
  } catch (cause) {
    throw new PackError("not-json", "--input is not valid JSON", {
      fix: "Give one JSON object, or a file's path",
      cause,
    });
  }
}
