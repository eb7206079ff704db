/**
 * Antigravity. Checked: add-mcp's src/agents.ts in two versions (`~/.gemini/antigravity/mcp_config.json`, since then
 * `~/.gemini/config/mcp_config.json`; `serverUrl` for remote servers); other installers write
 * `.agents/mcp_config.json` in the project.
 */
import type { Host } from "./host.ts";

export const antigravity: Host = {
  id: "antigravity",
  title: "Antigravity",
  files: [
    {
      scope: "project",
      paths: ["<project>/.agents/mcp_config.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
    {
      scope: "user",
      paths: ["<home>/.gemini/config/mcp_config.json", "<home>/.gemini/antigravity/mcp_config.json"],
      format: "jsonc",
      root: ["mcpServers"],
      bare: true,
    },
  ],
};
