/**
 * Grok Build. Checked: add-mcp's src/agents.ts, which cites docs.x.ai/build/features/mcp-servers:
 * `[mcp_servers.<name>]` in `.grok/config.toml` of the project, then of `$GROK_HOME`; `headers`, `enabled`,
 * `startup_timeout_sec`. What it also reads of other hosts is listed under those.
 */
import type { Host } from "./host.ts";

export const grok: Host = {
  id: "grok",
  title: "Grok Build",
  files: [
    { scope: "project", paths: ["<project>/.grok/config.toml"], format: "toml", root: ["mcp_servers"] },
    { scope: "user", paths: ["<GROK_HOME>/config.toml"], format: "toml", root: ["mcp_servers"] },
  ],
  roots: { GROK_HOME: "<home>/.grok" },
};
