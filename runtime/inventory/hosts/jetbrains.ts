/**
 * JetBrains. Source: jetbrains.com/help/junie/model-context-protocol-mcp.html (Junie: `.junie/mcp/mcp.json` in the
 * project and the home), jetbrains.com/help/air/mcp-servers.html (Air: `.air/mcp.json`, and the shared `.mcp.json`),
 * and GitHub's Copilot plugin (`servers` in `github-copilot/intellij/mcp.json`). AI Assistant keeps its servers in the
 * IDE's own settings.
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
