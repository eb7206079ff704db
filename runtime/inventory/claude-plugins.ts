/**
 * Servers that the plugins of Claude Code bring. Source: code.claude.com/docs/en/mcp, "Plugin-provided MCP servers":
 * `.mcp.json` at the plugin's root or `mcpServers` in its `plugin.json`, with `${CLAUDE_PLUGIN_ROOT}` and
 * `${CLAUDE_PLUGIN_DATA}`; the servers of enabled plugins start by themselves. Which are installed stands in
 * `~/.claude/plugins/installed_plugins.json`, which are enabled in the user's settings; what a repository's settings
 * enable is not counted, since that is not the user's word.
 */

import { claudeFolder, readSettings } from "./claude-approvals.ts";
import { isObject } from "./config-format.ts";
import type { HostPath, Place } from "./host-files.ts";
import { pathOf, spellingsOf } from "./host-files.ts";
import { claudeCode } from "./hosts/claude-code.ts";

/** The files of all enabled plugins. A server's name is the one that Claude Code gives it: `plugin_<plugin>_<server>`. */
export async function pluginPaths(place: Place, folders: readonly string[]): Promise<HostPath[]> {
  const { isAbsolute, join } = pathOf(place.platform);
  const base = claudeFolder(place);
  const [installed, settings] = await Promise.all([
    readSettings(join(base, "plugins", "installed_plugins.json")),
    readSettings(join(base, "settings.json")),
  ]);
  const enabled = isObject(settings.enabledPlugins) ? settings.enabledPlugins : {};
  const plugins = isObject(installed.plugins) ? Object.entries(installed.plugins) : [];
  const here = new Set(folders.flatMap((folder) => spellingsOf(folder, place.platform)));
  return plugins.flatMap(([id, installs]) => {
    if (enabled[id] !== true || !Array.isArray(installs)) return [];
    const install = installs.find(
      (one) => isObject(one) && (one.projectPath === undefined || here.has(String(one.projectPath))),
    );
    const root = isObject(install) ? install.installPath : undefined;
    if (typeof root !== "string" || !isAbsolute(root)) return [];
    const name = id.split("@")[0] ?? id;
    const common = {
      host: claudeCode,
      folder: place.cwd,
      root: ["mcpServers"],
      prefix: `plugin_${name}_`,
      env: { CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: join(base, "plugins", "data", id.replace(/[^\w-]/g, "-")) },
    };
    return [
      { ...common, path: join(root, ".mcp.json"), file: { ...FILE, bare: true } },
      { ...common, path: join(root, ".claude-plugin", "plugin.json"), file: FILE },
    ];
  });
}

const FILE = { scope: "user", paths: [], format: "jsonc", root: ["mcpServers"] } as const;
