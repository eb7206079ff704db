/**
 * Cline. Checked: docs.cline.bot/mcp/adding-and-configuring-servers (`cline_mcp_settings.json`, `disabled`,
 * `autoApprove`, a timeout of 30 seconds to one hour) and add-mcp's src/agents.ts (both paths, `CLINE_DIR`,
 * `streamableHttp`). The extension runs in every editor built from VS Code; the command line also keeps
 * `~/.cline/mcp.json`.
 */
import { extensionFiles, type Host } from "./host.ts";

export const cline: Host = {
  id: "cline",
  title: "Cline",
  files: [
    {
      scope: "user",
      paths: [
        "<CLINE_DIR>/data/settings/cline_mcp_settings.json",
        "<CLINE_DIR>/mcp.json",
        ...extensionFiles("saoudrizwan.claude-dev", "cline_mcp_settings.json"),
      ],
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
  roots: { CLINE_DIR: "<home>/.cline" },
  entries: { timeoutUnit: "s" },
};
