/**
 * Claude Desktop. Source: modelcontextprotocol.io/docs/develop/connect-local-servers (macOS and Windows paths); the
 * Linux path is the same folder under the XDG configuration home, as packagers of the Linux build and add-mcp use it.
 * The file holds stdio servers only; remote ones are connectors inside the application.
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
