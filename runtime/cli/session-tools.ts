/** The tools that a command works on: named on the command line, in a list, piped in, or from the configured servers. */
import type { ArgsDef } from "citty";
import type { ListedTool } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { listed } from "../inventory/harness.ts";
import { INVENTORY_ARGS, type InventoryArgs, takeInventory } from "./inventory-options.ts";
import { note, readInput } from "./io.ts";
import { parseToolList, readPiped } from "./tool-list.ts";

/** Options of every command that takes a list of tools or, without one, asks the configured servers. */
export const TOOL_LIST_ARGS = {
  input: {
    type: "string",
    description: "A list in place of the configured servers: a file, or - for stdin; JSON, or one name a line",
    valueHint: "file",
  },
  ...INVENTORY_ARGS,
} as const satisfies ArgsDef;

export interface SessionTools {
  tools: ListedTool[];
  /** 1 where `--strict` is given and an enabled server failed, else 0. */
  exitCode: 0 | 1;
}

type ToolListArgs = InventoryArgs & { input?: string | undefined };

/** Reads the tools; what is no MCP tool, and a server that gave none, is told on stderr and costs nothing else. */
export async function sessionTools(args: ToolListArgs, rawArgs: string[], named: string[] = []): Promise<SessionTools> {
  const text = await listText(args, rawArgs, named);
  if (text === null) return inventoryTools(args, rawArgs);
  const { tools, left } = parseToolList(text);
  if (left > 0) note(`${left} of the entries ${left === 1 ? "is" : "are"} no MCP tool name and left out`);
  return { tools, exitCode: 0 };
}

async function listText(args: ToolListArgs, rawArgs: string[], named: string[]): Promise<string | null> {
  if (named.length > 0) return named.join("\n");
  if (args.input !== undefined) return readInput(args.input);
  const asksServers = rawArgs.some((argument) => /^--(?:config|host|only|trust-project)(?:=|$)/.test(argument));
  return asksServers ? null : readPiped();
}

async function inventoryTools(args: InventoryArgs, rawArgs: string[]): Promise<SessionTools> {
  const { inventory, exitCode } = await takeInventory(args, rawArgs);
  for (const { name, state, failure } of args.quiet === true ? [] : inventory.servers) {
    if (state === "failed") note(`${printable(name, 40)}: ${failure?.message ?? "failed"}`);
  }
  return { tools: listed(inventory), exitCode };
}
