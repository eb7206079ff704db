/** What the harness lists joins what the configured servers answered: one inventory. */
import type { Inventory, ListedTool, Server } from "../core/contracts.ts";
import { qualifiedName, splitQualifiedName } from "../core/tool.ts";

/**
 * The inventory with every harness tool in it. A qualified name of a server or tool that no configured server gave is
 * added by name alone; names that are not qualified are no MCP tools and are left to detection.
 */
export function withHarnessTools(inventory: Inventory, harnessTools: readonly string[]): Inventory {
  const servers = new Map<string, Server>(inventory.servers.map((server) => [server.name, server]));
  for (const listed of harnessTools) {
    const name = splitQualifiedName(listed);
    if (name === null) continue;
    const server = servers.get(name.server);
    if (server?.tools.some((tool) => tool.name === name.tool)) continue;
    const tools = [...(server?.tools ?? []), { server: name.server, name: name.tool }];
    const blank: Server = { name: name.server, state: "ready", tools: [], flags: [], origins: [] };
    const { failure: _gone, ...known } = server ?? blank;
    servers.set(name.server, { ...known, state: "ready", tools });
  }
  return { ...inventory, servers: [...servers.values()] };
}

/** The qualified names of all tools of ready servers: what a harness that had them all would list. */
export function toolNames(inventory: Inventory): string[] {
  return inventory.servers
    .filter((server) => server.state === "ready")
    .flatMap((server) => server.tools.map((tool) => qualifiedName(server.name, tool.name)));
}

/** All tools of ready servers as a harness lists them: with qualified names. */
export function listed(inventory: Inventory): ListedTool[] {
  return inventory.servers
    .filter((server) => server.state === "ready")
    .flatMap(({ name: serverName, tools }) =>
      tools.map(({ server: _server, name, ...tool }) => ({ ...tool, name: qualifiedName(serverName, name) })),
    );
}
