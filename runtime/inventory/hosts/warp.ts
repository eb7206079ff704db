/**
 * Warp. Checked: warpdotdev's `agent-add-mcp` skill: `.warp/.mcp.json` in the repository before `~/.warp/.mcp.json`;
 * `mcpServers` or the bare map; `working_directory`.
 */
import type { Host } from "./host.ts";

export const warp: Host = {
  id: "warp",
  title: "Warp",
  files: [
    { scope: "project", paths: ["<project>/.warp/.mcp.json"], format: "jsonc", root: ["mcpServers"], bare: true },
    { scope: "user", paths: ["<home>/.warp/.mcp.json"], format: "jsonc", root: ["mcpServers"], bare: true },
  ],
};
