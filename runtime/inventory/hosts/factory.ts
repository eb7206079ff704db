/**
 * Factory's droid. Checked: glossaries and installers of several tools that drive it: `.factory/mcp.json` in the
 * workspace and `~/.factory/mcp.json`, key `mcpServers`, after docs.factory.ai/cli/configuration/mcp; `disabled`,
 * `${VAR}` and `${VAR:-default}` after two tools that write it.
 */
import type { Host } from "./host.ts";

export const factory: Host = {
  id: "factory",
  title: "Factory",
  files: [
    { scope: "project", paths: ["<project>/.factory/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.factory/mcp.json"], format: "jsonc", root: ["mcpServers"] },
  ],
};
