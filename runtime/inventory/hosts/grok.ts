/**
 * Grok Build. Source: add-mcp's agent table (its reader lists these files): `[mcp_servers.<name>]` in
 * `.grok/config.toml` of the project, then of the home.
 */
import type { Host } from "./host.ts";

export const grok: Host = {
  id: "grok",
  title: "Grok Build",
  files: [
    { scope: "project", paths: ["<project>/.grok/config.toml"], format: "toml", root: ["mcp_servers"] },
    { scope: "user", paths: ["<home>/.grok/config.toml"], format: "toml", root: ["mcp_servers"] },
  ],
};
