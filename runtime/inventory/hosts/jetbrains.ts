/**
 * JetBrains. Checked: jetbrains.com/help/junie (Junie; the paths `.junie/mcp/mcp.json` in project and home after
 * Laravel Boost's installer and three other tools that write them), jetbrains.com/help/air/mcp-servers.html (Air:
 * `.air/mcp.json` and the shared `.mcp.json`). GitHub's Copilot plugin keeps `servers` in
 * `github-copilot/intellij/mcp.json` under `~/.config` or `%LOCALAPPDATA%` (Laravel Boost's installer and several
 * servers' setup pages). AI Assistant keeps its servers in the IDE's own settings, which are not read.
 */
import type { Host } from "./host.ts";

export const jetbrains: Host = {
  id: "jetbrains",
  title: "JetBrains",
  files: [
    {
      scope: "project",
      paths: ["<project>/.junie/mcp/mcp.json", "<project>/.air/mcp.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
    { scope: "user", paths: ["<home>/.junie/mcp/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    {
      scope: "user",
      paths: ["<config>/github-copilot/intellij/mcp.json", "<LOCALAPPDATA>/github-copilot/intellij/mcp.json"],
      format: "jsonc",
      root: ["servers"],
    },
  ],
  roots: { LOCALAPPDATA: null },
};
