/** The tools that a command works on: named on the command line, in a list, piped in, or from the configured servers. */
import type { ArgsDef } from "citty";
import type { Inventory, ListedTool, Server } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { splitQualifiedName } from "../core/tool.ts";
import { listed } from "../inventory/harness.ts";
import { INVENTORY_ARGS, type InventoryArgs, takeInventory } from "./inventory-options.ts";
import { note, readInput, repeated } from "./io.ts";
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
  const tools = await readList(args, rawArgs, named);
  if (tools !== null) return { tools, exitCode: 0 };
  const { inventory, exitCode } = await configuredInventory(args, rawArgs);
  return { tools: listed(inventory), exitCode };
}

/** The same tools by server: what is in a list belongs to servers that are ready. */
export async function sessionInventory(
  args: ToolListArgs,
  rawArgs: string[],
): Promise<{ inventory: Inventory; exitCode: 0 | 1 }> {
  const tools = await readList(args, rawArgs, []);
  if (tools === null) return configuredInventory(args, rawArgs);
  const servers = new Map<string, Server>();
  for (const { name, ...tool } of tools) {
    const parsed = splitQualifiedName(name);
    if (parsed === null) continue;
    const known = servers.get(parsed.server);
    const server: Server = known ?? { name: parsed.server, state: "ready", tools: [], flags: [], origins: [] };
    server.tools.push({ ...tool, server: parsed.server, name: parsed.tool });
    servers.set(parsed.server, server);
  }
  return { inventory: { servers: [...servers.values()], problems: [] }, exitCode: 0 };
}

/** What stands free on the command line; the further values of `--config a b` stand free as well and are left out. */
export function freeWords(free: string[], rawArgs: string[]): string[] {
  const values = new Set(["config", "host", "only"].flatMap((option) => repeated(rawArgs, option)));
  return free.filter((word) => !values.has(word));
}

async function readList(args: ToolListArgs, rawArgs: string[], named: string[]): Promise<ListedTool[] | null> {
  const text = await listText(args, rawArgs, named);
  if (text === null) return null;
  const { tools, left } = parseToolList(text);
  if (left > 0) note(`${left} of the entries ${left === 1 ? "is" : "are"} no MCP tool name and left out`);
  return tools;
}

async function listText(args: ToolListArgs, rawArgs: string[], named: string[]): Promise<string | null> {
  if (named.length > 0) return named.join("\n");
  if (args.input !== undefined) return readInput(args.input);
  const asksServers = rawArgs.some((argument) => /^--(?:config|host|only|trust-project)(?:=|$)/.test(argument));
  return asksServers ? null : readPiped();
}

async function configuredInventory(args: InventoryArgs, rawArgs: string[]) {
  const { inventory, exitCode } = await takeInventory(args, rawArgs);
  for (const { name, state, failure } of args.quiet === true ? [] : inventory.servers) {
    if (state === "failed") note(`${printable(name, 40)}: ${failure?.message ?? "failed"}`);
  }
  return { inventory, exitCode };
}
