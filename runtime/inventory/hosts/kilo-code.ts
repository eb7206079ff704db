/**
 * Kilo Code. Checked: kilo.ai/docs/features/mcp/using-mcp-in-cli (`.kilocode/mcp.json`,
 * `~/.kilocode/cli/global/settings/mcp_settings.json`, `disabled`, `alwaysAllow`) and add-mcp's src/agents.ts: newer
 * versions keep an opencode-like `kilo.json` with the key `mcp`, under `~/.config/kilo` on every platform, and still
 * read the extension's `mcp_settings.json`.
 */
import { extensionFiles, type Host } from "./host.ts";

export const kiloCode: Host = {
  id: "kilo-code",
  title: "Kilo Code",
  files: [
    {
      scope: "project",
      paths: ["<project>/.kilocode/mcp.json", "<project>/.kilo/mcp.json"],
      format: "jsonc",
      root: ["mcpServers"],
    },
    {
      scope: "project",
      paths: ["<project>/kilo.json", "<project>/kilo.jsonc", "<project>/.kilo/kilo.json"],
      format: "jsonc",
      root: ["mcp"],
    },
    {
      scope: "user",
      paths: [
        "<home>/.kilocode/cli/global/settings/mcp_settings.json",
        ...extensionFiles("kilocode.kilo-code", "mcp_settings.json"),
      ],
      format: "jsonc",
      root: ["mcpServers"],
    },
    {
      scope: "user",
      paths: ["<config>/kilo/kilo.json", "<config>/kilo/kilo.jsonc"],
      format: "jsonc",
      root: ["mcp"],
    },
  ],
  entries: { notations: ["curly"] },
};
