/**
 * Factory's droid. Source: docs.factory.ai/cli/configuration/mcp and add-mcp's agent table: `.factory/mcp.json` in the
 * project, then `~/.factory/mcp.json`; `disabled`.
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
