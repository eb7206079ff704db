/** agi-mcp-discover: at most eight tools for an intent, the same ones every time. */
import { z } from "zod";
import { type Inventory, InventorySchema, type Loaded } from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { loadSkillTables } from "../../runtime/core/tables.ts";
import { qualifiedName } from "../../runtime/core/tool.ts";
import { routeIntent } from "./intent.ts";
import { type LoadOptions, loadBundle, loadFrom } from "./load.ts";
import { MAX_TOOLS, readProfile } from "./profile.ts";

const profile = await loadSkillTables(import.meta.url, readProfile);

export { MAX_TOOLS };
/** The tools that are always loaded. */
export const ALWAYS_HOT: readonly string[] = profile.hot;
/** The tools of each domain, in order of priority. */
export const ON_DEMAND: Readonly<Record<string, readonly string[]>> = Object.freeze(
  Object.assign(Object.create(null), Object.fromEntries(profile.bundles)),
);

/** The domain of an intent: the first routing rule that matches, else `meta`. */
export function classifyIntent(text: string): string {
  return routeIntent(text, profile);
}

/** The tools to load for a domain, at most eight: always-hot first; an unknown domain gives those alone. */
export function discover(domain: string, intent?: string): string[] {
  return loadBundle(profile, domain, intent);
}

/** At most `max` (8) tools of any real inventory for an intent, and what stays deferred. */
export function loadTools(inventory: Inventory, intent: string, options?: LoadOptions): Loaded {
  return loadFrom(inventory, intent, options);
}

export const discoverHandler = defineHandler({
  name: "agi_mcp_discover",
  description: "Route an intent to a task domain and name the tools to load for it, at most eight",
  input: z.object({ intent: z.string().optional(), domain: z.string().optional().describe("Skips the routing") }),
  output: z.object({ domain: z.string(), tools: z.array(z.string()).max(MAX_TOOLS) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ intent = "", domain = classifyIntent(intent) }) => ({ domain, tools: discover(domain, intent) }),
});

export const loadHandler = defineHandler({
  name: "load_tools",
  description: "Choose the tools of an inventory to load for an intent, at most eight, and say what stays deferred",
  input: z.object({
    inventory: InventorySchema,
    intent: z.string(),
    max: z.int().min(0).max(MAX_TOOLS).optional(),
    hot: z.array(z.string()).optional().describe("Qualified names to load first"),
  }),
  output: z.object({ loaded: z.array(z.string()), deferred: z.array(z.string()) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ inventory, intent, max = MAX_TOOLS, hot = [] }) => {
    const { tools, deferred } = loadTools(inventory, intent, { max, hot });
    return { loaded: tools.map((tool) => qualifiedName(tool.server, tool.name)), deferred };
  },
});
