/** From what is configured to what is there: enabled servers are listed, the others are told with their reason. */
import type { Inventory, Server } from "../core/contracts.ts";
import type { ListOptions } from "./connect.ts";
import type { Configured, ServerConfig } from "./server-config.ts";
import { withinToolLists } from "./tool-lists.ts";

/** Takes the inventory of all configured servers, in their order. The SDK is loaded only where a server has to start. */
export async function takeInventory(configured: Configured, options: ListOptions = {}): Promise<Inventory> {
  const enabled = configured.servers.filter((config) => config.state === "enabled");
  const listed = new Map<ServerConfig, Server>();
  if (enabled.length > 0) {
    const { listServers } = await import("./connect.ts");
    const servers = await listServers(enabled, options);
    enabled.forEach((config, at) => {
      listed.set(config, withinToolLists(servers[at] as Server, config));
    });
  }
  return {
    servers: configured.servers
      .filter((config) => config.state !== "shadowed")
      .map((config) => listed.get(config) ?? notListed(config)),
    problems: configured.problems.map((problem) => {
      const { code, message, fix, file, line, column } = problem;
      return JSON.parse(JSON.stringify({ code, message, fix, file, line, column }));
    }),
  };
}

function notListed(config: ServerConfig): Server {
  const { name, origins, transport, reason } = config;
  const common = { name, ...(transport === undefined ? {} : { transport }), tools: [], flags: [], origins };
  if (config.state === "disabled") return { ...common, state: "disabled" };
  const { kind, message, fix } = reason ?? {
    kind: "config" as const,
    message: "The entry cannot be used",
    fix: undefined,
  };
  return { ...common, state: "failed", failure: { kind, message, ...(fix === undefined ? {} : { fix }) } };
}
