/**
 * Which MCP servers and CLIs three sources name: the prompt, copilot-instructions and the harness's tool list. Nothing is
 * probed: only what is written counts. Linear in the length of the texts.
 */
import type { Detected, Detection, DetectionSource } from "../../runtime/core/contracts.ts";
import type { CliTable } from "./clis.ts";
import type { CueTable } from "./cues.ts";
import { harnessServers } from "./harness.ts";
import { judgeMentions } from "./judge.ts";
import { readEntry, readSection, type Section } from "./lists.ts";
import { findMentions } from "./mentions.ts";
import type { NameTable } from "./names.ts";
import type { Verdict } from "./notes.ts";
import { noteVerdict } from "./predicate.ts";
import { readStatements, type Statement } from "./prose.ts";
import { type Mention, type Reading, readTokens } from "./reading.ts";

export interface DetectionInput {
  prompt?: unknown;
  /** The text of `.github/copilot-instructions.md`. */
  copilotInstructions?: unknown;
  /** The harness's tool names, as text or as objects with a `name`. */
  harnessTools?: unknown;
}

/** The skill's tables as detection takes them. */
export interface DetectionTables {
  names: NameTable;
  clis: CliTable;
  cues: CueTable;
}

type Kind = Mention["kind"];

/** Merges the three sources; none wins. Never throws: what is of the wrong type names nothing. */
export function detect(input: DetectionInput, tables: DetectionTables): Detection {
  const found = { mcp: new Map<string, DetectionSource[]>(), cli: new Map<string, DetectionSource[]>() };
  const add = (kind: Kind, name: string, source: DetectionSource) =>
    found[kind].set(name, [...(found[kind].get(name) ?? []), source]);
  const { prompt, copilotInstructions, harnessTools } = (input ?? {}) as DetectionInput;
  for (const [source, text] of [
    ["prompt", prompt],
    ["copilot-instructions", copilotInstructions],
  ] as const) {
    if (typeof text !== "string") continue;
    const named = namedIn(text, tables);
    for (const kind of ["mcp", "cli"] as const) for (const name of named[kind]) add(kind, name, source);
  }
  for (const name of harnessServers(harnessTools, tables.names, [...found.mcp.keys()])) add("mcp", name, "harness");
  const detected = (names: Map<string, DetectionSource[]>): Detected[] =>
    [...names].map(([name, sources]) => ({ name, sources }));
  return { mcps: detected(found.mcp), clis: detected(found.cli) };
}

/** What a text says is there, in the order in which it is first said. The last plain word on a tool counts. */
export function namedIn(text: string, tables: DetectionTables): Record<Kind, string[]> {
  const said = { mcp: new Map<string, boolean>(), cli: new Map<string, boolean>() };
  const take = ({ kind, name }: Mention, verdict: Verdict) => {
    if (verdict === "neither") return;
    // A name that was only ever denied keeps no place.
    if (verdict === "says" || said[kind].has(name)) said[kind].set(name, verdict === "says");
  };
  const sections = sectionReader(tables, /\bMCPs?\b|\bmcp\b/.test(text));
  let recent: Mention | undefined;
  for (const statement of readStatements(text)) {
    const section = sections(statement);
    const reading = readTokens(statement.text, tables);
    const mentions = findMentions(reading);
    const entry = section.kind === null || statement.kind === "sentence" ? null : entryOf(statement, section, tables);
    if (mentions.length === 0 && entry === null) {
      if (recent !== undefined && deniesPronoun(reading)) take(recent, "denies");
      continue;
    }
    const verdicts = judgeMentions(reading, mentions);
    for (const [at, mention] of mentions.entries()) {
      if (entry !== null && mention.from <= entry.mention.from) continue;
      take(mention, combined(section.verdict, asEntry(statement, section, reading, mention, verdicts[at] as Verdict)));
    }
    if (entry !== null) take(entry.mention, combined(section.verdict, entry.verdict));
    recent = entry?.mention ?? mentions.at(-1);
    if (recent !== undefined && entry === null && deniesPronoun(reading, recent.to)) take(recent, "denies");
  }
  const names = (of: Map<string, boolean>) => [...of].filter(([, there]) => there).map(([name]) => name);
  return { mcp: names(said.mcp), cli: names(said.cli) };
}

