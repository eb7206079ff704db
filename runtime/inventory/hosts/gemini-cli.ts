/**
 * Gemini CLI. Checked: geminicli.com/docs/tools/mcp-server and /docs/cli/configuration: the project's
 * `.gemini/settings.json` before `~/.gemini/settings.json`, and system settings; `httpUrl` is Streamable HTTP and
 * `url` is SSE; `includeTools` and `excludeTools`; `mcp.allowed` and `mcp.excluded` name servers; `$VAR`, `${VAR}`
 * and, on Windows, `%VAR%`; `timeout` in milliseconds.
 */
import { isObject } from "../config-format.ts";
import type { Host } from "./host.ts";

export const geminiCli: Host = {
  id: "gemini-cli",
  title: "Gemini CLI",
  files: [
    { scope: "project", paths: ["<project>/.gemini/settings.json"], format: "jsonc", root: ["mcpServers"] },
    { scope: "user", paths: ["<home>/.gemini/settings.json"], format: "jsonc", root: ["mcpServers"] },
    {
      scope: "user",
      paths: ["</>/etc/gemini-cli/settings.json"],
      format: "jsonc",
      root: ["mcpServers"],
      platforms: ["linux"],
    },
    {
      scope: "user",
      paths: ["</>/Library/Application Support/GeminiCli/settings.json"],
      format: "jsonc",
      root: ["mcpServers"],
      platforms: ["darwin"],
    },
    {
      scope: "user",
      paths: ["<ProgramData>/gemini-cli/settings.json"],
      format: "jsonc",
      root: ["mcpServers"],
      platforms: ["win32"],
    },
  ],
  roots: { ProgramData: "</>/ProgramData" },
  entries: { notations: ["dollar", "percent"], urlTransport: "sse" },
  switchedOff({ mcp }, name) {
    if (!isObject(mcp)) return false;
    const { allowed, excluded } = mcp;
    if (Array.isArray(excluded) && excluded.includes(name)) return true;
    return Array.isArray(allowed) && !allowed.includes(name);
  },
};
