/** Routes an intent to a domain by keywords: words and their inflections, never the inside of another word. */
import type { Profile } from "./profile.ts";

/** What may follow a keyword as its inflection: `invest` → `investment`, `investing`; `stock` → `stocks`. */
const ENDINGS = "(?:s|es|ed|d|ing|er|ers|or|ors|ment|ments|able|ation|ations|al)?";

/** Phrases in which a keyword is no topic. */
const IDIOMS = /\b(?:as well(?: as)?|well,|oh well|very well|well[- ]known|may as well)\b/gi;

/** The first rule in table order with a keyword in the text; the profile's fallback where none has. */
export function routeIntent(text: string, profile: Profile): string {
  const plain = text.slice(0, 32_768).replace(IDIOMS, " ");
  for (const { domain, keywords } of profile.rules) {
    if (keywords.some((keyword) => matchesWord(plain, keyword))) return domain;
  }
  return profile.fallback;
}

/** Whether a keyword or an inflection of it stands in the text as a word of its own. */
export function matchesWord(text: string, keyword: string): boolean {
  const doubled = /[^aeiou][aeiou][bdgmnprt]$/.test(keyword) ? `${keyword.at(-1)}?` : "";
  const stem = keyword.endsWith("y")
    ? `${escapePattern(keyword.slice(0, -1))}(?:y|ies|ied|ical)`
    : escapePattern(keyword) + doubled;
  return new RegExp(`(?<![a-z0-9])${stem}${ENDINGS}(?![a-z0-9])`, "i").test(text);
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
