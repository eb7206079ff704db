/** The access words of SKILL.md, ready for look-up: what a word says about a tool, and in which forms it is met. */
import { splitWords } from "./words.ts";

/**
 * What a word says about a tool.
 *
 * - `read` shows and leaves things as they are; `plain` does so and is never a noun.
 * - `write` changes things, wherever the word stands.
 * - `act` changes them unless a reading verb makes a noun of it; so does `vague`, which says nothing in a description.
 * - `thing` is a noun unless it leads, `toward` makes a verb of one that does, `join` of the word after it.
 * - `start` runs something, which writes unless it is a named search; so does `job`, which may end a name as a noun.
 * - `language` is what a query may be written in; such a query may do anything.
 * - `light` and `make` do or make something, and do not say what comes of it; `light` only in names.
 * - `view` and `picture` name something to look at.
 * - `tell` reads, in descriptions only; `glue`, `article` and `of` help to find a description's verb.
 */
export const ROLES = [
  "read",
  "plain",
  "write",
  "act",
  "vague",
  "thing",
  "start",
  "job",
  "light",
  "make",
  "view",
  "picture",
  "tell",
  "join",
  "toward",
  "language",
  "glue",
  "article",
  "of",
] as const;
export type Role = (typeof ROLES)[number];

/** `program` carries code that can do anything, `statement` a query language, `ambiguous` code or only a code; `change` is what only a change needs. */
export const CARRIERS = ["program", "statement", "change", "ambiguous"] as const;
export type Carrier = (typeof CARRIERS)[number];

/** What kind of word each is. */
export type WordKinds<Kind> = Pick<ReadonlyMap<string, Kind>, "get">;

