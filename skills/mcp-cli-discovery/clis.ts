/** The command line programs that are known by name: SKILL.md's table "Known CLIs". */
import { slug } from "./names.ts";

export interface CliRow {
  cli: string;
  also: string[];
  /** The name is a word of everyday language: alone in prose it names nothing. */
  ordinary: boolean;
}

export interface CliTable {
  /** Exact program names. */
  names: ReadonlyMap<string, { ordinary: boolean }>;
  /** Product names by slug, as they stand before "CLI": `azure-developer` → `azd`. */
  products: ReadonlyMap<string, string>;
  /** The most words that a product's name has. */
  longest: number;
}

export function cliTable(rows: readonly CliRow[]): CliTable {
  const products = new Map<string, string>();
  for (const { cli, also } of rows) for (const spelling of [cli, ...also]) products.set(slug(spelling), cli);
  return {
    names: new Map(rows.map(({ cli, ordinary }) => [cli, { ordinary }])),
    products,
    longest: Math.max(1, ...[...products.keys()].map((name) => name.split("-").length)),
  };
}
