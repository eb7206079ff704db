/** A home and a project with one file of every host, each with the servers a person would have there: 32 in 30 files. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface FakeHome {
  home: string;
  project: string;
}

/** Files by path from the home (Linux layout); `PROJECT` and `@HOME@` in a text stand for their paths. */
export const HOST_FILES: Record<string, string> = {
  // ── the project ──
  "work/app/.mcp.json": `{ "mcpServers": { "claude_proj": { "command": "node", "args": ["a.js"], "env": { "TOKEN": "\${APP_TOKEN:-none}" } } } }`,
  "work/app/.github/mcp.json": `{ "mcpServers": { "copilot_proj": { "type": "local", "command": "node", "args": ["b.js"], "tools": ["*"] } } }`,
  "work/app/.vscode/mcp.json": `{
    // inputs are asked for by the editor
    "inputs": [{ "id": "key", "type": "promptString", "password": true }],
    "servers": { "vscode_proj": { "type": "http", "url": "https://example.com/vs", "headers": { "Authorization": "Bearer \${input:key}" } }, },
  }`,
  "work/app/.cursor/mcp.json": `{ "mcpServers": { "cursor_proj": { "url": "https://example.com/cursor", "headers": { "X-Key": "\${env:CURSOR_KEY}" } } } }`,
  "work/app/.claude/settings.json": `{ "permissions": {}, "mcpServers": { "claude_settings": { "command": "node", "args": ["c.js"] } } }`,
  "work/app/.claude/mcp.json": `{ "mcpServers": { "claude_mcp": { "command": "node", "args": ["d.js"] } } }`,
  "work/app/.roo/mcp.json": `{ "mcpServers": { "roo_proj": { "type": "streamable-http", "url": "https://example.com/roo", "disabledTools": ["wipe"], "timeout": 30 } } }`,
  "work/app/.zed/settings.json": `{ "theme": "One", "context_servers": { "zed_proj": { "source": "custom", "command": "node", "args": ["e.js"], "env": {} } } }`,
  "work/app/.codex/config.toml": `model = "x"\n[mcp_servers.codex_proj]\ncommand = "node"\nargs = ["f.js", "\${HOME}"]\n`,
  "work/app/.gemini/settings.json": `{ "mcpServers": { "gemini_proj": { "httpUrl": "https://example.com/gemini", "headers": { "K": "$GEMINI_KEY" } } } }`,
  "work/app/opencode.json": `{ "$schema": "https://opencode.ai/config.json", "mcp": { "opencode_proj": { "type": "local", "command": ["node", "g.js"], "enabled": false } } }`,
  "work/app/.kiro/settings/mcp.json": `{ "mcpServers": { "kiro_proj": { "command": "node", "args": ["h.js"], "disabledTools": ["x"] } } }`,
  "work/app/.continue/mcpServers/docs.yaml": `name: Docs\nversion: 0.0.1\nschema: v1\nmcpServers:\n  - name: continue_proj\n    type: stdio\n    command: node\n    args: ["i.js"]\n    env:\n      KEY: \${{ secrets.DOCS_KEY }}\n`,
  // ── the home ──
  ".claude.json": `{
    "numStartups": 3,
    "mcpServers": { "claude_user": { "type": "stdio", "command": "node", "args": ["j.js"] } },
    "projects": { "PROJECT": { "mcpServers": { "claude_local": { "type": "sse", "url": "https://example.com/local" } } }, "/elsewhere": { "mcpServers": { "not_here": { "command": "no" } } } }
  }`,
  ".config/Claude/claude_desktop_config.json": `{ "mcpServers": { "desktop": { "command": "node", "args": ["k.js"] } } }`,
  ".config/Code/User/mcp.json": `{ "servers": { "vscode_user": { "command": "node", "args": ["\${workspaceFolder}/l.js"] } } }`,
  ".copilot/mcp-config.json": `{ "mcpServers": { "copilot_user": { "type": "http", "url": "https://example.com/copilot", "tools": ["search"] } } }`,
  ".cursor/mcp.json": `{ "mcpServers": { "cursor_user": { "command": "node", "args": ["m.js"] } } }`,
  ".codeium/windsurf/mcp_config.json": `{ "mcpServers": { "windsurf_user": { "serverUrl": "https://example.com/windsurf", "disabled": true } } }`,
  ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json": `{ "mcpServers": { "cline_ext": { "type": "streamableHttp", "url": "https://example.com/cline", "disabled": false, "autoApprove": [] } } }`,
  ".cline/data/settings/cline_mcp_settings.json": `{ "mcpServers": { "cline_cli": { "command": "node", "args": ["n.js"], "timeout": 60 } } }`,
  ".config/zed/settings.json": `{ "context_servers": { "zed_user": { "url": "https://example.com/zed", "headers": {} } } }`,
  ".codex/config.toml": `[mcp_servers.codex_user]\ncommand = "node"\nargs = ["o.js"]\nenabled = false\n\n[mcp_servers.codex_http]\nurl = "https://example.com/codex"\nbearer_token_env_var = "CODEX_TOKEN"\nenabled_tools = ["a", "b"]\ndisabled_tools = ["b"]\n`,
  ".gemini/settings.json": `{ "mcpServers": { "gemini_user": { "url": "https://example.com/sse" } } }`,
  ".gemini/antigravity/mcp_config.json": `{ "mcpServers": { "antigravity": { "serverUrl": "https://example.com/ag" } } }`,
  ".config/opencode/opencode.jsonc": `{ "mcp": { "opencode_user": { "type": "remote", "url": "https://example.com/oc", "headers": { "A": "{env:OC_KEY}" } } }, }`,
  ".agents/mcp.json": `{ "agents_bare": { "command": "node", "args": ["p.js"] } }`,
  ".config/goose/config.yaml": `GOOSE_PROVIDER: x\nextensions:\n  developer:\n    type: builtin\n    name: developer\n    enabled: true\n  goose_user:\n    type: stdio\n    cmd: node\n    args: [q.js]\n    envs: { LEVEL: 3 }\n    enabled: true\n    timeout: 300\n    available_tools: []\n`,
  ".config/amp/settings.json": `{ "amp.mcpServers": { "amp_user": { "command": "node", "args": ["r.js"], "includeTools": ["find_*"] } } }`,
  ".kiro/settings/mcp.json": `{ "mcpServers": { "kiro_user": { "command": "node", "args": ["s.js"], "disabled": true } } }`,
};

