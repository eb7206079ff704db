/** The session's tools by server and by capability. */
import type { CapabilityEntry, Classification, ClassifiedTool } from "../../runtime/core/contracts.ts";
import { splitQualifiedName } from "../../runtime/core/tool.ts";
import { type AccessVerdict, judgeAccess, type ToolToJudge } from "./access.ts";
import type { AccessTables } from "./access-words.ts";
import { type CapabilityTables, type CapabilityVerdict, judgeCapabilities } from "./capability.ts";

export interface TrustOptions {
  /**
   * `default` believes a read hint or a description that nothing contradicts; `strict` only those of `trustedServers`.
   */
  trust?: "default" | "strict" | undefined;
  /** Server names that the user trusts to describe themselves. */
  trustedServers?: Iterable<string> | undefined;
}

interface Listed {
  tool: string;
  item: object;
  /** Where it stands in the whole list. */
  place: number;
  /** The name stands a second time, with another definition: no verdict may rest on either. */
  differs: boolean;
}

/**
 * Classifies listed tools (qualified names). Never throws: what is no tool is left out, and what is no array gives empty
 * maps. A name that stands twice counts once; where its definitions differ, as a write. A tool that claims everything
 * ranks last under its capability.
 */
export function classifyTools(
  tools: unknown,
  tables: { access: AccessTables; capabilities: CapabilityTables },
  options: TrustOptions = {},
): Classification {
  const trusted = namesIn(options?.trustedServers);
  const servers: Classification["servers"] = new Map();
  const placed: Placed[] = [];
  for (const [server, listed] of byServer(tools)) {
    const believed = options?.trust !== "strict" || trusted.has(server);
    const definitions = listed.map(({ tool, item }) => ({ server, name: tool, ...definitionOf(item) }));
    const purposes = judgeCapabilities(server, definitions, tables.capabilities);
    const classified = listed.map(({ tool, differs, place }, at): ClassifiedTool => {
      const judged = judgeSafely(definitions[at] as ToolToJudge, tables.access, believed);
      const { access, evidence } = differs && judged.access === "read" ? DOUBTFUL : judged;
      const { capability, overloaded } = purposes[at] as CapabilityVerdict;
      placed.push({ place, capability, overloaded, entry: { server, tool, access } });
      return { tool, access, capability, evidence };
    });
    const accesses = new Set(classified.map(({ access }) => access));
    servers.set(server, {
      tools: classified,
      capabilities: new Set(classified.map(({ capability }) => capability)),
      access: accesses.size > 1 ? "mixed" : (classified[0] as ClassifiedTool).access,
    });
  }
  return { servers, byCapability: byCapability(placed) };
}

/** A tool's entry, and where it stood in the list. */
interface Placed {
  place: number;
  capability: string;
  overloaded: boolean;
  entry: CapabilityEntry;
}

/** The entries by capability, both in the order in which the tools are listed; overloaded ones last. */
function byCapability(placed: readonly Placed[]): Map<string, CapabilityEntry[]> {
  const inOrder = [...placed].sort((left, right) => left.place - right.place);
  const found = new Map<string, CapabilityEntry[]>(inOrder.map(({ capability }) => [capability, []]));
  for (const overloaded of [false, true]) {
    for (const each of inOrder) if (each.overloaded === overloaded) found.get(each.capability)?.push(each.entry);
  }
  return found;
}

const DOUBTFUL: AccessVerdict = { access: "write", evidence: ["default"] };

/** A definition that cannot be looked through is not shown to read. */
function judgeSafely(tool: ToolToJudge, tables: AccessTables, believed: boolean): AccessVerdict {
  try {
    return judgeAccess(tool, tables, believed);
  } catch {
    return DOUBTFUL;
  }
}

function namesIn(value: unknown): ReadonlySet<unknown> {
  return Array.isArray(value) || value instanceof Set ? new Set(value) : new Set();
}

/** The distinct tools of each server, in the order in which they are listed. */
function byServer(tools: unknown): Map<string, Listed[]> {
  const servers = new Map<string, Listed[]>();
  const known = new Map<string, Listed>();
  for (const item of Array.isArray(tools) ? (tools as unknown[]) : []) {
    if (typeof item !== "object" || item === null) continue;
    const name = field(item, "name");
    const parsed = typeof name === "string" ? splitQualifiedName(name) : null;
    if (parsed === null) continue;
    const earlier = known.get(name as string);
    if (earlier !== undefined) {
      earlier.differs ||= !sameDefinition(earlier.item, item);
      continue;
    }
    const listed = { tool: parsed.tool, item, place: known.size, differs: false };
    known.set(name as string, listed);
    const others = servers.get(parsed.server);
    if (others === undefined) servers.set(parsed.server, [listed]);
    else others.push(listed);
  }
  return servers;
}

function sameDefinition(left: object, right: object): boolean {
  if (left === right) return true;
  try {
    return JSON.stringify(definitionOf(left)) === JSON.stringify(definitionOf(right));
  } catch {
    return false;
  }
}

function definitionOf(item: object): Record<"title" | "description" | "annotations" | "inputSchema", unknown> {
  return {
    title: field(item, "title"),
    description: field(item, "description"),
    annotations: field(item, "annotations"),
    inputSchema: field(item, "inputSchema"),
  };
}

/** A property that may be a getter of a hostile object: one that throws counts as absent. */
function field(item: object, key: string): unknown {
  try {
    return (item as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}