export interface AccessTables {
  /** By word in its base form, as names have it. */
  roles: WordKinds<Role>;
  /** Reading words that are never a noun. */
  plain: ReadonlySet<string>;
  glue: ReadonlySet<string>;
  articles: ReadonlySet<string>;
  of: ReadonlySet<string>;
  languages: ReadonlySet<string>;
  /** By verb as a description has it: `deletes`, `deleting`. */
  verbs: WordKinds<Role>;
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

/** What a role counts as in a name and in a description; where none is given, the word says nothing there. */
const COUNTS: Record<Role, { name?: Role; text?: Role }> = {
  read: { name: "read", text: "read" },
  plain: { name: "read", text: "read" },
  write: { name: "write", text: "write" },
  act: { name: "act", text: "act" },
  vague: { name: "act" },
  thing: { name: "thing", text: "thing" },
  start: { name: "start", text: "start" },
  job: { name: "job", text: "start" },
  light: { name: "light" },
  make: { name: "make", text: "make" },
  view: { name: "view" },
  picture: { name: "picture" },
  tell: { text: "read" },
  join: { name: "join" },
  toward: { name: "toward" },
  language: {},
  glue: {},
  article: {},
  of: {},
};

/**
 * The rows worked out, as JSON that is quickly read: words with spaces between. Where a word has several roles, the more
 * careful one counts.
 */
export interface AccessWords {
  roles: WordsBy<Role>;
  verbs: WordsBy<Role>;
  plain: string;
  glue: string;
  articles: string;
  of: string;
  languages: string;
  phrases: { words: string[]; role: Role | "noun" }[];
  carriers: WordsBy<Carrier>;
  suspicious: string[];
}

type WordsBy<Kind extends string> = Partial<Record<Kind, string>>;

export function workOutAccess(rows: AccessRows): AccessWords {
  const roles = new Map<string, Role>();
  const verbs = new Map<string, Role>();
  const all = (...wanted: Role[]) =>
    rows.words.flatMap(({ role, words }) => (wanted.includes(role) ? words : [])).join(" ");
  for (const { role, words } of [...rows.words].sort((a, b) => CARE.indexOf(b.role) - CARE.indexOf(a.role))) {
    const { name, text } = COUNTS[role];
    for (const word of words) {
      if (name !== undefined) roles.set(word, name);
      if (text !== undefined) for (const form of [word, ...inflections(word)]) verbs.set(form, text);
    }
  }
  const carriers = new Map<string, Carrier>();
  for (const { kind, properties } of rows.carriers) {
    for (const property of properties) carriers.set(splitWords(property).join(""), kind);
  }
  return {
    roles: byKind(roles),
    verbs: byKind(verbs),
    plain: all("plain"),
    glue: all("glue", "article", "light"),
    articles: all("article"),
    of: all("of"),
    languages: all("language"),
    phrases: rows.phrases
      .map(({ phrase, role }) => ({ words: splitWords(phrase), role }))
      .filter(({ words }) => words.length > 0)
      .sort((a, b) => b.words.length - a.words.length),
    carriers: byKind(carriers),
    suspicious: rows.suspicious.map((phrase) => phrase.toLowerCase()),
  };
}

function byKind<Kind extends string>(kinds: ReadonlyMap<string, Kind>): WordsBy<Kind> {
  const words: WordsBy<Kind> = {};
  for (const [word, kind] of kinds) words[kind] = words[kind] === undefined ? word : `${words[kind]} ${word}`;
  return words;
}

/** Builds the look-up. */
export function compileAccess(words: AccessWords): AccessTables {
  const phrases = new Map<string, { words: string[]; role: Role | "noun" }[]>();
  for (const phrase of words.phrases) {
    const first = phrase.words[0] as string;
    const list = phrases.get(first);
    if (list === undefined) phrases.set(first, [phrase]);
    else list.push(phrase);
  }
  return {
    roles: lookUp(words.roles),
    verbs: lookUp(words.verbs),
    plain: new Set(words.plain.split(" ")),
    glue: new Set(words.glue.split(" ")),
    articles: new Set(words.articles.split(" ")),
    of: new Set(words.of.split(" ")),
    languages: new Set(words.languages.split(" ")),
    phrases,
    carriers: kindsOf(words.carriers),
    suspicious: words.suspicious,
  };
}

/** How many words are searched for in the lists before a map of them pays. */
const MAX_SEARCHES = 64;

/** A hook asks for the words of one tool: to search the lists takes a tenth of the time that a map of them takes to build. */
function lookUp<Kind extends string>(words: WordsBy<Kind>): WordKinds<Kind> {
  const lists = (Object.keys(words) as Kind[]).map((kind) => ({ kind, list: ` ${words[kind]} ` }));
  let kinds: Map<string, Kind> | undefined;
  let searches = 0;
  return {
    get(word) {
      if (kinds === undefined && searches++ >= MAX_SEARCHES) kinds = kindsOf(words);
      if (kinds !== undefined) return kinds.get(word);
      return word.includes(" ") ? undefined : lists.find(({ list }) => list.includes(` ${word} `))?.kind;
    },
  };
}

function kindsOf<Kind extends string>(words: WordsBy<Kind>): Map<string, Kind> {
  const kinds = new Map<string, Kind>();
  for (const kind of Object.keys(words) as Kind[])
    for (const word of words[kind]?.split(" ") ?? []) kinds.set(word, kind);
  return kinds;
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

/** The roles of names and descriptions from the most careful to the least. */
const CARE: Role[] = [
  ...(["write", "act", "vague", "start", "job", "light", "make", "thing", "read", "plain", "tell"] as const),
  ...(["view", "picture", "join", "toward", "language", "glue", "article", "of"] as const),
];

/** Third person and gerund of an English verb: `copy` → `copies`, `copying`. */
function inflections(verb: string): string[] {
  const last = verb.at(-1) ?? "";
  const second = verb.at(-2) ?? "";
  const third =
    last === "y" && !isVowel(second)
      ? `${verb.slice(0, -1)}ies`
      : "sxz".includes(last) || (last === "h" && (second === "c" || second === "s"))
        ? `${verb}es`
        : `${verb}s`;
  const gerund = last === "e" && second !== "e" ? `${verb.slice(0, -1)}ing` : `${verb}ing`;
  const doubles = "bdgklmnprt".includes(last) && isVowel(second) && verb.length > 2 && !isVowel(verb.at(-3) as string);
  return doubles ? [third, gerund, `${verb}${last}ing`] : [third, gerund];
}

function isVowel(letter: string): boolean {
  return letter !== "" && "aeiou".includes(letter);
}
