/**
 * Servers under `mcpServers` in Claude Code's settings files and in `.claude/mcp.json`. Claude Code itself does not
 * start them from there, but MCPorter does (checked: its docs/config.md, kind `claude-code`) and Mastra Code (its
 * feature notes on `.claude/settings.local.json`), and people write them there, so they are listed with the file as
 * their origin.
 */
import type { Host } from "./host.ts";

export const claudeSettings: Host = {
  id: "claude-settings",
  title: "Claude settings files",
  files: [
    {
      scope: "project",
      paths: ["<project>/.claude/settings.local.json", "<project>/.claude/settings.json", "<project>/.claude/mcp.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
    {
      scope: "user",
      paths: ["<home>/.claude/settings.json", "<home>/.claude/mcp.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
};
