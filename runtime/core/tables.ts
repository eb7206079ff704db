/**
 * Live tables: the Markdown tables of a SKILL.md are the data its module works with. Each is found by the heading it
 * stands under, and a row that does not fit is an error with file, line, column and fix.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type * as z from "zod/mini";
import { PackError, printable } from "./errors.ts";
import { modulePath } from "./module-path.ts";
import { decodeSkill, splitFrontmatter } from "./skill-text.ts";

export interface TableRow {
  /** Cell text by the column's heading, in lower case; code spans give their content. */
  cells: Record<string, string>;
  line: number;
  /** The column of the file at which each cell's text starts. */
  places: Record<string, number>;
  /** The column at which a cell starts that belongs to no heading; undefined where there is none. */
  extra?: number | undefined;
}

export interface MarkdownTable {
  heading: string;
  /** Column headings in lower case. */
  columns: string[];
  line: number;
  rows: TableRow[];
}

export interface Tables {
  file: string;
  /** By the nearest heading above; where a heading has several tables, the first. */
  byHeading: Map<string, MarkdownTable>;
}

/** Reads every table of a Markdown text. `firstLine` is the line of the file at which the text starts (default 1). */
export async function readTables(markdown: string, file: string, firstLine = 1): Promise<Tables> {
  // remark's own parser without the rest of remark: the skills are built into single files, and carry it along.
  const [{ fromMarkdown }, { gfmTable }, { gfmTableFromMarkdown }, { toString: textOf }] = await Promise.all([
    import("mdast-util-from-markdown"),
    import("micromark-extension-gfm-table"),
    import("mdast-util-gfm-table"),
    import("mdast-util-to-string"),
    import("./schema-messages.ts"),
  ]);
  const tree = fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  const byHeading = new Map<string, MarkdownTable>();
  let heading = "";
  for (const node of tree.children) {
    if (node.type === "heading") heading = textOf(node).trim();
    if (node.type !== "table" || byHeading.has(heading)) continue;
    const lineOf = (line: number | undefined) => (line ?? 1) + firstLine - 1;
    const [head, ...body] = node.children;
    const columns = (head?.children ?? []).map((cell) => textOf(cell).trim().toLowerCase());
    const rows = body.map((row): TableRow => {
      const cells = columns.map((column, at) => [column, row.children[at]] as const);
      return {
        cells: Object.fromEntries(
          cells.map(([column, cell]) => [column, cell === undefined ? "" : textOf(cell).trim()]),
        ),
        places: Object.fromEntries(
          cells.map(([column, cell]) => [column, (cell?.children[0] ?? cell ?? row).position?.start.column ?? 1]),
        ),
        line: lineOf(row.position?.start.line),
        extra: row.children[columns.length]?.position?.start.column,
      };
    });
    byHeading.set(heading, { heading, columns, line: lineOf(node.position?.start.line), rows });
  }
  return { file, byHeading };
}

/**
 * The rows under a heading, checked by a zod object whose keys are the column headings in lower case. Throws `no-table`
 * where the table is missing, `bad-table` where a column is, `bad-row` at the first cell that does not fit.
 */
export function tableRows<Row extends z.ZodMiniObject>(tables: Tables, heading: string, row: Row): z.output<Row>[] {
  const table = tables.byHeading.get(heading);
  if (table === undefined) {
    throw new PackError("no-table", `There is no table under the heading "${heading}"`, {
      file: tables.file,
      fix: `Add the heading and a table with the columns ${Object.keys(row.shape).join(", ")}`,
    });
  }
  for (const column of Object.keys(row.shape)) {
    if (table.columns.includes(column)) continue;
    throw new PackError("bad-table", `The table "${heading}" has no column "${column}"`, {
      file: tables.file,
      line: table.line,
      fix: `Give it the columns ${Object.keys(row.shape).join(", ")}`,
    });
  }
  const twice = table.columns.find((column, at) => table.columns.indexOf(column) !== at);
  if (twice !== undefined) {
    throw new PackError("bad-table", `The table "${heading}" has two columns "${printable(twice, 60)}"`, {
      file: tables.file,
      line: table.line,
      fix: "Rename one of them",
    });
  }
  return table.rows.map((entry) => {
    if (entry.extra !== undefined) {
      throw new PackError("bad-row", `The table "${heading}" has a row with more cells than columns`, {
        file: tables.file,
        line: entry.line,
        column: entry.extra,
        fix: "Write a bar that belongs to a cell as \\|",
      });
    }
    const checked = row.safeParse(entry.cells);
    if (checked.success) return checked.data;
    const issue = checked.error.issues[0];
    const column = String(issue?.path[0] ?? table.columns[0]);
    throw badRow(tables, heading, entry, column, issue?.message ?? "does not fit");
  });
}

