/** The access words of SKILL.md, ready for look-up: what a word says about a tool, and in which forms it is met. */
import { splitWords } from "./words.ts";

/**
 * `read` shows and leaves things as they are; `write` changes them, wherever the word stands; `act` changes them unless a
 * reading verb makes a noun of it, and so does `vague`, which says nothing in a description; `thing` is a noun unless it leads; `start` and `make` say that something runs or is
 * made, not what comes of it (`light` in names only); `view` and `picture` name something to look at; `tell` reads, in descriptions only; `join` makes a verb of the word after it, `toward` of a `thing`
 * before it.
 */
export const ROLES = [
  "read",
  "write",
  "act",
  "vague",
  "thing",
  "start",
  "light",
  "make",
  "view",
  "picture",
  "tell",
  "join",
  "toward",
] as const;
export type Role = (typeof ROLES)[number];

/** `program` carries code that can do anything, `statement` a query language, `ambiguous` code or only a code; `change` is what only a change needs. */
export const CARRIERS = ["program", "statement", "change", "ambiguous"] as const;
export type Carrier = (typeof CARRIERS)[number];

export interface AccessTables {
  /** By word in its base form. */
  roles: ReadonlyMap<string, Role>;
  /** By verb as a description has it: `deletes`, `deleting`. */
  verbs: ReadonlyMap<string, Role>;
  /** Words in a row that mean something else than each alone, by their first word; longest first. */
  phrases: ReadonlyMap<string, { words: string[]; role: Role | "noun" }[]>;
  /** Names of telling properties, in lower-case letters without separators. */
  carriers: ReadonlyMap<string, Carrier>;
  /** Lower-case phrases that speak to the model. */
  suspicious: readonly string[];
}

export interface AccessRows {
  suspicious: string[];
  words: { role: Role; words: string[] }[];
  phrases: { phrase: string; role: Role | "noun" }[];
  carriers: { kind: Carrier; properties: string[] }[];
}

/** The roles whose words are verbs in a description too. */
const IN_TEXT: ReadonlySet<Role> = new Set<Role>(["read", "write", "act", "thing", "start", "make", "tell"]);

/** Builds the look-up; where a word stands under several roles, the more careful one counts. */
export function compileAccess(rows: AccessRows): AccessTables {
  const roles = new Map<string, Role>();
  const verbs = new Map<string, Role>();
  for (const { role, words } of [...rows.words].sort((a, b) => CARE.indexOf(b.role) - CARE.indexOf(a.role))) {
    for (const word of words) {
      if (role !== "tell") roles.set(word, role === "vague" ? "act" : role === "light" ? "start" : role);
      if (!IN_TEXT.has(role)) continue;
      for (const form of [word, ...inflections(word)]) verbs.set(form, role === "tell" ? "read" : role);
    }
  }
  const phrases = new Map<string, { words: string[]; role: Role | "noun" }[]>();
  for (const { phrase, role } of rows.phrases) {
    const words = splitWords(phrase);
    const first = words[0];
    if (first === undefined) continue;
    const list = phrases.get(first) ?? [];
    list.push({ words, role });
    phrases.set(
      first,
      list.sort((a, b) => b.words.length - a.words.length),
    );
  }
  const carriers = new Map<string, Carrier>();
  for (const { kind, properties } of rows.carriers) {
    for (const property of properties) carriers.set(splitWords(property).join(""), kind);
  }
  return { roles, verbs, phrases, carriers, suspicious: rows.suspicious.map((phrase) => phrase.toLowerCase()) };
}

/**
 * The role of a word, also where only its stem is known: what undoes or repeats a change is one (`unshare`, `repost`).
 */
export function roleOf(word: string, tables: AccessTables): Role | undefined {
  const known = tables.roles.get(word);
  if (known !== undefined || !/^(?:re|un|de)/.test(word)) return known;
  const stem = tables.roles.get(word.slice(2));
  return stem === "write" || stem === "act" ? "write" : undefined;
}

/** From the most careful role to the least. */
const CARE: Role[] = [
  "write",
  "act",
  "vague",
  "start",
  "light",
  "make",
  "thing",
  "read",
  "tell",
  "view",
  "picture",
  "join",
  "toward",
];

/** Third person and gerund of an English verb: `copy` → `copies`, `copying`. */
function inflections(verb: string): string[] {
  const third = /[^aeiou]y$/.test(verb)
    ? `${verb.slice(0, -1)}ies`
    : /(?:s|x|z|ch|sh)$/.test(verb)
      ? `${verb}es`
      : `${verb}s`;
  const gerund = /[^e]e$/.test(verb) ? `${verb.slice(0, -1)}ing` : `${verb}ing`;
  const doubled = /[^aeiou][aeiou][bdgklmnprt]$/.test(verb) ? [`${verb}${verb.at(-1)}ing`] : [];
  return [third, gerund, ...doubled];
}
