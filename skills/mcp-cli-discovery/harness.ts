/** The MCP servers behind a harness's tool list, as Claude Code, VS Code and Copilot CLI print their tools. */
import { splitQualifiedName } from "../../runtime/core/tool.ts";
import { canonicalName, MAX_NAME, type NameTable, slug } from "./names.ts";

/** VS Code cuts `mcp_<server>` to 17 characters and adds `_<tool>`: at most this much of the server is left. */
const SHOWN_OF_SERVER = 13;

/**
 * The canonical servers of the listed names, in order, each once. `others` are the names that the other sources give: a
 * cut or run-together listing is read as one of them where it can be. What is no MCP tool's name is left out, and nothing
 * is trimmed into one.
 */
export function harnessServers(tools: unknown, table: NameTable, others: readonly string[]): string[] {
  const listed = (Array.isArray(tools) ? (tools as unknown[]) : []).flatMap((tool) => nameOf(tool) ?? []);
  const whole = listed.flatMap((name) => {
    const parsed = splitQualifiedName(name);
    return parsed === null ? [] : [connectorName(parsed.server)];
  });
  const telling = [...table.canonical.values()].filter((name) => !table.ordinary.has(name));
  const known = shownNames([...telling, ...whole.map((name) => canonicalName(name, table)), ...others]);
  const groups = singleGroups(listed);
  const found = listed.map((name) => {
    const qualified = splitQualifiedName(name);
    if (qualified !== null) return canonicalName(connectorName(qualified.server), table);
    if (name.startsWith("mcp__")) return "";
    if (name.startsWith("mcp_")) return single(name.slice(4), known, groups, table);
    return copilotServer(name, known, table);
  });
  return [...new Set(found.filter((name) => name !== ""))];
}

/** Names with white space, controls or nothing visible in them are no tool's. */
function nameOf(tool: unknown): string | null {
  const name = typeof tool === "string" ? tool : (tool as { name?: unknown } | null)?.name;
  if (typeof name !== "string" || name.length > 4 * MAX_NAME) return null;
  return /^[^\s\p{C}\p{Z}]+$/u.test(name) ? name : null;
}

/** What a host puts before the name of a server that came with an account or a plugin says nothing about the server. */
function connectorName(server: string): string {
  const account = /^claude_ai_(.+)$/.exec(server)?.[1];
  if (account !== undefined) return account;
  const plugin = /^plugin_(.+)$/.exec(server)?.[1];
  if (plugin === undefined) return server;
  // `plugin_<plugin>_<server>`; most plugins bring one server of their own name.
  const half = (plugin.length - 1) / 2;
  const twice = plugin[half] === "_" && plugin.slice(0, half) === plugin.slice(half + 1);
  return twice ? plugin.slice(0, half) : plugin.slice(plugin.indexOf("_") + 1);
}

/** Names as a listing shows them (lower case, `_`, perhaps cut) → the names themselves. */
function shownNames(names: readonly string[]): Map<string, string> {
  const shown = new Map<string, string>();
  for (const name of names) {
    const plain = slug(name).replaceAll("-", "_");
    for (const form of [plain, plain.slice(0, SHOWN_OF_SERVER)]) if (!shown.has(form)) shown.set(form, name);
  }
  return shown;
}

/** For tools listed as `mcp_<server>_<tool>`: what all tools with the same first word begin with. */
function singleGroups(listed: readonly string[]): Map<string, { parts: string[]; size: number }> {
  const groups = new Map<string, { parts: string[]; size: number }>();
  for (const name of listed) {
    if (!name.startsWith("mcp_") || name.startsWith("mcp__")) continue;
    const parts = name.slice(4).split("_").slice(0, -1);
    const group = groups.get(parts[0] ?? "");
    if (group === undefined) groups.set(parts[0] ?? "", { parts, size: 1 });
    else {
      const differs = group.parts.findIndex((part, at) => parts[at] !== part);
      if (differs !== -1) group.parts = group.parts.slice(0, differs);
      group.size += 1;
    }
  }
  return groups;
}

/** The server of what follows `mcp_`: a known name, else a cut one that all its tools share, else the first word. */
function single(
  rest: string,
  known: ReadonlyMap<string, string>,
  groups: ReadonlyMap<string, { parts: string[]; size: number }>,
  table: NameTable,
): string {
  const parts = rest.split("_");
  if (parts.length < 2 || parts[0] === "") return "";
  for (let length = Math.min(parts.length - 1, table.longest + 1); length > 0; length--) {
    const name = known.get(parts.slice(0, length).join("_").toLowerCase());
    if (name !== undefined) return name;
  }
  const group = groups.get(parts[0] ?? "");
  const shared = group?.parts.join("_") ?? "";
  const cut = shared.slice(0, SHOWN_OF_SERVER);
  // A cut ends where its room ends; a shared verb ("list_…") does not.
  if (group !== undefined && shared.length >= SHOWN_OF_SERVER && rest[SHOWN_OF_SERVER] === "_") {
    return canonicalName(cut, table);
  }
  return canonicalName(parts[0] ?? "", table);
}

/** Copilot CLI prints `<server>-<tool>`, and takes `<server>(<tool>)` and `<server>/<tool>` in its rules. */
function copilotServer(name: string, known: ReadonlyMap<string, string>, table: NameTable): string {
  const rule = /^([A-Za-z0-9][A-Za-z0-9._-]*)(?:\(([^()]*)\)|\/([^/]+))$/.exec(name);
  if (rule !== null) {
    const server = canonicalName(rule[1] ?? "", table);
    return rule[3] !== undefined || /mcp/i.test(rule[1] ?? "") || known.has(server.replaceAll("-", "_")) ? server : "";
  }
  const marked = /^([A-Za-z0-9][A-Za-z0-9._-]*?-mcp(?:-server)?)-[A-Za-z0-9_]/.exec(name)?.[1];
  if (marked !== undefined) return canonicalName(marked, table);
  const parts = name.split("-");
  for (let length = Math.min(parts.length - 1, table.longest); length > 0; length--) {
    const server = known.get(parts.slice(0, length).join("_").toLowerCase());
    if (server !== undefined) return server;
  }
  return "";
}
