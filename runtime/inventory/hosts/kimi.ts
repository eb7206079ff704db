/**
 * Kimi Code. Checked: add-mcp's src/agents.ts, which cites kimi.com/code/docs: `.kimi-code/mcp.json` in the project,
 * then in `$KIMI_CODE_HOME`; `transport` names the kind. Earlier versions of the command line used `~/.kimi/mcp.json`.
 */
import type { Host } from "./host.ts";

export const kimi: Host = {
  id: "kimi",
  title: "Kimi Code",
  files: [
    { scope: "project", paths: ["<project>/.kimi-code/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<KIMI_CODE_HOME>/mcp.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.kimi/mcp.json"], format: "jsonc", root: ["mcpServers"] },
  ],
  roots: { KIMI_CODE_HOME: "<home>/.kimi-code" },
};
