/**
 * Windsurf. Source: docs.windsurf.com/windsurf/cascade/mcp: `~/.codeium/windsurf/mcp_config.json` for the editor,
 * `~/.codeium/mcp_config.json` for the plugins; `serverUrl` for remote servers; `${env:VAR}`; `disabled` and
 * `disabledTools` are written by the application.
 */
import type { Host } from "./host.ts";

export const windsurf: Host = {
  id: "windsurf",
  title: "Windsurf",
  files: [
    {
      scope: "user",
      paths: ["<home>/.codeium/windsurf/mcp_config.json", "<home>/.codeium/mcp_config.json"],
      format: "jsonc",
      root: ["mcpServers"],
      bare: true,
    },
  ],
};
