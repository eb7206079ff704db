/**
 * Goose. Checked: block.github.io/goose/docs/guides/config-files (paths, `extensions`) and mintlify.com/block/goose
 * (fields nested under `config`, kinds that Goose runs itself); add-mcp's src/agents.ts (`cmd`, `envs`, `uri`,
 * `streamable_http`, `timeout` in seconds); `env_keys` are required environment variables, which goose may keep in its
 * keyring: they count as missing here unless the environment has them. No public page was found that says that an empty
 * `available_tools` means all.
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
