#!/usr/bin/env bun
/**
 * `mcp-skills`: finds the command, checks its arguments, runs it and turns what comes back into an exit code: 0 done, 1 the
 * work failed, 2 wrong usage or bad input. Each command is imported only when it runs, so that start-up stays short.
 */
import util, { parseArgs } from "node:util";
import { type ArgsDef, type CommandDef, renderUsage, runCommand } from "citty";
import { describeError, PackError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { COMMANDS } from "./commands.ts";
import { isTerminal, note, print } from "./io.ts";
import { VERSION } from "./version.ts";

const NAME = "mcp-skills";

// biome-ignore lint/suspicious/noExplicitAny: citty's own type for a command of any arguments.
type Command = CommandDef<any>;

/** Runs the command line and gives the exit code. */
export async function main(argv: string[]): Promise<number> {
  try {
    const [name, ...rest] = argv;
    if (name === undefined || name === "--help" || name === "-h" || name === "help") {
      print(overview());
      return name === undefined ? 2 : 0;
    }
    if (name === "--version" || name === "-v") {
      print(VERSION);
      return 0;
    }
    if (name === "complete") {
      const { complete } = await import("./complete.ts");
      await complete(rest.slice(rest.indexOf("--") + 1));
      return 0;
    }
    const entry = COMMANDS[name];
    if (entry === undefined) throw unknown("command", name, Object.keys(COMMANDS), NAME);
    const special = wantsHelp(rest) ? await entry.help?.(rest) : null;
    if (typeof special === "string") {
      print(special);
      return 0;
    }
    return await run(await entry.load(), rest, [NAME, name]);
  } catch (error) {
    note(`${NAME}: ${describeError(error)}`);
    return exitCodeOf(error);
  }
}

async function run(command: Command, rawArgs: string[], path: string[]): Promise<number> {
  const subCommands = (await resolve(command.subCommands)) as Record<string, Command> | undefined;
  const first = rawArgs[0];
  if (subCommands !== undefined && first !== undefined && !first.startsWith("-")) {
    const next = subCommands[first];
    if (next === undefined) throw unknown("command", first, Object.keys(subCommands), path.join(" "));
    return run(await resolve(next), rawArgs.slice(1), [...path, first]);
  }
  if (wantsHelp(rawArgs)) {
    const usage = await renderUsage({ ...command, meta: { ...(await resolve(command.meta)), name: path.join(" ") } });
    print(isTerminal() && !process.env.NO_COLOR ? usage : util.stripVTControlCharacters(usage));
    return 0;
  }
  if (subCommands !== undefined && command.run === undefined) {
    throw new PackError("usage", `${path.join(" ")} needs one of: ${Object.keys(subCommands).join(", ")}`);
  }
  checkArguments((await resolve(command.args)) ?? {}, rawArgs, path.join(" "));
  const { result } = await runCommand({ ...command, subCommands: {} }, { rawArgs });
  return typeof result === "number" ? result : 0;
}

function wantsHelp(rawArgs: string[]): boolean {
  return rawArgs.includes("--help") || rawArgs.includes("-h");
}

/** citty lets unknown options and values of the wrong type pass; a person who mistypes wants to be told. */
function checkArguments(args: ArgsDef, rawArgs: string[], path: string): void {
  const options: Record<string, { type: "string" | "boolean"; short?: string; multiple: true }> = {};
  for (const [name, definition] of Object.entries(args)) {
    if (definition.type === "positional") continue;
    const type = definition.type === "boolean" ? "boolean" : "string";
    const aliases = [("alias" in definition ? definition.alias : undefined) ?? []].flat();
    const short = aliases.find((alias) => alias.length === 1);
    options[name] = { type, multiple: true, ...(short === undefined ? {} : { short }) };
    if (type === "boolean") options[`no-${name}`] = { type, multiple: true };
  }
  try {
    parseArgs({ args: rawArgs, options, allowPositionals: true, strict: true });
  } catch (error) {
    const typed = /'(-[^' =]+)/.exec(error instanceof Error ? error.message : "")?.[1] ?? "";
    if (Object.hasOwn(options, typed.replace(/^--/, ""))) {
      throw new PackError("usage", `${typed} does not take what was given`, { fix: `See ${path} --help` });
    }
    throw unknown(
      "option",
      typed,
      Object.keys(options)
        .filter((name) => !name.startsWith("no-"))
        .map((name) => `--${name}`),
      path,
    );
  }
}

function unknown(kind: string, typed: string, known: string[], path: string): PackError {
  const near = nearest(typed, known);
  return new PackError("usage", `${path} has no ${kind} "${typed}"`, {
    fix: near === undefined ? `See ${path} --help` : `Did you mean "${near}"? See ${path} --help`,
  });
}

/** Codes of failures that are not the caller's: the work itself went wrong. */
const WORK_FAILED: ReadonlySet<string> = new Set([
  "write-failed",
  "locked",
  "invalid-output",
  "handler-failed",
  "call-failed",
]);

function exitCodeOf(error: unknown): number {
  if (error instanceof PackError) return WORK_FAILED.has(error.code) ? 1 : 2;
  return error instanceof Error && error.name === "CLIError" ? 2 : 1;
}

function overview(): string {
  const names = Object.keys(COMMANDS);
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${COMMANDS[name]?.summary}`);
  return [
    `${NAME} ${VERSION}: find the MCP servers and CLIs you have, load few tools, let reads run, make writes ask.`,
    "",
    `Usage: ${NAME} <command> [options]`,
    "",
    ...lines,
    "",
    `${NAME} <command> --help tells more.`,
  ].join("\n");
}

async function resolve<Value>(value: Value | (() => Value | Promise<Value>)): Promise<Value> {
  return typeof value === "function" ? await (value as () => Value | Promise<Value>)() : value;
}

if (import.meta.main ?? process.argv[1]?.endsWith("main.js")) {
  process.exitCode = await main(process.argv.slice(2));
}
