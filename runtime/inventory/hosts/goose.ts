/**
 * Goose. Source: block.github.io/goose/docs/guides/config-files and its extension reference: `extensions` in
 * `config.yaml` (Windows under `%APPDATA%\Block\goose`); `type` stdio, sse, streamable_http, or a kind that Goose runs
 * itself; `cmd`, `envs`, `env_keys` (secrets from its keyring), `uri`, `enabled`, `available_tools` (empty means all),
 * `timeout` in seconds. Newer files nest these under `config`.
 */
import type { Host } from "./host.ts";

export const goose: Host = {
  id: "goose",
  title: "Goose",
  files: [
    {
      scope: "user",
      paths: ["<config>/goose/config.yaml"],
      format: "yaml",
      root: ["extensions"],
      platforms: ["linux", "darwin", "freebsd", "openbsd"],
    },
    {
      scope: "user",
      paths: ["<appData>/Block/goose/config/config.yaml"],
      format: "yaml",
      root: ["extensions"],
      platforms: ["win32"],
    },
  ],
  entries: {
    timeoutUnit: "s",
    nested: "config",
    skipTypes: ["builtin", "platform", "frontend", "inline_python"],
  },
};
