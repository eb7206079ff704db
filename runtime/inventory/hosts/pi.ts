/**
 * Pi, through its MCP adapter. Source: add-mcp's agent table and the adapter's README: `.pi/mcp.json` in the project,
 * then `~/.pi/mcp.json` and `~/.pi/agent/mcp.json`.
 */
import type { Host } from "./host.ts";

export const pi: Host = {
  id: "pi",
  title: "Pi",
  files: [
    { scope: "project", paths: ["<project>/.pi/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.pi/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.pi/agent/mcp.json"], format: "jsonc", root: ["mcpServers"] },
  ],
};
