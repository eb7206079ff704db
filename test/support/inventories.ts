/** Small inventories for tests: what stands in a listing is all that matters. */
import type { FailureKind, Inventory, Server, Tool } from "../../runtime/core/contracts.ts";

type ToolLike = string | (Partial<Tool> & { name: string });

export function server(name: string, tools: readonly ToolLike[], more: Partial<Server> = {}): Server {
  const listed = tools.map((tool) => ({ server: name, ...(typeof tool === "string" ? { name: tool } : tool) }));
  return { name, state: "ready", tools: listed, flags: [], origins: [], ...more };
}

export function failedServer(name: string, kind: FailureKind, message = "It does not work"): Server {
  return server(name, [], { state: "failed", failure: { kind, message } });
}

export function inventory(...servers: Server[]): Inventory {
  return { servers, problems: [] };
}
