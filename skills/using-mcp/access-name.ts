/** What a tool's name says about its access: verbs anywhere in it, nouns that look like verbs by their place. */
import type { AccessTables, Role } from "./access-words.ts";

/** `weak`: something runs or is made, and the name does not say what comes of it. */
export type NameVerdict = "write" | "weak" | "read" | "none";

/** Reading words that cannot be a noun as well: behind them, at a name's end, what leads is a noun (`test_run_get`). */
const PLAIN_READS: ReadonlySet<string> = new Set(["get", "fetch", "retrieve", "describe", "find", "show"]);

/** Judges the words of a name (without the server's). Linear in their number. */
export function judgeName(words: readonly string[], tables: AccessTables): NameVerdict {
  const roles = rolesOf(words, tables);
  if (roles.some(({ role }) => role === "write")) return "write";
  const lastRead = roles.findLastIndex(({ role }) => role === "read");
  const endsPlain = lastRead === roles.length - 1 && PLAIN_READS.has(roles.at(-1)?.word ?? "");
  let reads = false;
  let starts: Role | null = null;
  for (const [at, { role }] of roles.entries()) {
    const joined = at > 0 && roles[at - 1]?.role === "join";
    if (role === "read") reads = true;
    if (role === "act" && (joined || (!reads && !endsPlain))) return "write";
    if ((role === "thing" || role === "start" || role === "make") && joined && reads) return "write";
    if ((role === "start" || role === "make") && !reads) starts ??= role;
    if (role === "thing" && at === 0 && lastRead === -1) starts ??= "thing";
  }
  const last = roles.at(-1);
  if (starts === "start") return isNamedSearch(roles) || endsPlain ? "read" : "weak";
  if (starts === "make") return last?.role === "picture" ? "read" : "weak";
  if (reads || last?.role === "view") return "read";
  return starts === "thing" ? "weak" : "none";
}

/** `start_search`, `run_panel_query`: the search is what runs. `run_query` alone may run any statement. */
function isNamedSearch(roles: { word: string; role: Role | "none" }[]): boolean {
  const last = roles.at(-1);
  if (last?.role !== "read" || roles.filter(({ role }) => role === "read").length > 1) return false;
  return last.word !== "query" || (roles.length > 2 && roles.at(-2)?.role === "none");
}

/** The role of each word, phrases first; a phrase that is a noun counts as one word without a role. */
function rolesOf(words: readonly string[], tables: AccessTables): { word: string; role: Role | "none" }[] {
  const roles: { word: string; role: Role | "none" }[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const phrase = tables.phrases
      .get(word)
      ?.find((entry) => entry.words.every((part, offset) => words[at + offset] === part));
    if (phrase === undefined) {
      roles.push({ word, role: tables.roles.get(word) ?? "none" });
    } else {
      roles.push({ word: phrase.words.join(" "), role: phrase.role === "noun" ? "none" : phrase.role });
      at += phrase.words.length - 1;
    }
  }
  return roles;
}
