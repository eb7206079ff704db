/** What cannot be taken back: data loss, production deploys, force pushes, secret rotation, money, mass mail. */
import { callMatches, shellCalls } from "./shell-text.ts";
import { judgeStatements } from "./statement-text.ts";
import { splitWords } from "./words.ts";

export interface IrreversibleRows {
  actions: { what: string; verbs: string[]; objects: string[] }[];
  commands: { command: string; options: string[]; what: string }[];
  arguments: { kind: ArgumentKind; names: string[] }[];
}

/** What an argument adds to a call, by its name. */
export const ARGUMENT_KINDS = ["scope", "final", "recipients", "command", "statement"] as const;
export type ArgumentKind = (typeof ARGUMENT_KINDS)[number];

export interface IrreversibleTables {
  /** `always`: in a tool's name the verb is enough. */
  actions: { what: string; verbs: ReadonlySet<string>; objects: string[][]; always: boolean }[];
  commands: { command: string[]; options: string[]; what: string }[];
  /** Names in lower-case letters without separators. */
  arguments: ReadonlyMap<ArgumentKind, ReadonlySet<string>>;
  /** Verbs with which a call loses data, and those with which it reaches people. */
  deleting: ReadonlySet<string>;
  sending: ReadonlySet<string>;
}

/** The object that stands for anything, in a tool's name. */
const ANYTHING = "*";

/** As much of a text as is looked at, in characters; where more follows, it is not shown to be harmless. */
const MAX_TEXT = 32_768;

/** A call whose words are names and messages: its options are looked at, what they say is not. */
const HARMLESS =
  /^\s*(?:git\s+(?:commit|add|status|log|diff|show|push|fetch|pull)|echo|grep|rg|cat|ls|head|tail|less|man|which)\b/;

/** The rows worked out, as JSON that is quickly read: words with spaces between, several objects with commas. */
export interface IrreversibleWords {
  actions: { what: string; verbs: string; objects: string; always: boolean }[];
  commands: IrreversibleRows["commands"];
  arguments: { kind: ArgumentKind; names: string }[];
}

export function workOutIrreversible(rows: IrreversibleRows): IrreversibleWords {
  return {
    actions: rows.actions.map(({ what, verbs, objects }) => ({
      what,
      verbs: verbs.join(" "),
      objects: objects
        .filter((object) => object !== ANYTHING)
        .map((object) => splitWords(object).join(" "))
        .join(","),
      always: objects.includes(ANYTHING),
    })),
    commands: rows.commands,
    arguments: rows.arguments.map(({ kind, names }) => ({
      kind,
      names: names.map((name) => splitWords(name).join("")).join(" "),
    })),
  };
}

/** Builds the look-up. */
export function compileIrreversible(words: IrreversibleWords): IrreversibleTables {
  const actions = words.actions.map(({ what, verbs, objects, always }) => ({
    what,
    verbs: new Set(verbs.split(" ")),
    objects: objects === "" ? [] : objects.split(",").map((object) => object.split(" ")),
    always,
  }));
  const verbsOf = (wanted: string) =>
    new Set(actions.flatMap(({ what, verbs }) => (what === wanted ? [...verbs] : [])));
  return {
    actions,
    arguments: new Map(words.arguments.map(({ kind, names }) => [kind, new Set(names.split(" "))])),
    deleting: verbsOf("data loss"),
    sending: verbsOf("mass mail"),
    commands: words.commands.map(({ command, options, what }) => ({ command: command.split(/\s+/), options, what })),
  };
}

/** What makes an action irreversible, or `null`; whatever is no object gives `null`. Never throws. */
export function irreversibleAction(action: unknown, tables: IrreversibleTables): string | null {
  if (typeof action !== "object" || action === null) return null;
  const { type, command, description, args } = action as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return (
    inSentences(`${text(type)} ${text(description)}`, tables) ??
    inCode(text(description), tables) ??
    inCommand(text(command), tables) ??
    (args === undefined ? null : irreversibleCall({ tool: `${text(type)} ${text(command)}`, args }, tables))
  );
}

/** What makes a command line irreversible: its programs and options, its SQL, or what it says in words. */
function inCommand(command: string, tables: IrreversibleTables): string | null {
  const code = inCode(command, tables);
  if (code !== null) return code;
  for (const part of command.slice(0, MAX_TEXT).split(/[;&|\n]+/)) {
    const said = HARMLESS.test(part) ? null : inSentences(part, tables);
    if (said !== null) return said;
  }
  return null;
}

