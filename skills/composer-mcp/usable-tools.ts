/**
 * The tools that a person can choose and a model can call by one name each. What two names or two definitions compete for is
 * left out and said: nothing may rest on which of them came first.
 */
import type { FailureKind, Inventory, Server, Tool } from "../../runtime/core/contracts.ts";
import { qualifiedName } from "../../runtime/core/tool.ts";
import { isUsableId } from "./invocation.ts";
import { isSamePin, pinOf } from "./pin.ts";

/** Why something that is there is not listed. */
export type SkipReason =
  /** No token can carry its name. */
  | "unlistable"
  /** Another one looks the same, such as `café` written in two ways. */
  | "confusable"
  /** Its server names two different tools so, or two servers have this id. */
  | "duplicate"
  /** A tool of another server has the same full host tool name. */
  | "ambiguous";

export interface Skipped {
  mcpServerId: string;
  /** The tool's own name; absent where the whole server is left out. */
  tool?: string;
  reason: SkipReason;
}

/** Why a server gives nothing to choose: the kind of its failure, never the message, which may cite what the server said. */
export type UnreadyKind = FailureKind | "disabled" | "no-tools" | "unknown";

export interface UsableTools {
  /** By server id, then by the tool's own name; both in code unit order. Only ready servers with a tool. */
  servers: Map<string, Map<string, Tool>>;
  /** Every tool of `servers` by its full host tool name, `mcp__<server>__<tool>`. */
  byHostName: Map<string, Tool>;
  /** Servers that are configured and cannot be used now. */
  unready: Map<string, UnreadyKind>;
  skipped: Skipped[];
}

/** Reads an inventory; the order of its servers and tools changes nothing. */
export function usableTools(inventory: Inventory): UsableTools {
  const usable: UsableTools = { servers: new Map(), byHostName: new Map(), unready: new Map(), skipped: [] };
  const servers = onePerName(
    inventory.servers,
    (server) => server.name,
    () => false,
  );
  for (const { name, reason } of servers.left) usable.skipped.push({ mcpServerId: name, reason });
  for (const [id, server] of servers.kept) {
    const problem = problemOf(server);
    if (problem !== null) {
      usable.unready.set(id, problem);
      continue;
    }
    const tools = onePerName(server.tools, (tool) => tool.name, sameDefinition);
    for (const { name, reason } of tools.left) usable.skipped.push({ mcpServerId: id, tool: name, reason });
    // The tool's server is the one that lists it, whatever it says itself.
    usable.servers.set(id, new Map([...tools.kept].map(([name, tool]) => [name, { ...tool, server: id }])));
  }
  dropSharedHostNames(usable);
  return usable;
}

function problemOf(server: Server): UnreadyKind | null {
  if (server.state === "disabled") return "disabled";
  if (server.state !== "ready") return server.failure?.kind ?? "unknown";
  return server.tools.length === 0 ? "no-tools" : null;
}

function sameDefinition(left: Tool, right: Tool): boolean {
  return isSamePin(pinOf(left), pinOf(right));
}

interface OnePerName<Item> {
  kept: Map<string, Item>;
  left: { name: string; reason: SkipReason }[];
}

function onePerName<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  isSame: (left: Item, right: Item) => boolean,
): OnePerName<Item> {
  const byName = groupBy(items, nameOf);
  const byLook = groupBy([...byName.keys()], lookOf);
  const result: OnePerName<Item> = { kept: new Map(), left: [] };
  for (const name of [...byName.keys()].sort()) {
    const [first, ...others] = byName.get(name) ?? [];
    const reason = !isUsableId(name)
      ? "unlistable"
      : (byLook.get(lookOf(name)) ?? []).length > 1
        ? "confusable"
        : others.every((other) => first !== undefined && isSame(first, other))
          ? null
          : "duplicate";
    if (reason !== null || first === undefined) result.left.push({ name, reason: reason ?? "duplicate" });
    else result.kept.set(name, first);
  }
  return result;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** What a reader sees of a name: compatibility forms folded, characters without a shape gone. Case is seen. */
function lookOf(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name;
  return name.normalize("NFKC").replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

/** `a` + `b__c` and `a__b` + `c` share a host tool name: no call could say which is meant. */
function dropSharedHostNames(usable: UsableTools): void {
  const all = [...usable.servers].flatMap(([id, tools]) => [...tools.values()].map((tool) => ({ id, tool })));
  for (const [hostName, owners] of groupBy(all, ({ id, tool }) => qualifiedName(id, tool.name))) {
    const [owner] = owners;
    if (owners.length === 1 && owner !== undefined) {
      usable.byHostName.set(hostName, owner.tool);
      continue;
    }
    for (const { id, tool } of owners) {
      usable.servers.get(id)?.delete(tool.name);
      usable.skipped.push({ mcpServerId: id, tool: tool.name, reason: "ambiguous" });
    }
  }
  for (const [id, tools] of usable.servers) {
    if (tools.size > 0) continue;
    usable.servers.delete(id);
    usable.unready.set(id, "no-tools");
  }
}
