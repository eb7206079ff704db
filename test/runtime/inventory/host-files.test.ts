/** Where the hosts' files are, by platform: pure paths, so that every platform's can be seen on any. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostPaths, type Place } from "../../../runtime/inventory/host-files.ts";
import { HOSTS } from "../../../runtime/inventory/hosts/table.ts";

const WINDOWS: Place = {
  cwd: "C:\\work\\app",
  home: "C:\\Users\\me",
  env: { APPDATA: "C:\\Users\\me\\AppData\\Roaming", LOCALAPPDATA: "C:\\Users\\me\\AppData\\Local" },
  platform: "win32",
};
const MAC: Place = { cwd: "/work/app", home: "/Users/me", env: {}, platform: "darwin" };
const LINUX: Place = { cwd: "/work/app", home: "/home/me", env: {}, platform: "linux" };

function paths(place: Place): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const { host, path } of hostPaths(HOSTS, place, [place.cwd])) {
    found[host.id] ??= [];
    found[host.id]?.push(path);
  }
  return found;
}

function includes(found: Record<string, string[]>, host: string, expected: string[]): void {
  for (const path of expected) assert.ok(found[host]?.includes(path), `${host}: ${path} in ${found[host]?.join(" ")}`);
}

test("Windows", () => {
  const found = paths(WINDOWS);
  includes(found, "claude-desktop", ["C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json"]);
  includes(found, "vscode", [
    "C:\\work\\app\\.vscode\\mcp.json",
    "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json",
    "C:\\Users\\me\\AppData\\Roaming\\Code - Insiders\\User\\mcp.json",
  ]);
  includes(found, "goose", ["C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml"]);
  includes(found, "zed", ["C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json"]);
  includes(found, "codex", ["C:\\work\\app\\.codex\\config.toml", "C:\\Users\\me\\.codex\\config.toml"]);
  includes(found, "jetbrains", ["C:\\Users\\me\\AppData\\Local\\github-copilot\\intellij\\mcp.json"]);
  includes(found, "cline", [
    "C:\\Users\\me\\AppData\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json",
  ]);
  includes(found, "claude-code", ["C:\\Program Files\\ClaudeCode\\managed-mcp.json"]);
  assert.ok(!found.goose?.some((path) => path.includes(".config")));
});

test("Windows without APPDATA, and a project's path that Claude Code wrote with slashes", () => {
  const place = { ...WINDOWS, env: {} };
  includes(paths(place), "claude-desktop", ["C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json"]);
  const roots = hostPaths(HOSTS, place, [place.cwd]).filter(({ root }) => root[0] === "projects");
  assert.deepEqual(
    roots.map(({ root }) => root[1]),
    ["C:\\work\\app", "C:/work/app"],
  );
});

test("macOS", () => {
  const found = paths(MAC);
  const support = "/Users/me/Library/Application Support";
  includes(found, "claude-desktop", [`${support}/Claude/claude_desktop_config.json`]);
  includes(found, "vscode", [`${support}/Code/User/mcp.json`]);
  includes(found, "zed", [`${support}/Zed/settings.json`]);
  includes(found, "goose", ["/Users/me/.config/goose/config.yaml"]);
  includes(found, "claude-code", ["/Library/Application Support/ClaudeCode/managed-mcp.json"]);
});

test("Linux, with and without XDG_CONFIG_HOME; a relative one is ignored", () => {
  includes(paths(LINUX), "zed", ["/home/me/.config/zed/settings.json"]);
  const moved = paths({ ...LINUX, env: { XDG_CONFIG_HOME: "/xdg" } });
  includes(moved, "zed", ["/xdg/zed/settings.json"]);
  includes(moved, "copilot-cli", ["/home/me/.copilot/mcp-config.json", "/xdg/mcp-config.json"]);
  includes(paths({ ...LINUX, env: { XDG_CONFIG_HOME: "xdg" } }), "zed", ["/home/me/.config/zed/settings.json"]);
});

test("a host's own variable moves its files", () => {
  const env = {
    CODEX_HOME: "/c",
    COPILOT_HOME: "/p",
    CLINE_DIR: "/l",
    OPENCODE_CONFIG: "/o/my.json",
    OPENCODE_CONFIG_DIR: "/d",
  };
  const found = paths({ ...LINUX, env });
  includes(found, "codex", ["/c/config.toml"]);
  includes(found, "copilot-cli", ["/p/mcp-config.json"]);
  includes(found, "cline", ["/l/data/settings/cline_mcp_settings.json"]);
  includes(found, "opencode", ["/o/my.json", "/d/opencode.json"]);
  assert.ok(!found.codex?.includes("/home/me/.codex/config.toml"));
});

test("what an administrator set counts first, then the user's for this project, the project's files, the user's", () => {
  const ranks = hostPaths(HOSTS, LINUX, ["/work/app/sub", "/work/app"]).map(({ file, root, folder }) => {
    if (file.exclusive === true) return "administrator";
    if (root.includes("/work/app") || root.includes("/work/app/sub")) return "local";
    return file.scope === "user" ? "user" : folder;
  });
  assert.deepEqual([...new Set(ranks)], ["administrator", "local", "/work/app/sub", "/work/app", "user"]);
});

test("every host has an id of its own, a title and well-formed paths", () => {
  assert.equal(new Set(HOSTS.map(({ id }) => id)).size, HOSTS.length);
  for (const host of HOSTS) {
    assert.ok(host.title !== "" && host.files.length > 0, host.id);
    for (const path of host.files.flatMap((file) => file.paths)) {
      const root = /^<([^>]+)>\//.exec(path)?.[1];
      const known = ["project", "home", "config", "appData", "/", ...Object.keys(host.roots ?? {})];
      assert.ok(root !== undefined && known.includes(root), `${host.id}: ${path}`);
    }
  }
});
