/** What a completion script asks: `mcp-skills complete -- <words typed so far>`, the last one being completed. */

import type { Command, RootCommand } from "@bomb.sh/tab";
import type { ArgDef, ArgsDef, CommandDef } from "citty";
import { COMMANDS } from "./commands.ts";
import { readConfig } from "./config-options.ts";
import { print } from "./io.ts";

/** Shell completion asks for file names with directive 0 (cobra's protocol, which the scripts speak). */
const FILES = ":0";
const NO_FILES = ":4";

export async function complete(words: string[]): Promise<void> {
  const { RootCommand } = await import("@bomb.sh/tab");
  const root = new RootCommand();
  let args: ArgsDef = {};
  for (const [name, entry] of Object.entries(COMMANDS)) {
    const described = root.command(name, entry.summary);
    if (words[0] === name && words.length > 1) args = await describe(described, await entry.load(), root, words);
  }
  const before = words.at(-2) ?? "";
  const option = before.startsWith("--") ? before.slice(2) : "";
  if (isFile(args[option])) print(FILES);
  else if (option === "host") offer(await hostIds(), words);
  else if (option === "only") offer(await serverNames(), words);
  else root.parse([...words]);
}

function offer(values: string[], words: string[]): void {
  const typed = words.at(-1) ?? "";
  print([...values.filter((text) => text.startsWith(typed)), NO_FILES].join("\n"));
}

async function hostIds(): Promise<string[]> {
  const { HOSTS } = await import("../inventory/hosts/table.ts");
  return HOSTS.map(({ id, title }) => `${id}\t${title}`);
}

/** A shell puts what is offered into the command line as it is, so a name that a shell could read as more is not offered. */
async function serverNames(): Promise<string[]> {
  const { servers } = await readConfig({}, []);
  return [...new Set(servers.map(({ name }) => name))].filter((name) => /^[A-Za-z0-9][\w.-]*$/.test(name));
}

// biome-ignore lint/suspicious/noExplicitAny: citty's own type for a command of any arguments.
async function describe(described: Command, command: CommandDef<any>, root: RootCommand, words: string[]) {
  const subCommands = ((await value(command.subCommands)) ?? {}) as Record<string, CommandDef<ArgsDef>>;
  let args = ((await value(command.args)) ?? {}) as ArgsDef;
  addOptions(described, args);
  for (const [name, sub] of Object.entries(subCommands)) {
    const resolved = await value(sub);
    const meta = await value(resolved?.meta);
    const at = root.command(`${words[0]} ${name}`, meta?.description ?? "");
    if (words[1] !== name) continue;
    args = ((await value(resolved?.args)) ?? {}) as ArgsDef;
    addOptions(at, args);
  }
  return args;
}

function addOptions(command: Command, args: ArgsDef): void {
  for (const [name, definition] of Object.entries(args)) {
    const description = definition.description ?? "";
    const offerChoices = (choice: (value: string, description: string) => void) => {
      for (const word of choices(definition)) choice(word, "");
    };
    if (definition.type === "positional") command.argument(name, offerChoices);
    else if (definition.type === "boolean") command.option(name, description);
    else command.option(name, description, offerChoices);
  }
}

/** Words that the definition offers: `valueHint: "read|write"`, or a positional's description that ends in a list. */
function choices(definition: ArgDef): string[] {
  const hint = "valueHint" in definition ? (definition.valueHint ?? "") : "";
  if (hint.includes("|")) return hint.split("|");
  return /: ([\w-]+(?:, [\w-]+)+)$/.exec(definition.description ?? "")?.[1]?.split(", ") ?? [];
}

function isFile(definition: ArgDef | undefined): boolean {
  return definition !== undefined && "valueHint" in definition && /file|folder/.test(definition.valueHint ?? "");
}

async function value<Value>(given: Value | (() => Value | Promise<Value>)): Promise<Value> {
  return typeof given === "function" ? await (given as () => Value | Promise<Value>)() : given;
}
