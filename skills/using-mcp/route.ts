/** From a needed capability to what serves it. */
import type { Access, CapabilityEntry, Route } from "../../runtime/core/contracts.ts";

/** A skill that serves a capability better than any tool found, where it is present. */
export interface NamedProvider {
  capability: string;
  provider: string;
  skill: string;
}

/**
 * The best tool for a capability: reads first, then the order given. `null` where none serves it, and for anything that
 * is not a classification.
 */
export function resolveCapability(map: unknown, capability: unknown): CapabilityEntry | null {
  if (typeof map !== "object" || map === null || typeof capability !== "string") return null;
  const { byCapability } = map as { byCapability?: unknown };
  if (!(byCapability instanceof Map)) return null;
  const entries: unknown = byCapability.get(capability);
  if (!Array.isArray(entries)) return null;
  const valid = entries.filter(isEntry);
  const best = valid.find((entry) => entry.access === "read") ?? valid[0];
  return best === undefined ? null : { server: best.server, tool: best.tool, access: best.access };
}

function isEntry(value: unknown): value is CapabilityEntry {
  if (typeof value !== "object" || value === null) return false;
  const { server, tool, access } = value as Record<string, unknown>;
  return typeof server === "string" && typeof tool === "string" && (access === "read" || access === "write");
}

/**
 * Routes a capability: a named provider that is present, else a tool, else the agent's own tools. `present` holds the
 * skills of the session, by the provider's or the skill's name, with or without a plug-in's `prefix:`.
 */
export function chooseRoute(
  map: unknown,
  capability: unknown,
  present: unknown,
  providers: readonly NamedProvider[],
): Route {
  const names = namesOf(present);
  const named = providers.find(
    (row) => row.capability === capability && (names.has(row.skill) || names.has(row.provider)),
  );
  if (named !== undefined) return { via: "named", skill: named.skill };
  const hit = resolveCapability(map, capability);
  return hit === null
    ? { via: "native" }
    : { via: "mcp", ...(hit as { server: string; tool: string; access: Access }) };
}

/** Names in an array, a set, the keys of a map, or the keys of an object whose values are `true`. */
function namesOf(present: unknown): Set<string> {
  const known = new Set<string>();
  for (const name of namesIn(present)) {
    if (typeof name === "string") known.add(name).add(name.slice(name.lastIndexOf(":") + 1));
  }
  return known;
}

function namesIn(present: unknown): Iterable<unknown> {
  if (Array.isArray(present) || present instanceof Set) return present;
  if (present instanceof Map) return present.keys();
  if (typeof present !== "object" || present === null) return [];
  return Object.entries(present).flatMap(([name, value]) => (value === true ? [name] : []));
}
