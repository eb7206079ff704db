/** What the words around a name say of it: the phrases of SKILL.md's table "Cue words", found in a statement's tokens. */
import type { Token } from "./tokens.ts";

export const CUE_ROLES = [
  "deny",
  "absent",
  "present",
  "use",
  "prepare",
  "condition",
  "past",
  "others",
  "about",
  "ask",
  "keep",
  "only",
  "except",
  "all-but",
  "some-day",
  "turn",
  "verb",
  "function",
  "list",
  "thing",
] as const;
export type CueRole = (typeof CUE_ROLES)[number];

export interface CueTable {
  /** By the first word, the longest phrase first. */
  phrases: ReadonlyMap<string, readonly Phrase[]>;
  /** Those that begin a question about what there is; the same words mean other things elsewhere. */
  questions: ReadonlyMap<string, readonly Phrase[]>;
}

interface Phrase {
  words: readonly string[];
  role: CueRole;
}

export interface CueRow {
  role: CueRole;
  words: string[];
}

/** Throws nothing: that no phrase stands under two roles is checked where the tables are read. */
export function cueTable(rows: readonly CueRow[]): CueTable {
  return {
    phrases: byFirstWord(rows.filter(({ role }) => role !== "ask")),
    questions: byFirstWord(rows.filter(({ role }) => role === "ask")),
  };
}

function byFirstWord(rows: readonly CueRow[]): Map<string, Phrase[]> {
  const phrases = new Map<string, Phrase[]>();
  for (const { role, words: listed } of rows) {
    for (const phrase of listed) {
      const words = phrase.toLowerCase().split(/\s+/);
      const first = words[0] ?? "";
      phrases.set(first, [...(phrases.get(first) ?? []), { words, role }]);
    }
  }
  for (const list of phrases.values()) list.sort((left, right) => right.words.length - left.words.length);
  return phrases;
}

/** Each token's role, where it is part of a cue, and whether the cue begins there. */
export interface Cued {
  roles: (CueRole | undefined)[];
  starts: boolean[];
}

export function findCues(tokens: readonly Token[], { phrases }: CueTable): Cued {
  const roles: (CueRole | undefined)[] = new Array(tokens.length).fill(undefined);
  const starts: boolean[] = new Array(tokens.length).fill(false);
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token;
    const found =
      token.kind === "word"
        ? phrases
            .get(token.lower)
            ?.find(({ words }) => words.every((word, offset) => isWord(tokens[at + offset], word)))
        : undefined;
    if (found === undefined) {
      at += 1;
      continue;
    }
    starts[at] = true;
    for (let end = at + found.words.length; at < end; at++) roles[at] = found.role;
  }
  return { roles, starts };
}

/** A question is asked in its first words. */
const ASKED_WITHIN = 6;

/** Whether a statement asks what there is, rather than for something to be done. */
export function isQuestion(tokens: readonly Token[], { questions }: CueTable): boolean {
  if (tokens.at(-1)?.text !== "?") return false;
  return tokens
    .slice(0, ASKED_WITHIN)
    .some((token, at) =>
      questions.get(token.lower)?.some(({ words }) => words.every((word, offset) => isWord(tokens[at + offset], word))),
    );
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === "word" && token.lower === word;
}
