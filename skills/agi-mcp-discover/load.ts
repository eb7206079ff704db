/** Choosing what to load from any real inventory: pinned tools, a profile's where there is one, then the best of the rest. */
import type { Inventory, Loaded, Tool } from "../../runtime/core/contracts.ts";
import { qualifiedName } from "../../runtime/core/tool.ts";
import { createToolIndex } from "../../runtime/search/index.ts";
import { orderBundle } from "./bundle.ts";
import { routerOf } from "./intent.ts";
import { searchParts } from "./parts.ts";
import { bundleOf, MAX_TOOLS, type Profile } from "./profile.ts";

export interface LoadOptions {
  /** The most tools to load; default and hard cap 8. */
  max?: number | undefined;
  /** Pins: qualified names to load first. */
  hot?: readonly string[] | undefined;
  /** Its always-hot tools and those of the intent's domain come after the pins, as far as they are installed. */
  profile?: Profile | undefined;
}

/**
 * Gives what to load for an intent. Reads the inventory and indexes its tools once; afterwards every intent is answered
 * from that. The same tools give the same answer in whatever order they are listed, and a tool that is listed twice counts
 * once. Two tools under one qualified name cannot be told apart and are never loaded.
 */
export function createLoader(inventory: Inventory): (intent: string, options?: LoadOptions) => Loaded {
  const { usable, names, find } = shelve(inventory);
  const index = createToolIndex(usable);
  return (intent, { max = MAX_TOOLS, hot = [], profile } = {}) => {
    const cap = max > 0 ? Math.min(MAX_TOOLS, Math.floor(max)) : 0;
    const chosen = new Map<Tool, Loaded["chosen"][number]>();
    const unplaced: Loaded["unplaced"] = [];
    const place = (by: "pin" | "always-hot" | "domain", name: string) => {
      const [tool, ...others] = find(name);
      const asked = by === "pin" ? "pin" : "profile";
      const leave = (reason: Loaded["unplaced"][number]["reason"]) => unplaced.push({ name, asked, reason });
      if (tool === undefined) leave("not-installed");
      else if (others.length > 0) leave("ambiguous");
      else if (chosen.has(tool)) {
        // That a person pinned what the profile names as well is no matter to tell.
        if (asked === "pin") leave("repeated");
      } else if (chosen.size >= cap) {
        // A bundle is a list to choose from: that it does not fit whole is its nature.
        if (by !== "domain") leave("over-cap");
      } else chosen.set(tool, { name: nameOf(tool), by, matched: [] });
    };
    for (const name of hot) place("pin", name);
    const domain = profile && routerOf(profile)(intent);
    if (profile !== undefined && domain !== undefined) {
      for (const name of profile.hot) place("always-hot", name);
      const describe = (name: string) => find(name)[0];
      for (const name of orderBundle(bundleOf(profile, domain), intent, profile.abbreviations, describe)) {
        place("domain", name);
      }
    }
    const taken = new Set(chosen.keys());
    for (const { tool, matched } of searchParts(index, intent, cap - taken.size, taken)) {
      chosen.set(tool, { name: nameOf(tool), by: "search", matched });
    }
    const active = new Set([...chosen.values()].map(({ name }) => name));
    return {
      tools: [...chosen.keys()],
      chosen: [...chosen.values()],
      deferred: names.filter((name) => !active.has(name)),
      unplaced,
      ...(domain !== undefined && { domain }),
    };
  };
}

/** The tools of the ready servers: in the order of their names, their names in inventory order, and by name. */
function shelve(inventory: Inventory) {
  const byName = new Map<string, Tool[]>();
  for (const tool of inventory.servers.filter(({ state }) => state === "ready").flatMap((server) => server.tools)) {
    const known = byName.get(nameOf(tool));
    if (known === undefined) byName.set(nameOf(tool), [tool]);
    else if (!known.some(({ server, name }) => server === tool.server && name === tool.name)) known.push(tool);
  }
  const usable = [...byName]
    .filter(([, tools]) => tools.length === 1)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([, tools]) => tools);
  const byOwnName = new Map<string, Tool[]>();
  for (const tool of usable) byOwnName.set(tool.name, [...(byOwnName.get(tool.name) ?? []), tool]);
  return {
    usable,
    names: [...byName.keys()],
    /** The tools of a qualified name, else those that any server calls so. */
    find: (name: string): readonly Tool[] => byName.get(name) ?? byOwnName.get(name) ?? [],
  };
}

function nameOf(tool: Tool): string {
  return qualifiedName(tool.server, tool.name);
}
