/** What a tool's name says about its access: verbs anywhere in it, nouns that look like verbs by their place. */
import { type AccessTables, type Role, roleOf } from "./access-words.ts";
import { ownWords, splitWords } from "./words.ts";

/**
 * `weak`: something runs or is made, and the name does not say what comes of it. `view`: it only names something to look
 * at, and the description may still say that something else is done. `drawn`: a picture is made for the answer.
 */
export type NameVerdict = "write" | "weak" | "read" | "view" | "drawn" | "none";

interface Word {
  word: string;
  role: Role | "none";
}

/**
 * Judges a tool by its name. The server's words count only where a phrase runs from them on (`git` `fetch`). Linear in
 * the name's length.
 */
export function judgeName(tool: string, server: string, tables: AccessTables): NameVerdict {
  const words = ownWords(tool, server);
  if (writesAcross(splitWords(tool), splitWords(server), tables)) return "write";
  const roles = rolesOf(words, tables);
  if (roles.some(({ role }) => role === "write")) return "write";
  const last = roles.at(-1);
  // Behind a reading verb that is no noun, at a name's end, what leads is one (`test_run_get`).
  const endsPlain = last?.role === "read" && tables.plain.has(last.word);
  let head: Role | null = null;
  for (const [at, { word, role }] of roles.entries()) {
    const isLast = at === roles.length - 1;
    const before = roles[at - 1];
    if (before?.role === "join" && head !== null && AFTER_JOIN.has(role)) return "write";
    if (role === "act") {
      if (before?.role === "join" || (head === null && !endsPlain) || RUNS.has(head)) return "write";
      // `todo_list_share`: what looks like a reading verb is the thing that is shared.
      if (isLast && at > 1 && before?.role === "read" && !tables.plain.has(before.word)) return "write";
    }
    if (role === "thing" && at === 0 && roles[1]?.role === "toward") return "write";
    if (role === "read") head = HEADS.has(head) ? head : "read";
    // At the end behind a noun it is a noun as well (`pipeline_run`): the description has to tell.
    else if (HEADS.has(role) && head === null && !(role === "job" && isLast && at > 0)) head = role as Role;
    else if (head === null && startsGlued(word, tables)) return "weak";
  }
  if (RUNS.has(head)) return isNamedSearch(roles, new Set(splitWords(server)), tables) || endsPlain ? "read" : "write";
  if (head === "light") return isNamedSearch(roles, new Set(splitWords(server)), tables) || endsPlain ? "read" : "weak";
  if (head === "make") return endsPlain ? "read" : last?.role === "picture" ? "drawn" : "weak";
  if (head === "read") {
    // `search_index_update`, `query_job_run`: what leads may name an area, and what ends the name what is done there.
    const first = roles.find(({ role }) => role === "read");
    const doubtful = (last?.role === "act" || RUNS.has(last?.role)) && !tables.plain.has(first?.word ?? "");
    return doubtful ? "none" : "read";
  }
  // `log_activity`: a thing that leads may be a verb.
  return last?.role === "view" && roles[0]?.role !== "thing" ? "view" : "none";
}

const RUNS: ReadonlySet<unknown> = new Set<Role>(["start", "job"]);
/** What a name is headed by, other than a reading verb. */
const HEADS: ReadonlySet<unknown> = new Set<Role>(["start", "job", "light", "make"]);
/** What `and` makes a verb of. */
const AFTER_JOIN: ReadonlySet<unknown> = new Set<Role>(["thing", "start", "job", "light", "make"]);

/** A phrase that is a write, also where it starts in the server's name: the tool `fetch` of the server `git`. */
function writesAcross(tool: readonly string[], server: readonly string[], tables: AccessTables): boolean {
  const words = [...server, ...tool];
  return words.some((word, at) =>
    tables.phrases
      .get(word)
      ?.some(
        (entry) =>
          entry.role === "write" &&
          at + entry.words.length > server.length &&
          entry.words.every((part, offset) => words[at + offset] === part),
      ),
  );
}

/** Endings that make a noun or a state of a verb: `creator`, `deletedItems`. */
const ENDINGS = /^(?:d|r|s|ion|ing|able|abil|ment|ed|er|or|al|ance|ness|y)/;

/** Whether an unknown word is a writing verb with its object run together: `deletefile`, not `deleted` or `creator`. */
function startsGlued(word: string, tables: AccessTables): boolean {
  if (roleOf(word, tables) !== undefined) return false;
  for (let length = 6; length < word.length - 2; length++) {
    if (tables.roles.get(word.slice(0, length)) === "write" && !ENDINGS.test(word.slice(length))) return true;
  }
  return false;
}

/** `start_search`, `run_panel_query`: the search is what runs. `run_query` and `run_sql_query` may run any statement. */
function isNamedSearch(roles: readonly Word[], server: ReadonlySet<string>, tables: AccessTables): boolean {
  const last = roles.at(-1);
  if (last?.role !== "read" || roles.filter(({ role }) => role === "read").length > 1) return false;
  if (last.word !== "query") return true;
  const kind = roles.length > 2 ? roles.at(-2) : undefined;
  return kind?.role === "none" && !tables.languages.has(kind.word) && !server.has(kind.word);
}

/** The role of each word, phrases first; a phrase that is a noun counts as one word without a role. */
function rolesOf(words: readonly string[], tables: AccessTables): Word[] {
  const roles: Word[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const phrase = tables.phrases
      .get(word)
      ?.find((entry) => entry.words.every((part, offset) => words[at + offset] === part));
    if (phrase === undefined) {
      roles.push({ word, role: roleOf(word, tables) ?? "none" });
    } else {
      roles.push({ word: phrase.words.join(" "), role: phrase.role === "noun" ? "none" : phrase.role });
      at += phrase.words.length - 1;
    }
  }
  return roles;
}
