/**
 * MCP Inspector. Source: modelcontextprotocol/inspector, README: the catalogue of saved servers in `~/.mcp-
 * inspector/mcp.json`.
 */
import type { Host } from "./host.ts";

export const inspector: Host = {
  id: "inspector",
  title: "MCP Inspector",
  files: [{ scope: "user", paths: ["<home>/.mcp-inspector/mcp.json"], format: "jsonc", root: ["mcpServers"] }],
};