/** What a reader should find in {@link HOST_FILES} with none of its variables set and nothing approved. */
export const EXPECTED_STATES: Record<string, string> = {
  claude_proj: "needs-approval",
  copilot_proj: "needs-approval",
  vscode_proj: "needs-input",
  cursor_proj: "needs-env",
  claude_settings: "needs-approval",
  claude_mcp: "needs-approval",
  roo_proj: "needs-approval",
  zed_proj: "needs-approval",
  codex_proj: "needs-approval",
  gemini_proj: "needs-env",
  opencode_proj: "disabled",
  kiro_proj: "needs-approval",
  continue_proj: "needs-input",
  claude_user: "enabled",
  claude_local: "enabled",
  desktop: "enabled",
  vscode_user: "enabled",
  copilot_user: "enabled",
  cursor_user: "enabled",
  windsurf_user: "disabled",
  cline_ext: "enabled",
  cline_cli: "enabled",
  zed_user: "enabled",
  codex_user: "disabled",
  codex_http: "needs-env",
  gemini_user: "enabled",
  antigravity: "enabled",
  opencode_user: "needs-env",
  agents_bare: "enabled",
  goose_user: "enabled",
  amp_user: "enabled",
  kiro_user: "disabled",
};

/** Writes files into a new temporary home with a project (`work/app`, a repository) and gives both paths, links resolved. */
export function makeHome(files: Record<string, string>): FakeHome {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "mcp skills home ")));
  const project = join(home, "work", "app");
  mkdirSync(join(project, ".git"), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    const file = join(home, ...path.split("/"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text.replaceAll("PROJECT", project).replaceAll("@HOME@", home));
  }
  return { home, project };
}
