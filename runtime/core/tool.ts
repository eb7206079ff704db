/**
 * Qualified tool names, `mcp__<server>__<tool>`: how a harness lists an MCP tool. The server may hold single underscores;
 * the first `__` after the prefix separates.
 */
import { PackError, printable } from "./errors.ts";
import { isPlainText } from "./plain-text.ts";

const PREFIX = "mcp__";

/** The longest name that clients accept: MCP specification 2025-11-25, "Tool Names" (1 to 128 characters). */
export const MAX_NAME_LENGTH = 128;

export interface ToolName {
  server: string;
  tool: string;
}

/** `{ server: "git_hub", tool: "list" }` → `mcp__git_hub__list`. */
export function qualifiedName(server: string, tool: string): string {
  return `${PREFIX}${server}__${tool}`;
}

/**
 * The server and the tool of a qualified name, or `null` where it is none. Nothing is trimmed or folded: a name with white
 * space or controls around it is not a qualified name.
 */
export function splitQualifiedName(name: string): ToolName | null {
  if (!name.startsWith(PREFIX)) return null;
  const at = name.indexOf("__", PREFIX.length);
  if (at <= PREFIX.length || at + 2 >= name.length) return null;
  // A line break would let one listed line stand for two tools.
  if (name.includes(" ") || (!isPlainText(name) && /[\p{Cc}\p{Zl}\p{Zp}\s]/u.test(name))) return null;
  return { server: name.slice(PREFIX.length, at), tool: name.slice(at + 2) };
}

/** {@link splitQualifiedName}, with a `PackError` `bad-tool-name` in place of `null`. */
export function parseQualifiedName(name: string): ToolName {
  const parsed = splitQualifiedName(name);
  if (parsed !== null) return parsed;
  throw new PackError("bad-tool-name", `"${printable(name)}" is not a qualified tool name`, {
    fix: "Write it as mcp__<server>__<tool>",
  });
}

/**
 * Whether splitting `qualifiedName(server, tool)` gives the same pair back for every tool: not where the server holds `__`
 * or ends in `_`, since then two pairs share one name and no verdict may rest on it.
 */
export function isUnambiguousServer(server: string): boolean {
  return server !== "" && !server.includes("__") && !server.endsWith("_");
}
