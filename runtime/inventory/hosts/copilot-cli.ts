/**
 * GitHub Copilot CLI. Checked: github/docs, "Adding MCP servers for GitHub Copilot CLI": `.mcp.json` in every folder
 * from the working directory up to the repository's root (closest first) and `.github/mcp.json` before
 * `~/.copilot/mcp-config.json`, which `COPILOT_HOME` moves and earlier versions looked for under `XDG_CONFIG_HOME`;
 * `tools` lists what is allowed. It does not read `.vscode/mcp.json`. The shared `.mcp.json` is listed under Claude
 * Code.
 */
import type { Host } from "./host.ts";

export const copilotCli: Host = {
  id: "copilot-cli",
  title: "GitHub Copilot CLI",
  files: [
    { scope: "project", paths: ["<project>/.github/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    {
      scope: "user",
      paths: ["<COPILOT_HOME>/mcp-config.json", "<XDG_CONFIG_HOME>/mcp-config.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
  roots: { COPILOT_HOME: "<home>/.copilot", XDG_CONFIG_HOME: null },
};
