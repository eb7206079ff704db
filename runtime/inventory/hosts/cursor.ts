/**
 * Cursor: `.cursor/mcp.json` before `~/.cursor/mcp.json`; `type` is optional. Checked: userjot.com/docs/mcp-cursor
 * (`${env:NAME}`) and syllago.dev's provider notes (`${env:NAME}`, `${userHome}`, `${workspaceFolder}`, transports).
 * `envFile`, `${workspaceFolderBasename}` and `${pathSeparator}` are VS Code's notations, which Cursor inherits; no public
 * page was found that states them. On and off is kept in the application's own database, which is not read.
 */
import type { Host } from "./host.ts";

export const cursor: Host = {
  id: "cursor",
  title: "Cursor",
  files: [
    { scope: "project", paths: ["<project>/.cursor/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.cursor/mcp.json"], format: "jsonc", root: ["mcpServers"] },
  ],
};
