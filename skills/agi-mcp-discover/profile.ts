/** A loader's profile: always-hot tools, on-demand bundles and routing rules, read from Markdown tables. */
import { z } from "zod";
import { PackError } from "../../runtime/core/errors.ts";
import { badRow, listCell, type Tables, tableRows } from "../../runtime/core/tables.ts";

/** The hard cap: no more tools than this are ever loaded. */
export const MAX_TOOLS = 8;

export interface Rule {
  domain: string;
  keywords: string[];
}

export interface Profile {
  hot: string[];
  /** Tools by domain, in order of priority. */
  bundles: [domain: string, tools: string[]][];
  /** In table order; the first that matches wins. */
  rules: Rule[];
  /** The domain where no rule matches. */
  fallback: string;
  /** What the words of tool names stand for. */
  abbreviations: [word: string, meaning: string][];
}

const text = z.string().min(1, "is empty");

/** Throws a `PackError` where the hot list leaves no room, a tool stands twice, or a rule names no bundle. */
export function readProfile(tables: Tables): Profile {
  const hot = tableRows(tables, "Always hot", z.object({ tool: text, what: text })).map(({ tool }) => tool);
  const bundles = tableRows(tables, "On demand", z.object({ domain: text, tools: text })).map(
    (row): [string, string[]] => [row.domain, listCell(row.tools)],
  );
  const rules = tableRows(tables, "Routing rules", z.object({ domain: text, keywords: text })).map((row) => ({
    domain: row.domain,
    keywords: listCell(row.keywords),
  }));
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
  const abbreviations = tables.byHeading.has("Abbreviations")
    ? tableRows(tables, "Abbreviations", z.object({ word: text, "stands for": text }))
    : [];
  const fallback = rules.find(({ keywords }) => keywords.includes("*"))?.domain ?? "meta";
  return {
    hot,
    bundles,
    rules: rules.filter(({ keywords }) => !keywords.includes("*")),
    fallback,
    abbreviations: abbreviations.map((row): [string, string] => [row.word, row["stands for"]]),
  };
}

function refuseRepeats(tables: Tables, hot: string[], bundles: Profile["bundles"]): void {
  const seen = new Set<string>();
  const check = (heading: string, column: string, at: number, names: string[]) => {
    for (const name of names) {
      const row = tables.byHeading.get(heading)?.rows[at];
      if (seen.has(name) && row !== undefined) throw badRow(tables, heading, row, column, `"${name}" stands twice`);
      seen.add(name);
    }
  };
  hot.forEach((name, at) => {
    check("Always hot", "tool", at, [name]);
  });
  bundles.forEach(([, names], at) => {
    check("On demand", "tools", at, names);
  });
}
