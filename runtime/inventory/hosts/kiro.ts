/**
 * Kiro, editor and CLI. Checked: kiro.dev/docs/mcp/configuration and /docs/cli/mcp/configuration:
 * `.kiro/settings/mcp.json` before `~/.kiro/settings/mcp.json`, then the servers of agent files; `disabled`,
 * `disabledTools`, `autoApprove`; `${VAR}` in env, which the editor expands for names that the user approved. That
 * list is not read: a project's file waits for approval here as a whole.
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
