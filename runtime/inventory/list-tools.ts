/**
 * A server's whole tool list, read leniently: every page, bounded, and one malformed tool costs only itself. What a server
 * got wrong is told in flags.
 */
import type { ListingFlag, Tool } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { MAX_NAME_LENGTH } from "../core/tool.ts";
import { hasUnresolvedReference } from "./schema-references.ts";

export const MAX_PAGES = 64;
export const MAX_TOOLS = 10_000;
/** So many flags of one server are told. */
export const MAX_FLAGS = 200;

/** Asks for one page; `cursor` is absent for the first. */
export type PageRequest = (cursor: string | undefined) => Promise<Record<string, unknown>>;

export interface Listing {
  tools: Tool[];
  flags: ListingFlag[];
}

/** Follows the pages until there is no next, a cursor comes twice, or a bound is reached; keeps what came in every case. */
export async function listTools(server: string, request: PageRequest): Promise<Listing> {
  const listing: Listing = { tools: [], flags: [] };
  const names = new Set<string>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const result = await requestPage(request, cursor, page, listing);
    if (result === null) return listing;
    if (!Array.isArray(result.tools)) {
      listing.flags.push({ kind: "bad-page", message: `Page ${page} of the tool list holds no array of tools` });
      return listing;
    }
    addPage(server, result.tools, names, listing);
    const next: unknown = result.nextCursor;
    if (typeof next !== "string") return listing;
    if (next === cursor || seen.has(next)) {
      if (next !== "")
        listing.flags.push({ kind: "cursor-loop", message: "The list's cursor came back; stopped there" });
      return listing;
    }
    seen.add(next);
    cursor = next;
    if (page >= MAX_PAGES || listing.tools.length >= MAX_TOOLS) {
      listing.flags.push({ kind: "list-cut", message: `The list did not end; stopped after ${page} pages` });
      return listing;
    }
  }
}

/** A later page that fails costs only itself; the first one failing is the server's failure. */
async function requestPage(request: PageRequest, cursor: string | undefined, page: number, listing: Listing) {
  try {
    return await request(cursor);
  } catch (error) {
    if (page === 1) throw error;
    listing.flags.push({ kind: "page-failed", message: `Page ${page} of the tool list could not be read` });
    return null;
  }
}

function addPage(server: string, page: unknown[], names: Set<string>, listing: Listing): void {
  const flagsBefore = listing.flags.length;
  const toolsBefore = listing.tools.length;
  for (const raw of page) addTool(server, raw, names, listing);
  // A page that holds nothing new is a page that came twice: its names are no fault of theirs.
  if (toolsBefore > 0 && listing.tools.length === toolsBefore) {
    const added = listing.flags.splice(flagsBefore);
    listing.flags.push(...added.filter(({ kind }) => kind !== "duplicate-name"));
  }
  if (listing.flags.length > MAX_FLAGS) {
    listing.flags.splice(MAX_FLAGS, listing.flags.length, { kind: "flags-cut", message: "There is more of this kind" });
  }
}

function addTool(server: string, raw: unknown, names: Set<string>, listing: Listing): void {
  if (listing.tools.length >= MAX_TOOLS) return;
  const problem = problemOf(raw, names);
  const { name } = (raw ?? {}) as { name?: unknown };
  const shown = typeof name === "string" ? { tool: printable(name, MAX_NAME_LENGTH) } : {};
  if (problem !== null) {
    listing.flags.push({ ...shown, kind: problem.kind, message: problem.message });
    return;
  }
  const entry = { ...(raw as Record<string, unknown> & { name: string }) };
  names.add(entry.name);
  if (!isSchema(entry.inputSchema)) {
    listing.flags.push({
      ...shown,
      kind: "bad-schema",
      message: "The tool has no usable input schema; any object is assumed",
    });
  }
  if (entry.outputSchema !== undefined && entry.outputSchema !== null && !isSchema(entry.outputSchema)) {
    listing.flags.push({ ...shown, kind: "bad-schema", message: "The tool's output schema is of no use; left out" });
  }
  if (!/^[A-Za-z0-9_.-]+$/.test(entry.name)) {
    listing.flags.push({
      ...shown,
      kind: "odd-name",
      message: "The tool's name holds characters that the specification forbids",
    });
  }
  for (const [key, word] of [
    ["inputSchema", "input"],
    ["outputSchema", "output"],
  ] as const) {
    if (!isSchema(entry[key]) || !hasUnresolvedReference(entry[key])) continue;
    listing.flags.push({
      ...shown,
      kind: "bad-reference",
      message: `The tool's ${word} schema refers to something that it does not hold`,
    });
    if (key === "outputSchema") entry.outputSchema = undefined;
  }
  listing.tools.push({
    server,
    name: entry.name,
    ...(typeof entry.title === "string" ? { title: entry.title } : {}),
    ...(typeof entry.description === "string" ? { description: entry.description } : {}),
    ...(isObject(entry.annotations) ? { annotations: hintsOf(entry.annotations) } : {}),
    inputSchema: isSchema(entry.inputSchema) ? entry.inputSchema : { type: "object" },
    ...(isSchema(entry.outputSchema) ? { outputSchema: entry.outputSchema } : {}),
  });
}

function problemOf(raw: unknown, names: Set<string>): { kind: string; message: string } | null {
  if (!isObject(raw)) return { kind: "bad-tool", message: "An entry of the tool list is no object; left out" };
  const { name } = raw;
  if (typeof name !== "string" || name === "") return { kind: "bad-name", message: "A tool has no name; left out" };
  if (name.length > MAX_NAME_LENGTH) return { kind: "bad-name", message: "The tool's name is too long; left out" };
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name))
    return { kind: "bad-name", message: "The tool's name holds controls; left out" };
  if (names.has(name)) return { kind: "duplicate-name", message: "The server lists this name twice; the first counts" };
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A tool's schema must describe an object (MCP specification 2025-11-25, `Tool`). */
function isSchema(value: unknown): value is Record<string, unknown> {
  return isObject(value) && (value.type === "object" || value.type === undefined);
}

/** The hints that are of the right type; a hint of another type says nothing. */
function hintsOf(annotations: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key, value]) =>
      key === "title" ? typeof value === "string" : !key.endsWith("Hint") || typeof value === "boolean",
    ),
  );
}
