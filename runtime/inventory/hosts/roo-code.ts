/**
 * Roo Code. Source: docs.roocode.com/features/mcp/using-mcp-in-roo and the extension's McpHub.ts: `.roo/mcp.json`
 * before the global `mcp_settings.json`, by name; `type` is required with a url and a command beside a url is an
 * error; `disabled`, `disabledTools`, `timeout` in seconds; `${env:NAME}` and `${workspaceFolder}` (config.ts of the
 * same repository).
 */
import { extensionFiles, type Host } from "./host.ts";

export const rooCode: Host = {
  id: "roo-code",
  title: "Roo Code",
  files: [
    { scope: "project", paths: ["<project>/.roo/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    {
      scope: "user",
      paths: extensionFiles("rooveterinaryinc.roo-cline", "mcp_settings.json"),
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
  entries: { timeoutUnit: "s" },
};
