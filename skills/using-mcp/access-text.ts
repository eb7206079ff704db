/** What a tool's description says about its access. It comes from the server: it may raise a verdict for certain. */
import { isPlainText } from "../../runtime/core/plain-text.ts";
import { type AccessTables, type Role, roleOf } from "./access-words.ts";

/** A longer description is not looked through, and so may say anything. In characters. */
const MAX_TEXT = 32_768;

/** `does`: it runs or makes something, or its verb may as well be a noun. */
export type TextVerdict = "write" | "does" | "read" | "none";

/** Judges a description by the verbs that stand where a sentence says what the tool does. */
export function judgeText(description: string, tables: AccessTables): TextVerdict {
  if (description.length > MAX_TEXT) return "write";
  let verdict: TextVerdict = "none";
  let begun = false;
  for (const sentence of sentencesOf(description)) {
    const words = sentence.match(/[a-z]+(?:'[a-z]+)?|[,;]/g) ?? [];
    const start = startOf(words, !begun, tables);
    const role = verbAt(words, start, tables);
    const isFirst = !begun;
    // `Composite tool: fetches …`: a title does not begin the description.
    begun ||= role !== undefined || words.length > 3;
    if (isFirst && startsPhrase(words.slice(start), tables)) return "write";
    if (role === "write" && (isFirst || isThirdPerson(words[start] ?? "", tables))) return "write";
    if (role === "act" && isFirst) return "write";
    if (isFirst && role !== undefined) verdict = role === "read" ? "read" : "does";
    if (writesAfterJoin(words, start, isFirst && role === "read", tables)) return "write";
    if (isFirst && actsOnWhatItRead(words, start, tables)) return "write";
  }
  return verdict;
}

/** Where the verb of a sentence stands that says what a tool does. */
function startOf(words: readonly string[], first: boolean, tables: AccessTables): number {
  const start = skipGlue(words, 0, tables);
  if (!first || verbAt(words, start, tables) !== undefined) return start;
  // `Weather tool for retrieving …`: what precedes it names the tool.
  const named = words.slice(0, 5).indexOf("tool");
  return named === -1 ? start : skipGlue(words, named, tables);
}

function verbAt(words: readonly string[], at: number, tables: AccessTables): Role | undefined {
  const word = words[at] ?? "";
  // `for retrieving …` is a verb, `the update` is none.
  if (at > 0 && tables.articles.has(words[at - 1] ?? "") && !word.endsWith("ing")) return undefined;
  if (word.endsWith("s") && tables.of.has(words[at + 1] ?? "")) return undefined;
  return tables.verbs.get(word) ?? (roleOf(word.replace(/s$/, ""), tables) === "write" ? "write" : undefined);
}

/** `check in the guest`, `show a notification`: a phrase that writes, articles aside. */
function startsPhrase(words: readonly string[], tables: AccessTables): boolean {
  const plain = words.slice(0, 8).filter((word) => !tables.articles.has(word));
  const phrases = tables.phrases.get(plain[0] ?? "") ?? [];
  return phrases.some((entry) => entry.role === "write" && entry.words.every((word, at) => plain[at] === word));
}

function sentencesOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[.!?:|]\s+|\n+/)
    .map((sentence) => sentence.replace(/^[^a-z]+/, "").trim())
    .filter((sentence) => sentence !== "");
}

function skipGlue(words: readonly string[], from: number, tables: AccessTables): number {
  let at = from;
  while (at < words.length && (tables.glue.has(words[at] ?? "") || words[at]?.endsWith("ly"))) at++;
  return at;
}

function isThirdPerson(word: string, tables: AccessTables): boolean {
  return word.endsWith("s") && tables.roles.get(word) === undefined;
}

/** `gets or creates`, `also deletes`, `will overwrite`. */
function writesAfterJoin(words: readonly string[], start: number, whole: boolean, tables: AccessTables): boolean {
  for (let at = start; at < words.length - 1; at++) {
    const join = words[at] ?? "";
    if (tables.roles.get(join) !== "join" && join !== "also" && join !== "will") continue;
    const next = skipGlue(words, at + 1, tables);
    if (verbAt(words, next, tables) !== "write") continue;
    // `and transitions` at a sentence's end is a noun.
    const hasObject = /[a-z]/.test(words[next + 1] ?? "");
    if (join === "will" || (join !== "or" && hasObject && isThirdPerson(words[next] ?? "", tables))) return true;
    if (whole && at <= start + 3) return true;
  }
  return false;
}

/** `Fetch updates and apply them`, `Lists jobs, restarting failed ones`. */
function actsOnWhatItRead(words: readonly string[], start: number, tables: AccessTables): boolean {
  return words.some((word, at) => {
    const next = words[at + 1] ?? "";
    if (at <= start) return false;
    if (word === ",") return next.endsWith("ing") && tables.verbs.get(next) === "write";
    const role = tables.roles.get(next);
    const acts = role === "write" || role === "act" || role === "thing";
    return tables.roles.get(word) === "join" && acts && /^(?:them|it)$/.test(words[at + 2] ?? "");
  });
}

/** Whether a description confines itself to reading: "read-only SQL", and no "not read-only". */
export function saysReadOnly(description: string): boolean {
  const text = description.toLowerCase();
  const says = /\bread[- ]?only\b|\bselect (?:quer(?:y|ies)|statements?)\b/.test(text);
  return (
    says && !/\b(?:not|isn't|non)[- ](?:\w+ )?read[- ]?only\b|\b(?:insert|update|delete|drop|ddl|dml)\b/.test(text)
  );
}

/** Format characters that a reader does not see: fillers, bidirectional controls, tags, selectors, lone surrogates. */
const HIDDEN =
  /\u00ad|\u034f|\u061c|\u115f|\u1160|\u17b4|\u17b5|\u180e|[\u200b-\u200f]|[\u202a-\u202e]|[\u2060-\u206f]|\u3164|[\ufe00-\ufe0f]|\ufeff|\uffa0|[\u{e0000}-\u{e0fff}]|\p{Cs}/u;

/** An emoji's one selector, and the joiner between two emoji: they show, and have no room for a message. */
const EMOJI = /(?:\p{So}|\p{Sm}|[0-9#*\u2190-\u21ff\u203c\u2049])\ufe0f(?:\u20e3)?|\u200d(?=\p{So})/gu;

/** What makes a text from a server suspicious: nobody could read it all, or not see it all, or it speaks to the model. */
export type Suspicion = { kind: "overlong" } | { kind: "invisible" } | { kind: "instruction"; phrase: string };

/** The first reason to suspect a text, or `null`. */
export function suspicionOf(text: string, tables: Pick<AccessTables, "suspicious">): Suspicion | null {
  if (text.length > MAX_TEXT) return { kind: "overlong" };
  if (!isPlainText(text) && HIDDEN.test(text) && HIDDEN.test(text.replace(EMOJI, ""))) return { kind: "invisible" };
  const lower = text.toLowerCase();
  const phrase = tables.suspicious.find((known) => lower.includes(known));
  return phrase === undefined ? null : { kind: "instruction", phrase };
}

/** Whether a description holds text that a person reading it would not see, or that speaks to the model. */
export function isSuspicious(description: string, tables: AccessTables): boolean {
  return suspicionOf(description, tables) !== null;
}
