/** At the start of a session: what its MCP servers are for, in a few lines. */
import { printable } from "../core/errors.ts";
import { qualifiedName } from "../core/tool.ts";
import { hostName, knownInventory } from "./known-tools.ts";
import type { HookOptions } from "./pre-tool-use.ts";

const MAX_LINES = 12;
const MAX_SERVERS = 4;

/** The lines, or `null` where nothing is known of the project's servers. */
export async function sessionStart({ place, now }: HookOptions): Promise<string | null> {
  const { servers } = await knownInventory(place, now);
  const tools = servers.flatMap(({ name, tools }) =>
    tools.map((tool) => ({ ...tool, name: qualifiedName(hostName(name), tool.name) })),
  );
  if (tools.length === 0) return null;
  const { classifyMcpTools } = await import("../../skills/using-mcp/judgements.ts");
  const lines = [...classifyMcpTools(tools).byCapability].map(([capability, entries]) => {
    const accesses = new Map<string, Set<string>>();
    for (const { server, access } of entries) accesses.set(server, (accesses.get(server) ?? new Set()).add(access));
    const named = [...accesses]
      .slice(0, MAX_SERVERS)
      .map(([server, access]) => `${printable(server, 60)} (${[...access].sort().join(", ")})`);
    const more = accesses.size > MAX_SERVERS ? `, ${accesses.size - MAX_SERVERS} more` : "";
    return `- ${capability}: ${named.join(", ")}${more}`;
  });
  const left = lines.length - MAX_LINES;
  return [
    "MCP servers of this project by what they are for. Prefer them to doing the same by hand; reads run, writes ask.",
    ...lines.slice(0, MAX_LINES),
    ...(left > 0 ? [`- ${left} more`] : []),
  ].join("\n");
}
