/**
 * Zed. Checked: zed-industries/zed docs/src/ai/mcp.md and docs/src/assistant/context-servers.md: `context_servers` in
 * `.zed/settings.json` before the user's settings; the command is a text, in earlier versions an object with `path`;
 * the repository's notes on context servers for `enabled` and remote servers; add-mcp's src/agents.ts for the paths. A
 * server that an extension brings has settings only, and just Zed can start it. Tool switches of `agent.profiles`
 * belong to a profile, not to a server, and are not read.
 */
import type { Host } from "./host.ts";

export const zed: Host = {
  id: "zed",
  title: "Zed",
  files: [
    { scope: "project", paths: ["<project>/.zed/settings.json"], format: "jsonc", root: ["context_servers"] },
    {
      scope: "user",
      paths: ["<config>/zed/settings.json"],
      format: "jsonc",
      root: ["context_servers"],
      platforms: ["linux", "freebsd", "openbsd"],
    },
    {
      scope: "user",
      paths: ["<appData>/Zed/settings.json", "<config>/zed/settings.json"],
      format: "jsonc",
      root: ["context_servers"],
      platforms: ["darwin", "win32"],
    },
  ],
  entries: { ownKeys: ["settings", "source", "enabled"] },
};
