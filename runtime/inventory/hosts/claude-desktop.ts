/**
 * Claude Desktop. Checked: add-mcp's src/agents.ts for the three platforms' paths. The file holds stdio servers only;
 * remote ones are connectors inside the application. No variables are documented for it; the common notation is read
 * all the same, since a literal `${TOKEN}` is of no use to any server.
 */
import type { Host } from "./host.ts";

export const claudeDesktop: Host = {
  id: "claude-desktop",
  title: "Claude Desktop",
  files: [
    {
      scope: "user",
      paths: ["<appData>/Claude/claude_desktop_config.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
};
