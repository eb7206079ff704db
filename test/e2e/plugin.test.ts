/**
 * The committed plugin is what its sources give, and works from a copy, as a host installs it: nothing beside it, under a path
 * with a space and letters beyond ASCII.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ROOT } from "../support/cli.ts";

/** Building is Bun's, and what is built is the same for all. */
const skip = "Bun" in globalThis ? false : "the plugin is built and checked under Bun";

const root = mkdtempSync(join(tmpdir(), "mcp-skills plügin "));
after(() => rmSync(root, { recursive: true, force: true }));

const files = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map((file) => String(file))
    .filter((file) => file !== "README.md" && statSync(join(folder, file)).isFile())
    .sort();

const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));

test("plugin/ is what the sources give now; if not: bun run build plugin", { skip }, async () => {
  const { buildPlugin } = await import("../../scripts/build/plugin.ts");
  const fresh = join(root, "fresh");
  mkdirSync(fresh);
  await buildPlugin(fresh);
  const committed = join(ROOT, "plugin");
  assert.deepEqual(files(committed), files(fresh), "renew it with: bun run build plugin");
  for (const file of files(fresh)) {
    const same = readFileSync(join(committed, file)).equals(readFileSync(join(fresh, file)));
    assert.ok(same, `plugin/${file} is stale; renew it with: bun run build plugin`);
  }
});

test("the marketplace offers it, with one name and version everywhere", { skip }, () => {
  const { plugins } = json(join(ROOT, ".claude-plugin/marketplace.json"));
  const manifest = json(join(ROOT, "plugin/.claude-plugin/plugin.json"));
  const { name, version } = json(join(ROOT, "package.json"));
  assert.deepEqual(
    plugins.map((plugin: { name: string; source: string }) => [plugin.name, plugin.source]),
    [[name, "./plugin"]],
  );
  assert.deepEqual([manifest.name, manifest.version], [name, version]);
});

test("a copy serves its tools, leaves itself out of the servers, and answers as a hook", { skip }, async () => {
  const plugin = join(root, "installed/mcp-skill-pack/0.1.0");
  cpSync(join(ROOT, "plugin"), plugin, { recursive: true });
  const home = join(root, "home");
  const claude = join(home, ".claude");
  mkdirSync(join(claude, "plugins"), { recursive: true });
  const id = "mcp-skill-pack@mcp-skill-pack";
  writeFileSync(
    join(claude, "plugins/installed_plugins.json"),
    JSON.stringify({ version: 2, plugins: { [id]: [{ scope: "user", installPath: plugin, version: "0.1.0" }] } }),
  );
  writeFileSync(join(claude, "settings.json"), JSON.stringify({ enabledPlugins: { [id]: true } }));
  const env = { PATH: process.env.PATH ?? "", HOME: home, CLAUDE_PLUGIN_ROOT: plugin };
  const inside = (text: string) => text.replaceAll("${CLAUDE_PLUGIN_ROOT}", plugin);

  const { command, args } = json(join(plugin, ".mcp.json")).mcpServers.gateway;
  const client = new Client({ name: "test", version: "0" });
  await client.connect(new StdioClientTransport({ command, args: args.map(inside), env, cwd: home, stderr: "ignore" }));
  try {
    assert.equal((await client.listTools()).tools.length, 4);
    const map = await client.callTool({ name: "capability_map", arguments: {} });
    assert.doesNotMatch(JSON.stringify(map), /gateway/);
    assert.match(JSON.stringify(await client.listResources()), /skill:\/\/using-mcp\/SKILL\.md/);
  } finally {
    await client.close();
  }

  const [group] = json(join(plugin, "hooks/hooks.json")).hooks.PreToolUse;
  assert.equal(group.hooks[0].onFailure, "block");
  const decide = (tool_name: string) => {
    const input = JSON.stringify({ tool_name, cwd: home, tool_input: {} });
    const { stdout, stderr } = spawnSync("sh", ["-c", group.hooks[0].command], {
      cwd: home,
      env,
      input,
      encoding: "utf8",
    });
    assert.notEqual(stdout, "", stderr);
    return JSON.parse(stdout).hookSpecificOutput.permissionDecision;
  };
  assert.deepEqual([decide("mcp__github__list_issues"), decide("mcp__github__merge_pull_request")], ["allow", "ask"]);
});
