/** The bundles of a profile: the tools for a domain, and which of them come first for an intent. */
import type { Tool } from "../../runtime/core/contracts.ts";
import { createToolIndex } from "../../runtime/search/index.ts";
import { bundleOf, MAX_TOOLS, type Profile } from "./profile.ts";

/** Always-hot first, then the domain's tools up to the cap; where it binds, those that match the intent come first. */
export function loadBundle(profile: Profile, domain: string, intent = ""): string[] {
  const bundle = orderBundle(bundleOf(profile, domain), intent, profile.abbreviations);
  return [...new Set([...profile.hot, ...bundle])].slice(0, MAX_TOOLS);
}

/**
 * A bundle's names with those first that match the intent, best first; the others keep their order. What a name abbreviates
 * counts, and so does what `describe` knows of the tool.
 */
export function orderBundle(
  bundle: readonly string[],
  intent: string,
  abbreviations: Profile["abbreviations"],
  describe: (name: string) => Tool | undefined = () => undefined,
): string[] {
  const meanings = new Map(abbreviations);
  const inFull = (name: string) =>
    name
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .flatMap((word) => meanings.get(word) ?? [])
      .join(" ");
  const places = new Map<Tool, string>();
  for (const name of bundle) {
    const { title = "", ...known } = describe(name) ?? { server: "", name };
    places.set({ ...known, title: `${title} ${inFull(name)}` }, name);
  }
  const found = createToolIndex([...places.keys()]).search(intent, { limit: bundle.length });
  return [...new Set([...found.flatMap(({ tool }) => places.get(tool) ?? []), ...bundle])];
}
