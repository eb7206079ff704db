/**
 * Pi, through nicobailon/pi-mcp-adapter. Checked: its README (`~/.pi/agent/mcp.json`) and its notes on variables
 * (`${VAR}` and `$VAR`); add-mcp's table for `.pi/mcp.json`.
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
  entries: { notations: ["dollar"] },
};
