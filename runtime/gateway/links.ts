/** The resources that tools' results of one session linked to, and whose they are. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";

/** How many links of a session are kept; the oldest go. */
const MAX_LINKS = 1000;

export interface Links {
  /** Keeps the links of a server's result. */
  keep(server: string, result: CallToolResult): void;
  /** The server whose result named the address last. */
  serverOf(uri: string): string | undefined;
}

export function createLinks(): Links {
  const servers = new Map<string, string>();
  return {
    keep(server, { content }) {
      for (const block of content) {
        if (block.type !== "resource_link") continue;
        servers.delete(block.uri);
        servers.set(block.uri, server);
      }
      for (const uri of servers.keys()) {
        if (servers.size <= MAX_LINKS) break;
        servers.delete(uri);
      }
    },
    serverOf: (uri) => servers.get(uri),
  };
}
