/** Routes an intent to a domain by keywords: words and their inflections, never the inside of another word. */
import type { Profile } from "./profile.ts";

/** An intent beyond this is not read. */
const LONGEST_INTENT = 32_768;

/** What may follow a keyword as its inflection: `invest` → `investment`, `investing`; `stock` → `stocks`. */
const ENDINGS = "(?:s|es|ed|d|ings?|ers?|ors?|ments?|able|ations?|al)?";
/** What may follow where a keyword gives up its last letter: `archive` → `archiving`, `geology` → `geological`. */
const AFTER_E = "(?:e|es|ed|er|ers|ing|ings|able|al|ation|ations)";
const AFTER_Y = "(?:y|ies|ied|ic|ical|ist|ists)";

/** Gives an intent's domain: the first rule in table order with a keyword in it, the profile's fallback where none has. */
export type Router = (intent: string) => string;

const routers = new WeakMap<Profile, Router>();

/** The router of a profile; its patterns are compiled once. Takes time in proportion to the intent. */
export function routerOf(profile: Profile): Router {
  const known = routers.get(profile);
  if (known !== undefined) return known;
  const rules = profile.rules.map(({ domain, keywords }) => ({ domain, pattern: wordPattern(keywords) }));
  const idioms = profile.idioms.length === 0 ? null : idiomPattern(profile.idioms);
  const router = (intent: string) => {
    const text = intent.slice(0, LONGEST_INTENT).replace(/\s+/gu, " ");
    const topics = idioms === null ? text : text.replace(idioms, " ");
    return rules.find(({ pattern }) => pattern.test(topics))?.domain ?? profile.fallback;
  };
  routers.set(profile, router);
  return router;
}

/** Matches where one of the keywords, or an inflection of it, stands as a word of its own. */
export function wordPattern(keywords: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${keywords.map(inflected).join("|")})(?![\\p{L}\\p{N}])`, "iu");
}

function inflected(keyword: string): string {
  const whole = escapePattern(keyword);
  if (/\p{L}e$/u.test(keyword)) return whole.slice(0, -1) + AFTER_E;
  if (/[^aeiou]y$/i.test(keyword)) return whole.slice(0, -1) + AFTER_Y;
  // A short word doubles its last letter: `git` → `gitting`, `plan` → `planned`.
  const doubled = /[^aeiou][aeiou][bdgmnprt]$/i.test(keyword) ? `${keyword.at(-1)}?` : "";
  return whole + doubled + ENDINGS;
}

/** A phrase that ends in a comma counts where a sentence starts: "Well, find the report". */
function idiomPattern(phrases: readonly string[]): RegExp {
  const patterns = phrases.map((phrase) => {
    const words = escapePattern(phrase.trim()).replace(/\s+/g, " ");
    return phrase.endsWith(",") ? `(?<=^ ?|[.!?] )${words}` : `(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`;
  });
  return new RegExp(patterns.join("|"), "giu");
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
