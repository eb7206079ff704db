/**
 * Windsurf. Checked: docs.windsurf.com/windsurf/cascade/mcp and /plugins/cascade/mcp:
 * `~/.codeium/windsurf/mcp_config.json` for the editor, `~/.codeium/mcp_config.json` for the plugins; stdio,
 * Streamable HTTP and SSE; `serverUrl` or `url` for remote servers; `${env:VAR}` and `${file:path}`. The switches
 * `disabled` and `disabledTools`, which the application writes, stand in configurations that users publish; no page of
 * the host's own was found that states them.
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
  entries: { notations: ["file"] },
};
