/**
 * A built skill's script as a command: the handlers of one skill, JSON in, JSON out. Imported, it does nothing, so that the
 * same file is the skill's module as well.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { readAll, writeAll } from "./core/descriptors.ts";
import { describeError, PackError } from "./core/errors.ts";
import { type Handler, handlerSchemas, isHandler, runHandler } from "./core/handler.ts";
import { isMainModule } from "./core/main-module.ts";
import { modulePath } from "./core/module-path.ts";

const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/** Runs the command line where `moduleUrl` is what was started. Exit codes: 0 done, 1 the work failed, 2 wrong input. */
export async function runSkillScript(moduleUrl: string, exports: object): Promise<void> {
  if (!isMainModule(moduleUrl)) return;
  try {
    const handlers = Object.values(exports).filter(isHandler);
    const result = await answer(handlers, process.argv.slice(2), basename(modulePath(moduleUrl)));
    writeAll(1, `${typeof result === "string" ? result : JSON.stringify(result, null, 2)}\n`);
  } catch (error) {
    writeAll(2, `${describeError(error)}\n`);
    process.exitCode = error instanceof PackError && error.code !== "invalid-output" ? 2 : 1;
  }
}

async function answer(handlers: Handler[], argv: string[], file: string): Promise<unknown> {
  const { values, positionals } = parse(argv);
  const [name, ...rest] = positionals;
  const list = handlers.map((handler) => `  ${handler.name}  ${handler.description}`).join("\n");
  if (name === undefined) {
    const usage = `Usage: ${file} <handler> [--input JSON or FILE] [--schema]\n\nThe input is one JSON object, by default from stdin; the result goes to stdout as JSON.\n\n${list}`;
    if (values.help) return usage;
    throw new PackError("usage", "No handler is named", { fix: usage });
  }
  const handler = handlers.find((known) => known.name === name);
  if (handler === undefined || rest.length > 0) {
    throw new PackError(
      "usage",
      handler === undefined ? `There is no handler "${name}"` : "Only one handler at a time",
      {
        fix: `One of: ${handlers.map((known) => known.name).join(", ")}`,
      },
    );
  }
  if (values.schema || values.help) {
    return { name, description: handler.description, annotations: handler.annotations, ...handlerSchemas(handler) };
  }
  return runHandler(handler, readInput(values.input));
}

interface Arguments {
  values: { input?: string | undefined; schema: boolean; help: boolean };
  positionals: string[];
}

/** By hand: `node:util`, which has a parser, would be a tenth of what this script may add to a start. */
function parse(argv: readonly string[]): Arguments {
  const values: Arguments["values"] = { schema: false, help: false };
  const positionals: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const argument = argv[at] as string;
    if (argument === "--schema") values.schema = true;
    else if (argument === "--help" || argument === "-h") values.help = true;
    else if (argument.startsWith("--input=")) values.input = argument.slice("--input=".length);
    else if (argument === "--input" && at + 1 < argv.length) values.input = argv[++at];
    else if (argument.startsWith("-") && argument !== "-") {
      throw new PackError("usage", "An option is not known or has no value", { fix: "See --help" });
    } else positionals.push(argument);
  }
  return { values, positionals };
}

function readInput(input: string | undefined): unknown {
  let text = input ?? "";
  try {
    if (input === undefined || input === "-") text = readAll(MAX_INPUT_BYTES);
    else if (!/^\s*[[{]/.test(input)) text = readFileSync(input, "utf8");
  } catch (cause) {
    throw new PackError("unreadable", "The input cannot be read", { fix: "Give JSON, or a file's path", cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PackError("not-json", "The input is not valid JSON", { fix: "Give one JSON object", cause });
  }
}
