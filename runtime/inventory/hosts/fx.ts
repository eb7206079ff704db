/**
 * fx. Checked: add-mcp's src/agents.ts, which cites fx.sh/docs/capabilities/mcp: the key `mcp` in `~/.fx/mcp.json`;
 * `type` local or http, `command` as a list, `environment`, `enabled`, `bearer_token_env`, `header_env`.
 */
import type { Host } from "./host.ts";

export const fx: Host = {
  id: "fx",
  title: "fx",
  files: [
    { scope: "project", paths: ["<project>/.fx/mcp.json"], format: "jsonc", root: ["mcp"] },
    { scope: "user", paths: ["<home>/.fx/mcp.json"], format: "jsonc", root: ["mcp"] },
  ],
};
