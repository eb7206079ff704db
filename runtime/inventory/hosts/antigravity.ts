/**
 * Antigravity. Source: antigravity.google/docs/mcp and add-mcp's agent table: `~/.gemini/antigravity/mcp_config.json`,
 * `serverUrl` for remote servers, `disabled`, `disabledTools`.
 */
import type { Host } from "./host.ts";

export const antigravity: Host = {
  id: "antigravity",
  title: "Antigravity",
  files: [
    {
      scope: "user",
      paths: ["<home>/.gemini/antigravity/mcp_config.json"],
      format: "jsonc",
      root: ["mcpServers"],
      bare: true,
    },
  ],
};