/** A `bad-row` error for a rule that concerns several rows, such as a name that stands twice. */
export function badRow(tables: Tables, heading: string, row: TableRow, column: string, problem: string): PackError {
  const value = printable(row.cells[column] ?? "", 60);
  return new PackError("bad-row", `The table "${heading}" cannot use "${value}" as ${column}: ${problem}`, {
    file: tables.file,
    line: row.line,
    column: row.places[column],
    fix: `Mend the cell in the column "${column}" of that row`,
  });
}

/** A cell that lists words: separated by commas, trimmed, empty ones left out. */
export function listCell(cell: string): string[] {
  return cell
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/**
 * Where a skill's folder lies, seen from its module: the module's own folder in the source, its parent where the module
 * has been built into `scripts/`.
 */
export function skillFolder(moduleUrl: string): string {
  const folder = dirname(modulePath(moduleUrl));
  return basename(folder) === "scripts" ? dirname(folder) : folder;
}

/** What this process has loaded, by file, with the text that it came of: {@link parsedCopy} makes a file of it. */
export const knownTables = new Map<string, ParsedTables>();

export interface ParsedTables {
  data: unknown;
  source: Uint8Array;
}

/**
 * A skill's own tables as data: those of the SKILL.md in its folder, see {@link loadTables}.
 */
export function loadSkillTables<Data>(
  moduleUrl: string,
  read: (tables: Tables) => Data | Promise<Data>,
): Promise<Data> {
  return loadTables(join(skillFolder(moduleUrl), "SKILL.md"), read);
}

/**
 * The tables of a Markdown file as data: `read` turns them into what a module needs. Where a parsed copy stands beside the
 * file and was made of the same text, that copy is taken and no Markdown parser is loaded. The modules beside it count as
 * text too, since they decide how the tables are read.
 */
export async function loadTables<Data>(file: string, read: (tables: Tables) => Data | Promise<Data>): Promise<Data> {
  const bytes = readFileSync(file);
  const source = sourceOf(dirname(file), bytes);
  const data = (readCopy(file, source) as Data | undefined) ?? (await parsed(file, bytes, read));
  knownTables.set(file, { data, source });
  return data;
}

async function parsed<Data>(
  file: string,
  bytes: Uint8Array,
  read: (tables: Tables) => Data | Promise<Data>,
): Promise<Data> {
  const text = decodeSkill(bytes, file);
  const { body, bodyLine } = text.startsWith("---") ? splitFrontmatter(text, file) : { body: text, bodyLine: 1 };
  return read(await readTables(body, file, bodyLine));
}

/** Where the parsed copy of a file's tables stands: `tables.cache` for a SKILL.md, `x.tables.cache` for `x.md`. */
export function parsedCopyOf(file: string): string {
  const name = basename(file, ".md");
  return join(dirname(file), name === "SKILL" ? "tables.cache" : `${name}.tables.cache`);
}

/** The data as one line of JSON, then the text that it came of: to compare that takes less than any hash of it. */
export function parsedCopy({ data, source }: ParsedTables): Uint8Array {
  return Buffer.concat([Buffer.from(`${JSON.stringify(data)}\n`), source]);
}

function sourceOf(folder: string, text: Uint8Array): Buffer {
  const modules = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return Buffer.concat([text, ...modules.sort().map((name) => readFileSync(join(folder, name)))]);
}

/** A copy that is missing, damaged or of another text is as good as none: the Markdown is the source. */
function readCopy(file: string, source: Buffer): unknown {
  try {
    const copy = readFileSync(parsedCopyOf(file));
    const end = copy.indexOf("\n");
    return source.equals(copy.subarray(end + 1)) ? JSON.parse(copy.toString("utf8", 0, end)) : undefined;
  } catch {
    return undefined;
  }
}
