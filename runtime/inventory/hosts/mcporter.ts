/**
 * MCPorter. Checked: openclaw/mcporter docs/config.md: `config/mcporter.json` in the project, then
 * `$XDG_CONFIG_HOME/mcporter/mcporter.json(c)` or `~/.mcporter/mcporter.json(c)`; `MCPORTER_CONFIG` names one file;
 * `baseUrl`, `allowedTools` or `blockedTools`; `$env:VAR` beside the common notation. What it imports from other hosts
 * is read from those hosts' files.
 */
import type { Host } from "./host.ts";

export const mcporter: Host = {
  id: "mcporter",
  title: "MCPorter",
  files: [
    {
      scope: "project",
      paths: ["<project>/config/mcporter.json", "<project>/config/mcporter.jsonc"],
      format: "jsonc",
      root: ["mcpServers"],
    },
    {
      scope: "user",
      paths: [
        "<MCPORTER_CONFIG>/",
        "<config>/mcporter/mcporter.json",
        "<config>/mcporter/mcporter.jsonc",
        "<home>/.mcporter/mcporter.json",
        "<home>/.mcporter/mcporter.jsonc",
      ],
      format: "jsonc",
      root: ["mcpServers"],
    },
  ],
  roots: { MCPORTER_CONFIG: null },
  entries: { notations: ["dollar"] },
};
