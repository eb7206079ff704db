/** The tools that an agent may use here: those of the session without what the host's rules deny. */
import type { Access, Inventory, Tool } from "../core/contracts.ts";
import { qualifiedName } from "../core/tool.ts";
import { readPermissions } from "../inventory/permissions.ts";
import { note } from "./io.ts";
import { sessionInventory } from "./session-tools.ts";

export interface UsableTools {
  inventory: Inventory;
  /** What is not shown to be a read is a write. */
  accessOf(tool: Tool): Access;
  /** 1 where `--strict` is given and an enabled server failed, else 0. */
  exitCode: 0 | 1;
}

/** How many tools are denied is told on stderr. */
export async function usableTools(
  args: Parameters<typeof sessionInventory>[0],
  rawArgs: string[],
): Promise<UsableTools> {
  const permissions = await readPermissions(process.cwd());
  const [{ classifyMcpTools, isDenied }, { inventory, exitCode }] = await Promise.all([
    import("../../skills/using-mcp/judgements.ts"),
    sessionInventory(args, rawArgs),
  ]);
  const servers = inventory.servers.map((server) => ({
    ...server,
    tools: server.tools.filter((tool) => !isDenied(permissions, tool.server, tool.name)),
  }));
  const count = (all: Inventory["servers"]) => all.reduce((sum, { tools }) => sum + tools.length, 0);
  const denied = count(inventory.servers) - count(servers);
  if (denied > 0) note(`${denied} tools are denied by the host's rules and left out`);
  return {
    inventory: { ...inventory, servers },
    accessOf(tool) {
      const { servers } = classifyMcpTools([{ ...tool, name: qualifiedName(tool.server, tool.name) }]);
      return [...servers.values()][0]?.tools[0]?.access ?? "write";
    },
    exitCode,
  };
}
