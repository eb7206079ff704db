/**
 * What the user has already told Claude Code about the servers of a project's `.mcp.json`. Source:
 * code.claude.com/docs/en/mcp, "Project server approvals and workspace trust" (as of 2.1.207), and /docs/en/settings.
 *
 * A repository must not approve itself. So an approval counts from what only the user or an administrator writes: the
 * user's settings, `~/.claude.json`, managed settings; and from the project's `.claude/settings.local.json` on the two
 * conditions that Claude Code sets, that the user accepted its trust dialog for the folder or a parent and that Git does not track
 * the file. The committed `.claude/settings.json` never approves. A refusal counts from every file.
 */
import { existsSync } from "node:fs";
import { childProcess } from "../core/late-modules.ts";
import { type ConfigObject, isObject, parseConfig } from "./config-format.ts";
import { type Place, pathOf, resolved, spellingsOf } from "./host-files.ts";
import { readText } from "./read-text.ts";

export interface ClaudeApprovals {
  approves(name: string): boolean;
  refuses(name: string): boolean;
}

const MANAGED: Record<string, string> = {
  darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
  linux: "/etc/claude-code/managed-settings.json",
  win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
};

/** Unreadable settings approve nothing. `folders` are the project's, closest first. */
export async function readClaudeApprovals(place: Place, folders: readonly string[]): Promise<ClaudeApprovals> {
  const { join } = pathOf(place.platform);
  const state = await readSettings(join(place.home, ".claude.json"));
  const projects = isObject(state.projects) ? state.projects : {};
  const own = folders.flatMap((folder) => spellingsOf(folder, place.platform)).map((folder) => projects[folder]);
  const users = await Promise.all(
    [join(claudeFolder(place), "settings.json"), MANAGED[place.platform] ?? ""].map(readSettings),
  );
  const approving = [...own.filter(isObject), ...users];
  const refusing = [...approving];
  for (const folder of folders) {
    const local = join(folder, ".claude", "settings.local.json");
    const localSettings = await readSettings(local);
    refusing.push(localSettings, await readSettings(join(folder, ".claude", "settings.json")));
    if (
      Object.keys(localSettings).length > 0 &&
      isTrusted(folder, projects, place) &&
      isUntracked(folder, local, place)
    ) {
      approving.push(localSettings);
    }
  }
  return {
    approves: (name) =>
      approving.some((file) => file.enableAllProjectMcpServers === true || lists(file.enabledMcpjsonServers, name)),
    refuses: (name) => refusing.some((file) => lists(file.disabledMcpjsonServers, name)),
  };
}

/** `~/.claude`, or where `CLAUDE_CONFIG_DIR` says. */
export function claudeFolder({ home, env, platform }: Place): string {
  const { isAbsolute, join } = pathOf(platform);
  const moved = env.CLAUDE_CONFIG_DIR;
  return moved !== undefined && isAbsolute(moved) ? moved : join(home, ".claude");
}

/** A settings file of Claude Code; one that is missing or cannot be read is empty. */
export async function readSettings(file: string): Promise<ConfigObject> {
  try {
    const text = readText(file);
    return text === null ? {} : await parseConfig(text, "jsonc", file);
  } catch {
    return {};
  }
}

function lists(names: unknown, name: string): boolean {
  return Array.isArray(names) && names.includes(name);
}

/** Below the home: whoever trusts his home has not looked at every folder that will ever lie in it. */
function isTrusted(folder: string, projects: ConfigObject, { home, platform }: Place): boolean {
  const { dirname } = pathOf(platform);
  for (let at = folder; ; at = dirname(at)) {
    const trusted = spellingsOf(at, platform).some((spelling) => {
      const project = projects[spelling];
      return isObject(project) && project.hasTrustDialogAccepted === true;
    });
    if (trusted) return true;
    if (dirname(at) === at || dirname(at) === home) return false;
  }
}

/** Asked in trusted folders only, since a repository's own settings can make Git run programs. No answer means tracked. */
function isUntracked(folder: string, file: string, { platform }: Place): boolean {
  const { dirname, join } = pathOf(platform);
  // Reached through a link, the file is another one than the name says.
  if (resolved(file) !== join(resolved(folder), ".claude", "settings.local.json")) return false;
  for (let at = folder; !existsSync(join(at, ".git")); at = dirname(at)) if (dirname(at) === at) return true;
  try {
    const tracked = childProcess().execFileSync(
      "git",
      ["-c", "core.fsmonitor=false", "ls-files", "--", ":(icase).claude/settings.local.json"],
      { cwd: folder, encoding: "utf8", timeout: 3000, stdio: ["ignore", "pipe", "ignore"], windowsHide: true },
    );
    return tracked === "";
  } catch {
    return false;
  }
}
