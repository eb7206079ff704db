/** The composer's menu: one entry for each ready server and each of its tools, and nothing of them that must not be shown. */
import type { CatalogueEntry, Inventory, MenuPick, Tool } from "../../runtime/core/contracts.ts";
import { PackError, printable } from "../../runtime/core/errors.ts";
import { qualifiedName } from "../../runtime/core/tool.ts";
import { formatInvocation } from "./invocation.ts";
import { pinOf } from "./pin.ts";
import { type Skipped, type SkipReason, type UnreadyKind, type UsableTools, usableTools } from "./usable-tools.ts";

/** A command that the host has already: its alias with or without the slash, and where it comes from (`skill`, `plugin`). */
export type ExistingCommand = string | { command: string; kind?: string | undefined };

export interface CatalogueOptions {
  /** Aliases that exist already; where one equals an entry's command, the entry is left out and reported. */
  commands?: Iterable<ExistingCommand> | undefined;
}

/** An entry that lost its alias. */
export interface Shadowed {
  command: string;
  /** What kind of command has the alias; `command` where the host did not say. */
  by: string;
}

/** What the menu does not show, for the host to tell. */
export interface CatalogueReport {
  shadowed: Shadowed[];
  skipped: Skipped[];
}

/** What stands behind an array of entries; it never becomes part of them. */
interface Behind extends CatalogueReport {
  usable: UsableTools;
}

const behindCatalogue = new WeakMap<readonly CatalogueEntry[], Behind>();
const toolsOfEntry = new WeakMap<CatalogueEntry, ReadonlyMap<string, Tool>>();

/**
 * The entries of all ready servers with tools, a server before its tools, both in code unit order. Taking an entry from the
 * menu only inserts its command as text. Throws a `PackError` `invalid-input` for a command without an alias: whether it
 * keeps precedence could not be told.
 */
export function buildCatalogue(inventory: Inventory, options: CatalogueOptions = {}): CatalogueEntry[] {
  return listEntries(usableTools(inventory), options);
}

/** {@link buildCatalogue} for tools that were looked through already. */
export function listEntries(usable: UsableTools, options: CatalogueOptions = {}): CatalogueEntry[] {
  const taken = takenAliases(options.commands);
  const entries: CatalogueEntry[] = [];
  const shadowed: Shadowed[] = [];
  const add = (entry: CatalogueEntry, tools: ReadonlyMap<string, Tool>) => {
    const by = taken.get(entry.command);
    if (by !== undefined) shadowed.push({ command: entry.command, by });
    else {
      entries.push(entry);
      toolsOfEntry.set(entry, tools);
    }
  };
  for (const [id, tools] of usable.servers) {
    const byHostName = new Map([...tools.values()].map((tool) => [qualifiedName(id, tool.name), tool]));
    add({ kind: "mcp", command: formatInvocation(id), mcpServerId: id, title: titleOf(id) }, byHostName);
    for (const [mcpToolName, tool] of byHostName) {
      const command = formatInvocation(id, tool.name);
      const title = `${titleOf(id)}: ${titleOf(tool.name)}`;
      add({ kind: "mcp", command, mcpServerId: id, mcpToolName, title }, new Map([[mcpToolName, tool]]));
    }
  }
  behindCatalogue.set(entries, { usable, shadowed, skipped: usable.skipped });
  return entries;
}

function takenAliases(commands: Iterable<ExistingCommand> = []): Map<string, string> {
  const taken = new Map<string, string>();
  for (const existing of commands) {
    const { command, kind = "command" } = typeof existing === "string" ? { command: existing } : existing;
    if (typeof command !== "string") {
      throw new PackError("invalid-input", "An existing command has no alias to keep", {
        fix: 'Give each as text or as { "command": "/deploy", "kind": "skill" }',
      });
    }
    taken.set(command.startsWith("/") ? command : `/${command}`, kind);
  }
  return taken;
}

/**
 * The id as a label: no text of the server's own, what cannot be seen as `\u{…}`, and what a menu could take for markup
 * percent-encoded.
 */
function titleOf(id: string): string {
  return printable(id, 120).replace(
    /[<>&"'`[\]()|*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** What {@link buildCatalogue} left out. A catalogue that it did not make has nothing to report. */
export function reportOf(catalogue: readonly CatalogueEntry[]): CatalogueReport {
  const { shadowed = [], skipped = [] } = behindCatalogue.get(catalogue) ?? {};
  return { shadowed, skipped };
}

/** The tools behind an entry by full host tool name; none for an entry that {@link buildCatalogue} did not make. */
export function toolsBehind(entry: CatalogueEntry): ReadonlyMap<string, Tool> | undefined {
  return toolsOfEntry.get(entry);
}

/** What is known about a server or tool that has no entry. */
export interface Absence {
  /** Its server is configured and cannot be used now. */
  unready?: UnreadyKind;
  /** The kind of command that has its alias. */
  shadowedBy?: string;
  skipped?: SkipReason;
  /** The tools that its server has. */
  others: ReadonlyMap<string, Tool>;
}

/** Why there is no entry, as far as the catalogue tells. */
export function absence(catalogue: readonly CatalogueEntry[], serverId: string, toolName?: string): Absence {
  const behind = behindCatalogue.get(catalogue);
  const command = formatInvocation(serverId, toolName);
  const unready = behind?.usable.unready.get(serverId);
  const shadowedBy = behind?.shadowed.find((lost) => lost.command === command)?.by;
  const skipped = behind?.skipped.find(
    ({ mcpServerId, tool }) => mcpServerId === serverId && (tool ?? toolName) === toolName,
  );
  return {
    ...(unready !== undefined && { unready }),
    ...(shadowedBy !== undefined && { shadowedBy }),
    ...(skipped !== undefined && { skipped: skipped.reason }),
    others: behind?.usable.servers.get(serverId) ?? new Map(),
  };
}

/** Pins what stands behind an entry at this moment, for the host to keep until the message is sent; safe to store as JSON. */
export function pick(entry: CatalogueEntry): MenuPick {
  const pins = [...(toolsOfEntry.get(entry) ?? [])].map(([name, tool]) => [name, pinOf(tool)]);
  return { command: entry.command, pins: Object.fromEntries(pins) };
}
