/** The session's tools by server and by capability. */
import type { CapabilityEntry, Classification, ClassifiedTool } from "../../runtime/core/contracts.ts";
import { splitQualifiedName } from "../../runtime/core/tool.ts";
import { type AccessVerdict, judgeAccess } from "./access.ts";
import type { AccessTables } from "./access-words.ts";
import { type CapabilityTables, judgeCapability } from "./capability.ts";

export interface TrustOptions {
  /**
   * `default` believes a read hint or a description that nothing contradicts; `strict` only those of `trustedServers`.
   */
  trust?: "default" | "strict" | undefined;
  /** Server names that the user trusts to describe themselves. */
  trustedServers?: Iterable<string> | undefined;
}

interface Listed {
  server: string;
  tool: string;
  item: object;
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
  const trusted = new Set(options.trustedServers ?? []);
  const servers: Classification["servers"] = new Map();
  const entries = new Map<string, { first: CapabilityEntry[]; last: CapabilityEntry[] }>();
  for (const { server, tool, item, differs } of distinct(tools).values()) {
    const believed = options.trust !== "strict" || trusted.has(server);
    const definition = { server, name: tool, ...definitionOf(item) };
    const judged = judgeAccess(definition, tables.access, believed);
    const verdict: AccessVerdict = differs && judged.access === "read" ? DOUBTFUL : judged;
    const { capability, overloaded } = judgeCapability(definition, tables.capabilities);
    const classified: ClassifiedTool = { tool, access: verdict.access, capability, evidence: verdict.evidence };
    const entry = servers.get(server);
    if (entry === undefined) {
      servers.set(server, { tools: [classified], capabilities: new Set([capability]), access: verdict.access });
    } else {
      entry.tools.push(classified);
      entry.capabilities.add(capability);
      if (entry.access !== verdict.access) entry.access = "mixed";
    }
    const ranked = entries.get(capability) ?? { first: [], last: [] };
    (overloaded ? ranked.last : ranked.first).push({ server, tool, access: verdict.access });
    entries.set(capability, ranked);
  }
  const byCapability = new Map([...entries].map(([name, { first, last }]) => [name, [...first, ...last]]));
  return { servers, byCapability };
}

const DOUBTFUL: AccessVerdict = { access: "write", evidence: ["default"] };

/** Tools by qualified name, in the order in which they are listed. */
function distinct(tools: unknown): Map<string, Listed> {
  const found = new Map<string, Listed>();
  if (!Array.isArray(tools)) return found;
  for (const item of tools as unknown[]) {
    if (typeof item !== "object" || item === null) continue;
    const name = field(item, "name");
    const parsed = typeof name === "string" ? splitQualifiedName(name) : null;
    if (parsed === null) continue;
    const earlier = found.get(name as string);
    if (earlier === undefined) found.set(name as string, { ...parsed, item, differs: false });
    else if (!earlier.differs) earlier.differs = !sameDefinition(earlier.item, item);
  }
  return found;
}

function sameDefinition(left: object, right: object): boolean {
  if (left === right) return true;
  try {
    return JSON.stringify(definitionOf(left)) === JSON.stringify(definitionOf(right));
  } catch {
    return false;
  }
}

function definitionOf(item: object): { description: unknown; annotations: unknown; inputSchema: unknown } {
  return {
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
