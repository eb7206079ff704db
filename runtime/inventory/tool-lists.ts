/** The host's own tool lists, applied: a tool that the user switched off in his host is not there. */
import type { Server } from "../core/contracts.ts";
import type { ServerConfig } from "./server-config.ts";

type ToolLists = Pick<ServerConfig, "allowTools" | "denyTools">;

/** Whether the lists let a tool through: it must be on the allow list, where there is one, and not on the deny list. */
export function allowsTool({ allowTools, denyTools }: ToolLists, name: string): boolean {
  if (allowTools !== undefined && !allowTools.some((pattern) => matches(pattern, name))) return false;
  return !(denyTools?.some((pattern) => matches(pattern, name)) ?? false);
}

/** The server with the tools that its host's lists let through. */
export function withinToolLists(server: Server, lists: ToolLists): Server {
  if (lists.allowTools === undefined && lists.denyTools === undefined) return server;
  return { ...server, tools: server.tools.filter(({ name }) => allowsTool(lists, name)) };
}

/** `get_*` matches names that start so; anything else matches itself. */
function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
