/**
 * Roo Code. Checked: RooCodeInc/Roo-Code src/utils/config.ts (`${env:NAME}`, `${workspaceFolder}`) and
 * src/services/mcp/McpHub.ts: `.roo/mcp.json` before the global `mcp_settings.json`, by name; `type` is required with
 * a url and a command beside a url is an error; `disabled`, `disabledTools`, `timeout` in seconds. Earlier versions
 * named the global file as Cline does.
 */
import { extensionFiles, type Host } from "./host.ts";

export const rooCode: Host = {
  id: "roo-code",
  title: "Roo Code",
  files: [
    { scope: "project", paths: ["<project>/.roo/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    {
      scope: "user",
      paths: ["mcp_settings.json", "cline_mcp_settings.json"].flatMap((file) =>
        extensionFiles("rooveterinaryinc.roo-cline", file),
      ),
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
  entries: { timeoutUnit: "s" },
};
