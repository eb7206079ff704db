/**
 * Zed. Source: zed.dev/docs/ai/mcp: `context_servers` in `.zed/settings.json` before the user's settings; `enabled`;
 * the command is a text, in earlier versions an object with `path`. Servers that an extension brings have settings
 * only, and just Zed can start them.
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
