/**
 * Kiro, editor and CLI. Source: kiro.dev/docs/mcp/configuration and /docs/cli/mcp/configuration:
 * `.kiro/settings/mcp.json` before `~/.kiro/settings/mcp.json`, then the servers of agent files; `disabled`,
 * `disabledTools`, `autoApprove`; `${VAR}`, which the editor expands for names the user approved.
 */
import type { Host } from "./host.ts";

export const kiro: Host = {
  id: "kiro",
  title: "Kiro",
  files: [
    {
      scope: "project",
      paths: ["<project>/.kiro/settings/mcp.json", "<project>/.kiro/agents/*.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
    {
      scope: "user",
      paths: ["<home>/.kiro/settings/mcp.json", "<home>/.kiro/agents/*.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
};
