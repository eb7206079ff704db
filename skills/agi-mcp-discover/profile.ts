/** A loader's profile: always-hot tools, on-demand bundles and routing rules, as data. */

/** The hard cap: no more tools than this are ever loaded. */
export const MAX_TOOLS = 8;

export interface Rule {
  domain: string;
  keywords: string[];
}

export interface Profile {
  hot: string[];
  /** Tools by domain, in order of priority. */
  bundles: [domain: string, tools: string[]][];
  /** In table order; the first that matches wins. */
  rules: Rule[];
  /** The domain where no rule matches. */
  fallback: string;
  /** Phrases in which a keyword is no topic, such as `as well`. */
  idioms: string[];
  /** What the words of tool names stand for. */
  abbreviations: [word: string, meaning: string][];
}

/** The tools of a domain, in order of priority; none for an unknown one. */
export function bundleOf(profile: Profile, domain: string): readonly string[] {
  return profile.bundles.find(([name]) => name === domain)?.[1] ?? [];
}
