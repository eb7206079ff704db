/**
 * MCP Inspector: the catalogue of saved servers in `~/.mcp-inspector/mcp.json`. Checked by running its version 2.12.
 */
import type { Host } from "./host.ts";

export const inspector: Host = {
  id: "inspector",
  title: "MCP Inspector",
  files: [{ scope: "user", paths: ["<home>/.mcp-inspector/mcp.json"], format: "jsonc", root: ["mcpServers"] }],
};