/** What makes a text irreversible as a program: a command of the table, or a statement. */
function inCode(text: string, tables: IrreversibleTables): string | null {
  const source = text.slice(0, MAX_TEXT);
  for (const call of shellCalls(source)) {
    const hit = tables.commands.find((row) => callMatches(call, row.command, row.options));
    if (hit !== undefined) return hit.what;
  }
  const lost =
    judgeStatements(source) === "irreversible" ||
    /\bdropdatabase\b|\.drop\(\)|\.(?:deletemany|remove)\((?:\{\s*\})?\)/i.test(source);
  return lost ? "data loss" : null;
}

/** A verb and an object of one row in one sentence. */
function inSentences(text: string, tables: IrreversibleTables): string | null {
  for (const sentence of text.slice(0, MAX_TEXT).split(/[.!?;]\s|\n/)) {
    // A sum of money is an object without a word.
    const words = splitWords(sentence.replace(/[$€£¥₹]\s?\d/g, " money "));
    const hit = tables.actions.find(
      ({ verbs, objects }) =>
        words.some((word) => verbs.has(word)) &&
        objects.some((object) => words.some((_, at) => object.every((part, offset) => words[at + offset] === part))),
    );
    if (hit !== undefined) return hit.what;
  }
  return null;
}

/** Paths and patterns that are everything there is. */
const EVERYTHING = /^(?:[A-Za-z]:)?[\\/]*(?:\*{1,2}|~|\.{1,2}|[\\/])[\\/]*\*{0,2}$/;
const TOO_LARGE = "arguments too large to look through";

/** More recipients than this are a mass mail. */
const MANY = 20;
const MAX_NODES = 5_000;

/**
 * What makes one call irreversible: the tool's name with the arguments that say what and where (not for a tool that `reads`:
 * its name says what is looked at), SQL and shell commands in its arguments, final flags, paths that are everything, the
 * HTTP method DELETE, and more than 20 recipients.
 */
export function irreversibleCall(
  { server = "", tool, args, reads = false }: { server?: string; tool: string; args: unknown; reads?: boolean },
  tables: IrreversibleTables,
): string | null {
  const name = [...splitWords(server), ...splitWords(tool)];
  const deletes = name.some((word) => tables.deleting.has(word));
  const sends = name.some((word) => tables.sending.has(word));
  const isA = (kind: ArgumentKind, key: string) => tables.arguments.get(kind)?.has(key) === true;
  const scope: string[] = [];
  const open: { key: string; value: unknown }[] = [{ key: "", value: args }];
  let nodes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (++nodes > MAX_NODES) return TOO_LARGE;
    const { key, value } = next;
    if (value === true && isA("final", key) && deletes) return "data loss";
    if (value === true && key === "force" && name.includes("push")) return "force push";
    if (typeof value === "string") {
      const found = inValue(key, value, deletes, tables);
      if (found !== null) return found;
      if (isA("scope", key) && /^[\w-]{1,32}$/.test(value)) scope.push(value);
    } else if (Array.isArray(value)) {
      if (sends && value.length > MANY && isA("recipients", key)) return "mass mail";
      if (isA("command", key)) {
        const found = inCommand(value.filter((item) => typeof item === "string").join(" "), tables);
        if (found !== null) return found;
      }
      for (const item of value) open.push({ key, value: item });
    } else if (typeof value === "object" && value !== null) {
      for (const [child, item] of Object.entries(value)) open.push({ key: splitWords(child).join(""), value: item });
    }
  }
  if (reads) return null;
  const said = inSentences([...name, ...scope].join(" "), tables);
  // A tool that deletes by its name loses what it deletes, whatever that is.
  return (
    said ?? tables.actions.find(({ verbs, always }) => always && name.some((word) => verbs.has(word)))?.what ?? null
  );
}

/** What one text among the arguments makes irreversible. */
function inValue(key: string, value: string, deletes: boolean, tables: IrreversibleTables): string | null {
  if (key === "method" && value.trim().toUpperCase() === "DELETE") return "data loss";
  if (deletes && EVERYTHING.test(value)) return "data loss";
  const isCommand = tables.arguments.get("command")?.has(key) === true;
  const isStatement = tables.arguments.get("statement")?.has(key) === true;
  if ((isCommand || isStatement) && value.length > MAX_TEXT) return TOO_LARGE;
  if (isCommand) return inCommand(value, tables);
  if (isStatement) return judgeStatements(value) === "irreversible" ? "data loss" : null;
  return startsAsCode(value, tables) ? inCode(value, tables) : null;
}

/** Whether a text begins like a command of the table or like a statement, wherever it is passed. */
function startsAsCode(text: string, tables: IrreversibleTables): boolean {
  const first = /^\s*(?:sudo\s+)?([\w./\\-]+)/.exec(text.slice(0, 200))?.[1]?.toLowerCase();
  if (first === undefined) return false;
  return (
    /^(?:drop|truncate|delete|update|alter)$/.test(first) ||
    tables.commands.some(({ command }) => command[0]?.toLowerCase() === first.toLowerCase())
  );
}