/** A program's name at the head of an entry, under a heading about tools, stands there for itself. */
function asEntry(
  { kind }: Statement,
  { tools }: Placed,
  reading: Reading,
  { from, to }: Mention,
  verdict: Verdict,
): Verdict {
  const next = reading.tokens[to];
  const alone = next === undefined || next.kind === "mark";
  if (kind === "sentence" || !tools || from > 0 || !alone || verdict !== "neither") return verdict;
  return noteVerdict(reading, to);
}

function combined(section: Verdict, own: Verdict): Verdict {
  if (section === "says") return own;
  return own === "says" ? section : own;
}

interface Placed extends Omit<Section, "kind"> {
  kind: "mcp" | "cli" | null;
}

/** The section of a statement, each heading and introducing line read once. */
function sectionReader(tables: DetectionTables, speaksOfMcp: boolean): (statement: Statement) => Placed {
  const read = new Map<string, Section>();
  const sectionOf = (text: string) => {
    const known = read.get(text);
    if (known !== undefined) return known;
    const section = readSection(text, tables);
    read.set(text, section);
    return section;
  };
  return ({ headings, intro, columns, cells, kind }) => {
    const column = kind === "row" && columns?.[0] !== undefined ? [columns[0]] : [];
    const above = [...headings.slice(-6), ...(kind === "sentence" ? [] : [intro, ...column])].map(sectionOf);
    // A cell that holds nothing but "MCP server" or "CLI" says it of its row.
    const told = (cells ?? [])
      .slice(1)
      .map((cell) => /^(mcp|cli)(?: (?:server|tool))?$/i.exec(cell)?.[1]?.toLowerCase());
    const kinds = [...above.map((section) => section.kind), ...told].filter(
      (found) => found !== null && found !== undefined,
    );
    const nearest = (kinds.at(-1) ?? null) as Section["kind"];
    const tools = above.some((section) => section.tools);
    const verdict =
      above
        .map((section) => section.verdict)
        .filter((found) => found !== "says")
        .at(-1) ?? "says";
    if (nearest !== "servers") return { kind: nearest, tools, verdict };
    return { kind: speaksOfMcp ? "mcp" : null, tools, verdict };
  };
}

function entryOf(statement: Statement, section: Placed, tables: DetectionTables) {
  if (section.kind === null) return null;
  const cells = statement.cells ?? [statement.text];
  const entry = readEntry(cells, statement.columns ?? [], section.kind, tables);
  // A heading below is a chapter, unless it is a tool's own.
  return statement.kind === "heading" && entry !== null && !isKnownName(entry.mention, tables) ? null : entry;
}

function isKnownName({ kind, name }: Mention, tables: DetectionTables): boolean {
  return kind === "mcp" ? tables.names.canonical.has(name) : tables.clis.names.has(name);
}

/** `don't use it`, `it is down`: said of the tool that was named last. */
function deniesPronoun({ tokens, roles, starts }: Reading, from = 0): boolean {
  for (let at = from; at < Math.min(tokens.length, from + 40); at++) {
    if (roles[at] === "condition" || roles[at] === "others") return false;
    if (roles[at] === "deny" && starts[at] === true) {
      for (let next = at + 1; next < at + 6; next++) {
        if (/^(?:it|them)$/.test(tokens[next]?.lower ?? "") && /^(?:use|deny)$/.test(roles[next - 1] ?? "")) {
          return !/^(?:to|for|on)$/.test(tokens[next + 1]?.lower ?? "");
        }
      }
    }
    if (/^(?:it|they|it's|they're)$/.test(tokens[at]?.lower ?? "")) {
      const after = roles.slice(at, at + 6);
      const absent = after.indexOf("absent");
      const denied = after.indexOf("deny");
      if (absent !== -1 && denied === -1 && onlyClosed(after.slice(1, absent))) {
        return !/^(?:a|an|the|some)$/.test(tokens[at + absent + 1]?.lower ?? "");
      }
      const present = after.lastIndexOf("present");
      if (denied !== -1 && present > denied && onlyClosed(after.slice(1, denied))) return true;
    }
  }
  return false;
}

function onlyClosed(roles: readonly unknown[]): boolean {
  return roles.every((role) => role === "verb" || role === "function" || role === "absent");
}
