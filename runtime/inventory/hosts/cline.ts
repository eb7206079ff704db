/**
 * Cline. Source: docs.cline.bot/mcp/adding-and-configuring-servers (the extension's `cline_mcp_settings.json`,
 * `disabled`, `autoApprove`, `type` `streamableHttp` or `sse`, `timeout` in seconds) and the CLI's
 * `~/.cline/data/settings`, which `CLINE_DIR` moves. The extension runs in every editor built from VS Code.
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
        ...extensionFiles("saoudrizwan.claude-dev", "cline_mcp_settings.json"),
      ],
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
  roots: { CLINE_DIR: "<home>/.cline" },
  entries: { timeoutUnit: "s" },
};
