/** Lists and tables: which kind of tool a heading or an introducing line says they hold, and what an entry says of itself. */

import { programAt } from "./cli-mentions.ts";
import { findMentions } from "./mentions.ts";
import { entryName } from "./name-in.ts";
import { restVerdict, type Verdict } from "./notes.ts";
import { isClosed, type Mention, type MentionTables, type Reading, readTokens } from "./reading.ts";

export interface Section {
  /** What its entries are; `servers` are MCP servers where the text speaks of MCP at all. */
  kind: "mcp" | "cli" | "servers" | null;
  /** It speaks of tools: a program's name alone is an entry. */
  tools: boolean;
  /** What it says of everything under it. */
  verdict: Verdict;
}

/** A heading or an introducing line. Where it speaks of anything else, it says nothing of its entries. */
export function readSection(text: string, tables: MentionTables): Section {
  const reading = readTokens(text.replace(/[:*_\s]+$/, ""), tables);
  const { tokens, roles } = reading;
  const words = tokens.filter(({ kind }) => kind !== "mark");
  const lower = words.map((token) => token.lower).join(" ");
  const isMcp = /\bmcps?\b|\bmodel context protocol\b/.test(lower);
  const isCli = /\bclis?\b|\bcommand[- ]line\b|\bcli-tools?\b/.test(lower);
  const closed = tokens.every(
    ({ kind, lower: word }, at) => kind === "mark" || isClosed(roles[at]) || LIST_WORD.test(word) || word === "thing",
  );
  if (words.length === 0 || !closed) return { kind: null, tools: false, verdict: "says" };
  const named = findMentions(reading).length > 0;
  return {
    kind: named
      ? null
      : isMcp && !isCli
        ? "mcp"
        : isCli && !isMcp
          ? "cli"
          : /\bservers?\b/.test(lower)
            ? "servers"
            : null,
    tools: /\btool(?:s|ing)?\b/.test(lower),
    verdict: sectionVerdict(reading),
  };
}

const LIST_WORD =
  /^(?:mcps?|model|context|protocol|clis?|cli-tools?|command|command-line|line|tools?|tooling|servers?|mcp-servers?)$/;

function sectionVerdict({ roles }: Reading): Verdict {
  if (roles.includes("only") || roles.includes("keep")) return "says";
  if (roles.includes("deny") || roles.includes("absent")) return "denies";
  return roles.includes("prepare") ||
    roles.includes("some-day") ||
    roles.includes("condition") ||
    roles.includes("past")
    ? "neither"
    : "says";
}

/** The tool that a list's entry or a table's row stands for, and what its rest says of it. */
export function readEntry(
  cells: readonly string[],
  columns: readonly string[],
  kind: "mcp" | "cli",
  tables: MentionTables,
): { mention: Mention; verdict: Verdict } | null {
  const reading = readTokens(cells[0] ?? "", tables);
  const named = kind === "mcp" ? entryName(reading, 0) : programAt(reading, 0);
  if (named === null || (kind === "mcp" && /^clis?$/.test(reading.tokens[named.to]?.lower ?? ""))) return null;
  const rests = [reading, ...cells.slice(1).map((cell) => readTokens(cell, tables))];
  const verdicts = rests.map((rest, at) => restVerdict(rest, at === 0 ? named.to : 0, columns[at] ?? ""));
  const verdict = verdicts.find((found) => found !== "says") ?? "says";
  return { mention: { kind, sure: true, ...named }, verdict };
}
