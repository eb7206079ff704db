/** Reads a profile from Markdown tables: this skill's own SKILL.md, or a user's file with the same headings. */
import * as z from "zod/mini";
import { PackError } from "../../runtime/core/errors.ts";
import { badRow, listCell, type Tables, tableRows } from "../../runtime/core/tables.ts";
import { MAX_TOOLS, type Profile } from "./profile.ts";

const text = z.string().check(z.minLength(1, "is empty"));
const list = z
  .pipe(
    z.string(),
    z.transform((cell) => listCell(cell)),
  )
  .check(z.refine((words) => words.length > 0, "is empty"));

/**
 * The tables `Always hot`, `On demand` and `Routing rules`, and where they are there `Idioms` and `Abbreviations`. Throws a
 * `PackError` with file and line: `no-room` where the hot list leaves no place under the cap, `bad-row` where a tool or a
 * domain stands twice or a rule names a domain without tools, and what `tableRows` throws.
 */
export function readProfile(tables: Tables): Profile {
  const hot = tableRows(tables, "Always hot", z.object({ tool: text })).map(({ tool }) => tool);
  const bundles = tableRows(tables, "On demand", z.object({ domain: text, tools: list })).map(
    ({ domain, tools }): [string, string[]] => [domain, tools],
  );
  const rules = tableRows(tables, "Routing rules", z.object({ domain: text, keywords: list }));
  const optional = (heading: string) => tables.byHeading.has(heading);
  if (hot.length >= MAX_TOOLS) {
    throw new PackError(
      "no-room",
      `The always-hot list has ${hot.length} tools and leaves no room under the cap of ${MAX_TOOLS}`,
      {
        file: tables.file,
        line: tables.byHeading.get("Always hot")?.line,
        fix: `Keep at most ${MAX_TOOLS - 1}`,
      },
    );
  }
  refuseRepeats(tables, hot, bundles);
  refuseStrayRules(tables, rules, bundles);
  return {
    hot,
    bundles,
    rules: rules.filter(({ keywords }) => !keywords.includes("*")),
    fallback: rules.find(({ keywords }) => keywords.includes("*"))?.domain ?? "meta",
    idioms: optional("Idioms") ? tableRows(tables, "Idioms", z.object({ phrase: text })).map((row) => row.phrase) : [],
    abbreviations: optional("Abbreviations")
      ? tableRows(tables, "Abbreviations", z.object({ word: text, "stands for": text })).map(
          (row): [string, string] => [row.word.toLowerCase(), row["stands for"]],
        )
      : [],
  };
}

function refuse(tables: Tables, heading: string, at: number, column: string, problem: string): void {
  const row = tables.byHeading.get(heading)?.rows[at];
  if (row !== undefined) throw badRow(tables, heading, row, column, problem);
}

function refuseRepeats(tables: Tables, hot: string[], bundles: Profile["bundles"]): void {
  const tools = new Set<string>();
  const domains = new Set<string>();
  hot.forEach((name, at) => {
    if (tools.has(name)) refuse(tables, "Always hot", at, "tool", `"${name}" stands twice`);
    tools.add(name);
  });
  bundles.forEach(([domain, names], at) => {
    if (domains.has(domain)) refuse(tables, "On demand", at, "domain", "the domain stands twice");
    domains.add(domain);
    for (const name of names) {
      if (tools.has(name)) refuse(tables, "On demand", at, "tools", `"${name}" stands twice`);
      tools.add(name);
    }
  });
}

function refuseStrayRules(tables: Tables, rules: Profile["rules"], bundles: Profile["bundles"]): void {
  rules.forEach(({ domain }, at) => {
    if (!bundles.some(([name]) => name === domain)) {
      refuse(tables, "Routing rules", at, "domain", 'it has no row under "On demand"');
    }
  });
}
