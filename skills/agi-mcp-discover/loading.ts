/**
 * The skill's choices as plain functions over its own tables. Commands that only choose import this module: the handlers
 * beside it bring the schema library, which costs more than all the rest of a start.
 */
import type { Inventory, Loaded } from "../../runtime/core/contracts.ts";
import { loadSkillTables } from "../../runtime/core/tables.ts";
import { loadBundle } from "./bundle.ts";
import { routerOf } from "./intent.ts";
import { createLoader, type LoadOptions } from "./load.ts";
import { MAX_TOOLS, type Profile } from "./profile.ts";

export { createLoader, type LoadOptions, MAX_TOOLS, type Profile };

const profile = await loadSkillTables(import.meta.url, async (tables) => {
  const { readProfile } = await import("./profile-tables.ts");
  return readProfile(tables);
});

/** The tools that are always loaded. */
export const ALWAYS_HOT: readonly string[] = Object.freeze(profile.hot);
/** The tools of each domain, in order of priority; no key but the domains. */
export const ON_DEMAND: Readonly<Record<string, readonly string[]>> = Object.freeze(
  Object.assign(Object.create(null), Object.fromEntries(profile.bundles)),
);

/** The domain of an intent: the first routing rule that matches, else `meta`. */
export function classifyIntent(text: string): string {
  return routerOf(profile)(text);
}

/** The tools to load for a domain, at most eight: always-hot first; an unknown domain gives those alone. */
export function discover(domain: string, intent?: string): string[] {
  return loadBundle(profile, domain, intent);
}

/** At most `max` (8) tools of any real inventory for an intent, why each, and what stays deferred. */
export function loadTools(inventory: Inventory, intent: string, options?: LoadOptions): Loaded {
  return createLoader(inventory)(intent, options);
}
