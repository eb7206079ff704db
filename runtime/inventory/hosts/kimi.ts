/**
 * Kimi Code. Source: add-mcp's agent table: `.kimi-code/mcp.json` in the project, then in the home; earlier versions
 * of the CLI used `~/.kimi/mcp.json`.
 */
import type { Host } from "./host.ts";

export const kimi: Host = {
  id: "kimi",
  title: "Kimi Code",
  files: [
    { scope: "project", paths: ["<project>/.kimi-code/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.kimi-code/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.kimi/mcp.json"], format: "jsonc", root: ["mcpServers"] },
  ],
};
