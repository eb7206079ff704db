/** The one spelling under which a tool's names meet: `GitHub MCP`, `mcp-server-github` and `github` are `github`. */

/** Other spellings by slug, as the tables of SKILL.md give them. */
export interface NameTable {
  canonical: ReadonlyMap<string, string>;
  /** Known names that are words of everyday language: they need the word "MCP", a capital or code marks beside them. */
  ordinary: ReadonlySet<string>;
  /** The most words that a known name has. */
  longest: number;
}

/** The longest name that is kept, in UTF-16 code units; a longer one names nothing. */
export const MAX_NAME = 64;

export interface NameRow {
  name: string;
  also: string[];
  ordinary: boolean;
}

export function nameTable(rows: readonly NameRow[]): NameTable {
  const canonical = new Map<string, string>();
  for (const { name, also } of rows) for (const spelling of [name, ...also]) canonical.set(slug(spelling), name);
  const words = [...canonical.keys()].map((spelling) => spelling.split("-").length);
  const ordinary = new Set(rows.filter((row) => row.ordinary).map(({ name }) => name));
  return { canonical, ordinary, longest: Math.max(1, ...words) };
}

/** Lower case, everything between letters and digits as one hyphen: `Azure_DevOps` → `azure-devops`. */
export function slug(text: string): string {
  return text
    .slice(0, MAX_NAME * 2)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
}

const PREFIXES = ["mcp-server-", "mcp-"];
const SUFFIXES = ["-mcp-server", "-mcp-servers", "-mcp", "-mcps"];

/**
 * The canonical name, or the empty string where the text names nothing. The words around a name that only say what it is
 * ("mcp", "mcp-server") go, as does the scope of a package; "server" alone goes where a known name is left, since what is
 * called `build-server` may be no `build`.
 */
export function canonicalName(text: string, { canonical }: NameTable): string {
  // What no name is written with stands for itself: folding it would let two names meet that look different.
  if (/[^\p{L}\p{N}\s._@/()'’&+:-]/u.test(text)) return "";
  // `@playwright/mcp` is playwright's, `@modelcontextprotocol/server-git` is git.
  const [, scope = "", inner = text] = /^@?([^/\s]+)\/([^/\s]+)$/.exec(text.trim()) ?? [];
  let name = slug(/^(mcp|mcp-server|server)$/.test(inner) ? scope : inner);
  if (scope === "modelcontextprotocol") name = name.replace(/^server-/, "");
  if (name.length > MAX_NAME) return "";
  const known = canonical.get(name);
  if (known !== undefined) return known;
  const prefix = PREFIXES.find((word) => name.startsWith(word));
  if (prefix !== undefined) name = name.slice(prefix.length);
  const suffix = SUFFIXES.find((word) => name.endsWith(word));
  if (suffix !== undefined) name = name.slice(0, -suffix.length);
  if (name === "mcp" || name === "server" || name === "servers") return "";
  return canonical.get(name) ?? canonical.get(name.replace(/^server-|-server$/, "")) ?? name;
}
