/**
 * Factory's droid. Checked: glossaries and installers of several tools that drive it: `.factory/mcp.json` in the
 * workspace and `~/.factory/mcp.json`, key `mcpServers`; `disabled` is from memory, not checked.
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
