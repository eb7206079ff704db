/**
 * Codex CLI. Checked: openai/codex codex-rs/config/src/mcp_types.rs: `[mcp_servers.<name>]` in `.codex/config.toml`
 * before `$CODEX_HOME/config.toml`; `enabled`, `enabled_tools`, `disabled_tools`, `env_vars`, `bearer_token_env_var`,
 * `http_headers`, `env_http_headers`, `startup_timeout_sec`; a literal `bearer_token` is an error. Texts are taken as
 * they are: there are no variables in them.
 */
import type { Host } from "./host.ts";

export const codex: Host = {
  id: "codex",
  title: "Codex CLI",
  files: [
    { scope: "project", paths: ["<project>/.codex/config.toml"], format: "toml", root: ["mcp_servers"] },
    { scope: "user", paths: ["<CODEX_HOME>/config.toml"], format: "toml", root: ["mcp_servers"] },
  ],
  roots: { CODEX_HOME: "<home>/.codex" },
  entries: { notations: ["none"], timeoutUnit: "s" },
};
