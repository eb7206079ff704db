/** `servers` as a process: all that is configured, nothing started, and no value of any secret in any output. */
import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { runCli } from "../../support/cli.ts";
import { EXPECTED_STATES, type FakeHome, HOST_FILES, makeHome } from "../../support/fake-home.ts";

const homes: string[] = [];
after(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

function homeWith(files: Record<string, string>): FakeHome {
  const made = makeHome(files);
  homes.push(made.home);
  return made;
}

/** A process's environment that knows only this home. */
function envOf(home: string, more: Record<string, string> = {}): Record<string, string> {
  return { HOME: home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", XDG_CACHE_HOME: "", ...more };
}

test("servers --json lists all 32 servers of a home with 30 host files", async () => {
  const { home, project } = homeWith(HOST_FILES);
  const { code, stdout, stderr } = await runCli(["servers", "--json"], { cwd: project, env: envOf(home) });
  assert.equal(code, 0, stderr);
  const { servers, problems } = JSON.parse(stdout);
  const found = servers.map((server: { name: string; state: string }) => [server.name, server.state]);
  assert.deepEqual(found.sort(), Object.entries(EXPECTED_STATES).sort());
  assert.deepEqual(problems, []);
  for (const server of servers) {
    assert.equal(typeof server.host, "string");
    assert.ok(server.file.startsWith(home), server.file);
    assert.ok(["stdio", "http", "sse"].includes(server.transport));
  }
});

test("servers prints one line a server, warns about bad files on stderr, and starts nothing", async () => {
  const witness = "started";
  const { home, project } = homeWith({
    ".cursor/mcp.json": `{"mcpServers":{"a":{"command":"touch","args":["${witness}"]}}}`,
    "work/app/.vscode/mcp.json": `{ "servers": {\n oops } }`,
  });
  const { code, stdout, stderr } = await runCli(["servers"], { cwd: project, env: envOf(home) });
  assert.equal(code, 0);
  assert.match(stdout, /^a\tenabled\tstdio\tcursor\t~\/\.cursor\/mcp\.json\t\n$/);
  assert.match(stderr, /mcp\.json:2:\d+/);
  assert.equal(existsSync(join(project, witness)), false);
});

test("--host, --only and --config narrow it; what does not exist is a usage error", async () => {
  const { home, project } = homeWith(HOST_FILES);
  const run = (...args: string[]) => runCli(["servers", ...args], { cwd: project, env: envOf(home) });
  const names = async (...args: string[]) => (await run(...args)).stdout.split("\n").map((line) => line.split("\t")[0]);
  assert.deepEqual(await names("--host", "kiro", "--host=zed"), ["kiro_proj", "zed_proj", "kiro_user", "zed_user", ""]);
  assert.deepEqual(await names("--only", "desktop"), ["desktop", ""]);
  assert.deepEqual(await names("--config", ".cursor/mcp.json"), ["cursor_proj", ""]);
  const unknown = await run("--host", "emacs");
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
  assert.match(unknown.stderr, /claude-code/);
});

test("--trust-project approves once, and the next run knows", async () => {
  const { home, project } = homeWith({ "work/app/.mcp.json": `{"mcpServers":{"a":{"command":"x"}}}` });
  const state = async (...args: string[]) =>
    JSON.parse((await runCli(["servers", "--json", ...args], { cwd: project, env: envOf(home) })).stdout).servers[0]
      .state;
  assert.equal(await state(), "needs-approval");
  assert.equal(await state("--trust-project"), "enabled");
  assert.equal(await state(), "enabled");
});

test("no secret of a configuration or of the environment is in any output", async () => {
  const secrets = fc
    .sample(fc.stringMatching(/^[A-Za-z0-9]{16,24}$/), { numRuns: 12, seed: 7 })
    .map((text) => `sEcReT${text}`);
  const [a, b, c, d, e, f, g, h, i, j, k, l] = secrets;
  const { home, project } = homeWith({
    "work/app/.mcp.json": JSON.stringify({
      mcpServers: {
        env: { command: "x", env: { TOKEN: a, OTHER: "${FROM_ENV}" } },
        args: { command: "x", args: ["--token", b, `--key=${c}`] },
        url: { url: `https://user:${d}@example.com/mcp?key=${e}`, headers: { Authorization: `Bearer ${f}` } },
        bad_url: { url: `ftp://${g}@example.com` },
        bad_type: { type: h, command: "x" },
        bad_env: { command: "x", env: i },
        both: { command: j, url: `https://example.com/${j}` },
        unset: { command: "x", args: [k, "${NOT_SET}"] },
      },
    }),
    ".cursor/mcp.json": JSON.stringify({ mcpServers: { env: { command: "y", env: { TOKEN: l } } } }),
    ".codex/config.toml": `[mcp_servers.t]\nurl = "https://example.com"\nbearer_token = "${a}"\nbad = ${b}\n`,
    ".config/goose/config.yaml": `extensions:\n  g: { cmd: x, envs: { A: "${c}" }\n`,
    ".windsurf.json": "",
  });
  const env = envOf(home, { FROM_ENV: `sEcReTfromEnvironment` });
  for (const args of [["servers"], ["servers", "--json"], ["servers", "--json", "--trust-project"]]) {
    const { stdout, stderr, code } = await runCli(args, { cwd: project, env });
    assert.equal(code, 0);
    assert.match(stdout, /env/);
    assert.doesNotMatch(stdout + stderr, /sEcReT/);
  }
});

test("names and paths that could play with a terminal are shown as escapes", async () => {
  const { home, project } = homeWith({
    ".cursor/mcp.json": JSON.stringify({ mcpServers: { "a\u001b[31m\u202eb": { command: "x" } } }),
  });
  const { stdout } = await runCli(["servers"], { cwd: project, env: envOf(home) });
  assert.doesNotMatch(stdout, /[\u001b\u202e]/);
  assert.match(stdout, /^a\\u\{1b\}\[31m\\u\{202e\}b\t/);
});
