/**
 * Claude Code: `.mcp.json` in the project, local and user servers in `~/.claude.json`, and what an administrator sets.
 * Checked: code.claude.com/docs/en/mcp on scopes (local before project before user) and on expansion (`${VAR}`,
 * `${VAR:-default}` in command, args, env, url and headers), and its page on managed MCP: `managed-mcp.json` in the
 * system's folder takes exclusive control. A server that the user switched off for one project stands in `~/.claude.json`
 * under `projects[path].disabledMcpServers`, as several tools that read it have it. Servers of plugins are found by
 * `claude-plugins.ts`. Approvals of a project's servers are read by `claude-approvals.ts`.
 */
import { isObject } from "../config-format.ts";
import type { Host } from "./host.ts";

export const claudeCode: Host = {
  id: "claude-code",
  title: "Claude Code",
  files: [
    {
      scope: "user",
      paths: ["</>/Library/Application Support/ClaudeCode/managed-mcp.json"],
      format: "jsonc",
      root: ["mcpServers"],
      exclusive: true,
      platforms: ["darwin"],
    },
    {
      scope: "user",
      paths: ["</>/etc/claude-code/managed-mcp.json"],
      format: "jsonc",
      root: ["mcpServers"],
      exclusive: true,
      platforms: ["linux"],
    },
    {
      scope: "user",
      paths: ["<ProgramFiles>/ClaudeCode/managed-mcp.json"],
      format: "jsonc",
      root: ["mcpServers"],
      exclusive: true,
      platforms: ["win32"],
    },
    { scope: "user", paths: ["<home>/.claude.json"], format: "jsonc", root: ["projects", "<project>", "mcpServers"] },
    { scope: "project", paths: ["<project>/.mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.claude.json"], format: "jsonc", root: ["mcpServers"] },
  ],
  roots: { ProgramFiles: "</>/Program Files" },
  switchedOff(root, name, project) {
    const projects = isObject(root.projects) ? root.projects : {};
    const own = projects[project];
    return isObject(own) && Array.isArray(own.disabledMcpServers) && own.disabledMcpServers.includes(name);
  },
};
