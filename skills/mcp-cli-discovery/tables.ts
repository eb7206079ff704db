/** The tables of this skill's SKILL.md as data. */
import * as z from "zod/mini";
import { badRow, listCell, type Tables, tableRows } from "../../runtime/core/tables.ts";
import type { CliRow } from "./clis.ts";
import { CUE_ROLES, type CueRow } from "./cues.ts";
import type { NameRow } from "./names.ts";
import type { IntentRow } from "./research.ts";

/** Everything that the skill reads from its SKILL.md, as plain JSON. */
export interface DiscoveryRows {
  names: NameRow[];
  clis: CliRow[];
  cues: CueRow[];
  intents: IntentRow[];
  /** Arguments, in lower case, that take the question itself. */
  queryArguments: string[];
}

const words = z.pipe(
  z.string(),
  z.transform((cell) => listCell(cell)),
);
const flag = z.pipe(
  z.enum(["yes", ""], 'must be "yes" or empty'),
  z.transform((cell) => cell === "yes"),
);

export function readDiscoveryTables(tables: Tables): DiscoveryRows {
  const name = z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "must be lower-case words joined by hyphens"));
  const cli = z.string().check(z.regex(/^[a-z0-9][a-z0-9._-]*$/, "must be a program's name"));
  return {
    names: tableRows(tables, "MCP names", z.object({ name, "also written": words, ordinary: flag })).map(
      ({ name, ordinary, "also written": also }) => ({ name, also, ordinary }),
    ),
    clis: tableRows(tables, "Known CLIs", z.object({ cli, "also written": words, ordinary: flag })).map(
      ({ cli, ordinary, "also written": also }) => ({ cli, also, ordinary }),
    ),
    cues: readCues(tables),
    intents: tableRows(
      tables,
      "Research intents",
      z.object({
        source: z.string().check(z.minLength(1, "is empty")),
        mcps: words,
        clis: words,
        intents: words,
        words,
      }),
    ),
    queryArguments: tableRows(
      tables,
      "Query arguments",
      z.object({ argument: z.string().check(z.minLength(1, "is empty")) }),
    ).map(({ argument }) => argument.toLowerCase()),
  };
}

/** A phrase that stood under two roles would mean whatever comes first: an error of the table. */
function readCues(tables: Tables): CueRow[] {
  const rows = tableRows(tables, "Cue words", z.object({ role: z.enum(CUE_ROLES), words }));
  const roles = new Map<string, string>();
  for (const [at, row] of rows.entries()) {
    if (row.role === "ask") continue;
    for (const phrase of row.words) {
      const other = roles.get(phrase.toLowerCase());
      roles.set(phrase.toLowerCase(), row.role);
      const line = tables.byHeading.get("Cue words")?.rows[at];
      if (other !== undefined && line !== undefined) {
        throw badRow(tables, "Cue words", line, "words", `"${phrase}" stands under "${other}" as well`);
      }
    }
  }
  return rows;
}
