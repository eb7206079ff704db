/** Choosing what to load: from a profile's bundles for a domain, or from any real inventory for an intent. */
import type { Inventory, Loaded, Tool } from "../../runtime/core/contracts.ts";
import { qualifiedName } from "../../runtime/core/tool.ts";
import { createToolIndex } from "../../runtime/search/index.ts";
import { MAX_TOOLS, type Profile } from "./profile.ts";

/** Always-hot first, then the domain's tools up to the cap; where it binds, those that match the intent come first. */
export function loadBundle(profile: Profile, domain: string, intent = ""): string[] {
  const bundle = profile.bundles.find(([name]) => name === domain)?.[1] ?? [];
  const meanings = new Map(profile.abbreviations);
  const inFull = (name: string) =>
    name
      .split("_")
      .flatMap((word) => meanings.get(word) ?? [])
      .join(" ");
  const index = createToolIndex(bundle.map((name) => ({ server: "", name, title: inFull(name) })));
  const matching = index.search(intent, { limit: bundle.length }).map(({ tool }) => tool.name);
  return [...new Set([...profile.hot, ...matching, ...bundle])].slice(0, MAX_TOOLS);
}

export interface LoadOptions {
  /** The most tools to load; default and hard cap 8. */
  max?: number;
  /** Qualified names to load first. */
  hot?: readonly string[];
}

/** Pinned tools first, then the best of everything that is ready; the rest stays deferred. */
export function loadFrom(
  inventory: Inventory,
  intent: string,
  { max = MAX_TOOLS, hot = [] }: LoadOptions = {},
): Loaded {
  const cap = Math.max(0, Math.min(MAX_TOOLS, Math.floor(max)));
  const tools = inventory.servers.filter(({ state }) => state === "ready").flatMap((server) => server.tools);
  const byName = new Map(tools.map((tool) => [nameOf(tool), tool]));
  const pinned = hot.flatMap((name) => byName.get(name) ?? []);
  const found = createToolIndex(tools).search(intent, { limit: cap + pinned.length });
  const loaded = [...new Set([...pinned, ...found.map(({ tool }) => tool)])].slice(0, cap);
  const active = new Set(loaded);
  return { tools: loaded, deferred: tools.filter((tool) => !active.has(tool)).map(nameOf) };
}

function nameOf(tool: Tool): string {
  return qualifiedName(tool.server, tool.name);
}
