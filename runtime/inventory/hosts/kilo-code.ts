/**
 * Kilo Code. Source: kilo.ai/docs/features/mcp/using-mcp-in-kilo-code and /using-mcp-in-cli: `.kilocode/mcp.json` in
 * the project, `~/.kilocode/cli/global/settings/mcp_settings.json` for the CLI, the extension's `mcp_settings.json`;
 * newer versions keep an opencode-like `kilo.json` with the key `mcp`.
 */
import { extensionFiles, type Host } from "./host.ts";

export const kiloCode: Host = {
  id: "kilo-code",
  title: "Kilo Code",
  files: [
    { scope: "project", paths: ["<project>/.kilocode/mcp.json"], format: "jsonc", root: ["mcpServers"] },
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
