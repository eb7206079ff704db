/**
 * Cursor. Source: cursor.com/docs/context/mcp: `.cursor/mcp.json` before `~/.cursor/mcp.json`; `type` is optional;
 * `envFile` for stdio servers; `${env:NAME}`, `${userHome}`, `${workspaceFolder}`, `${workspaceFolderBasename}` and
 * `${pathSeparator}`. On and off is kept in the application's own database.
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
