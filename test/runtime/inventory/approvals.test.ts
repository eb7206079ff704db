/** A repository's servers start only after the user's word for that project and that exact entry, and it cannot give that word itself. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { approvalsFile, approveServers, entryHash } from "../../../runtime/inventory/approvals.ts";
import { type ConfiguredOptions, readConfigured } from "../../../runtime/inventory/configured.ts";
import { describeTarget } from "../../../runtime/inventory/written-target.ts";
import { type FakeHome, makeHome } from "../../support/fake-home.ts";

const homes: string[] = [];
after(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const ENTRY = `{"mcpServers":{"a":{"command":"x","args":["1"],"env":{"K":"secret-1"}}}}`;

function homeWith(files: Record<string, string> = {}): FakeHome {
  const made = makeHome({ "work/app/.mcp.json": ENTRY, ...files });
  homes.push(made.home);
  return made;
}

function place({ home, project }: FakeHome): ConfiguredOptions {
  return { cwd: project, home, env: {}, platform: "linux" };
}

async function stateOf(home: FakeHome, options: Partial<ConfiguredOptions> = {}): Promise<string | undefined> {
  const { servers } = await readConfigured({ ...place(home), ...options });
  return servers.find(({ name }) => name === "a")?.state;
}

function write(home: FakeHome, path: string, text: string): void {
  mkdirSync(dirname(join(home.home, path)), { recursive: true });
  writeFileSync(join(home.home, path), text.replaceAll("PROJECT", home.project));
}

test("once approved, an entry stays approved, whatever order its keys stand in; a changed one asks again", async () => {
  const home = homeWith();
  assert.equal(await stateOf(home), "needs-approval");
  assert.equal(await stateOf(home, { trustProject: true }), "enabled");
  assert.equal(await stateOf(home), "enabled");
  write(
    home,
    "work/app/.mcp.json",
    `{ "mcpServers": { "a": { "env": {"K":"secret-1"}, "args": ["1"], "command": "x" } } }`,
  );
  assert.equal(await stateOf(home), "enabled");
  for (const changed of [
    `{"mcpServers":{"a":{"command":"y","args":["1"],"env":{"K":"secret-1"}}}}`,
    `{"mcpServers":{"a":{"command":"x","args":["2"],"env":{"K":"secret-1"}}}}`,
    `{"mcpServers":{"a":{"command":"x","args":["1"],"env":{"K":"secret-1","NODE_OPTIONS":"-r ./x"}}}}`,
    `{"mcpServers":{"a":{"command":"x","args":["1"],"env":{"K":"secret-1"},"cwd":"/tmp"}}}`,
    `{"mcpServers":{"a":{"command":"x","args":["1"],"env":{"K":"secret-1"},"__proto__":{"cwd":"/tmp"}}}}`,
  ]) {
    write(home, "work/app/.mcp.json", changed);
    assert.equal(await stateOf(home), "needs-approval", changed);
  }
});

test("an approval holds for its project and its folder only", async () => {
  const home = homeWith({ "work/other/.git/HEAD": "", "work/other/.mcp.json": ENTRY, "work/app/sub/.mcp.json": ENTRY });
  assert.equal(await stateOf(home, { trustProject: true }), "enabled");
  assert.equal(await stateOf(home, { cwd: join(home.home, "work/other") }), "needs-approval");
  rmSync(join(home.project, ".mcp.json"));
  // `x` with a relative argument in another folder is another program.
  assert.equal(await stateOf(home, { cwd: join(home.project, "sub") }), "needs-approval");
});

test("another host's file, another name: another entry", async () => {
  const entry = { command: "x" };
  const hashes = [
    await entryHash("claude-code", "", "a", entry),
    await entryHash("cursor", "", "a", entry),
    await entryHash("claude-code", "sub", "a", entry),
    await entryHash("claude-code", "", "b", entry),
    await entryHash("claude-code", "", "a", { command: "x", args: [] }),
  ];
  assert.equal(new Set(hashes).size, hashes.length);
});

test("the same project reached through a link is the same project", async () => {
  const home = homeWith();
  assert.equal(await stateOf(home, { trustProject: true }), "enabled");
  symlinkSync(home.project, join(home.home, "link"));
  assert.equal(await stateOf(home, { cwd: join(home.home, "link") }), "enabled");
});

test("the approvals are the user's alone, hold no secret, and leave no draft behind", async () => {
  const home = homeWith();
  await stateOf(home, { trustProject: true });
  const file = approvalsFile(place(home));
  assert.equal(file, join(home.home, ".local/state/mcp-skills/approvals.json"));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
  assert.deepEqual(readdirSync(dirname(file)), ["approvals.json"]);
  assert.doesNotMatch(readFileSync(file, "utf8"), /secret|command/);
});

test("approvals that others could have written, or that are damaged, count for nothing and are replaced", async () => {
  const home = homeWith();
  const file = approvalsFile(place(home));
  await stateOf(home, { trustProject: true });
  chmodSync(file, 0o666);
  assert.equal(await stateOf(home), "needs-approval");
  for (const damaged of ["", "{", "[]", `{"projects":[1]}`, `{"projects":{"${home.project}":"all"}}`, "null"]) {
    writeFileSync(file, damaged);
    chmodSync(file, 0o600);
    assert.equal(await stateOf(home), "needs-approval", damaged);
  }
  assert.equal(await stateOf(home, { trustProject: true }), "enabled");
  assert.equal(await stateOf(home), "enabled");
});

test("where it cannot be remembered it counts for this run and is told", async () => {
  const home = homeWith({ ".local/state/mcp-skills": "a file in the way" });
  const configured = await readConfigured({ ...place(home), trustProject: true });
  assert.equal(configured.servers[0]?.state, "enabled");
  assert.equal(configured.problems[0]?.code, "write-failed");
  assert.equal(await stateOf(home), "needs-approval");
});

test("a person can approve some and not others", async () => {
  const home = homeWith({ "work/app/.cursor/mcp.json": `{"mcpServers":{"b":{"command":"y"}}}` });
  const { servers } = await readConfigured(place(home));
  approveServers(
    servers.filter(({ name }) => name === "b"),
    place(home),
  );
  const after = await readConfigured(place(home));
  assert.deepEqual(
    after.servers.map(({ name, state }) => `${name} ${state}`),
    ["a needs-approval", "b enabled"],
  );
});

test("a named file is the user's word", async () => {
  assert.equal(await stateOf(homeWith(), { configs: [".mcp.json"] }), "enabled");
});

test("what is disabled or lacks a variable is not approved by trusting the project", async () => {
  const home = homeWith({
    "work/app/.mcp.json": `{"mcpServers":{"a":{"command":"x","disabled":true},"b":{"command":"\${NO_SUCH}"}}}`,
  });
  const { servers } = await readConfigured({ ...place(home), trustProject: true });
  assert.deepEqual(
    servers.map(({ state }) => state),
    ["disabled", "needs-env"],
  );
});

test("the user's own Claude Code settings approve and refuse by name", async () => {
  for (const [path, text, state] of [
    [".claude/settings.json", `{"enabledMcpjsonServers":["a"]}`, "enabled"],
    [".claude/settings.json", `{"enableAllProjectMcpServers":true}`, "enabled"],
    [".claude/settings.json", `{"enabledMcpjsonServers":["b"]}`, "needs-approval"],
    [".claude/settings.json", `{"enabledMcpjsonServers":["a"],"disabledMcpjsonServers":["a"]}`, "disabled"],
    [".claude.json", `{"projects":{"PROJECT":{"enabledMcpjsonServers":["a"]}}}`, "enabled"],
    [".claude.json", `{"projects":{"/elsewhere":{"enabledMcpjsonServers":["a"]}}}`, "needs-approval"],
    [".claude.json", `{"projects":{"PROJECT":{"disabledMcpjsonServers":["a"]}}}`, "disabled"],
    [".claude/settings.json", `{"enableAllProjectMcpServers":"yes"}`, "needs-approval"],
    [".claude/settings.json", `{ broken`, "needs-approval"],
  ] as const) {
    const home = homeWith();
    write(home, path, text);
    assert.equal(await stateOf(home), state, `${path} ${text}`);
  }
});

test("Claude Code's approvals are about .mcp.json, not about other hosts' files", async () => {
  const home = homeWith({
    "work/app/.mcp.json": "{}",
    "work/app/.cursor/mcp.json": ENTRY,
    ".claude/settings.json": `{"enableAllProjectMcpServers":true,"enabledMcpjsonServers":["a"]}`,
  });
  assert.equal(await stateOf(home), "needs-approval");
});

const TRUSTED = `{"projects":{"PROJECT":{"hasTrustDialogAccepted":true}}}`;
const ALL = `{"enableAllProjectMcpServers":true,"enabledMcpjsonServers":["a"]}`;

test("a repository cannot approve itself", async () => {
  const committed = homeWith({ ".claude.json": TRUSTED, "work/app/.claude/settings.json": ALL });
  assert.equal(await stateOf(committed), "needs-approval");
  const untrusted = homeWith({ "work/app/.claude/settings.local.json": ALL });
  rmSync(join(untrusted.project, ".git"), { recursive: true });
  assert.equal(await stateOf(untrusted), "needs-approval");
  // The repository brings an approvals file and a state folder of its own: nobody looks there.
  const own = homeWith({ "work/app/.local/state/mcp-skills/approvals.json": "{}" });
  assert.equal(await stateOf(own), "needs-approval");
});

test("a refusal counts from any file, the repository's too", async () => {
  for (const file of ["settings.json", "settings.local.json"]) {
    const home = homeWith({ [`work/app/.claude/${file}`]: `{"disabledMcpjsonServers":["a"]}` });
    assert.equal(await stateOf(home, { trustProject: true }), "disabled");
  }
});

test("settings.local.json approves in a folder the user trusts, unless Git tracks it or it is a link", async () => {
  const home = homeWith({ ".claude.json": TRUSTED, "work/app/.claude/settings.local.json": ALL });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: home.project,
      stdio: "ignore",
    });
  // Not a working repository yet: Git gives no answer, so the file may be tracked.
  assert.equal(await stateOf(home), "needs-approval");
  git("init");
  assert.equal(await stateOf(home), "enabled");
  git("add", "-f", ".claude/settings.local.json");
  assert.equal(await stateOf(home), "needs-approval");
  git("rm", "--cached", "-f", ".claude/settings.local.json");
  assert.equal(await stateOf(home), "enabled");
  rmSync(join(home.project, ".claude"), { recursive: true });
  write(home, "work/app/shared/settings.local.json", ALL);
  symlinkSync("shared", join(home.project, ".claude"));
  assert.equal(await stateOf(home), "needs-approval");
});

test("trust in a parent folder is trust, but not trust in the whole home", async () => {
  const home = homeWith({ "work/app/.claude/settings.local.json": ALL });
  rmSync(join(home.project, ".git"), { recursive: true });
  const trust = (folder: string) => JSON.stringify({ projects: { [folder]: { hasTrustDialogAccepted: true } } });
  write(home, ".claude.json", trust(join(home.home, "work")));
  assert.equal(await stateOf(home), "enabled");
  write(home, ".claude.json", trust(home.home));
  assert.equal(await stateOf(home), "needs-approval");
});

test("what a person is shown names the command and leaves out what looks like a secret", () => {
  for (const [entry, shown] of [
    [{ command: "npx", args: ["-y", "pkg", "--token", "abc", "--port", "1"] }, "npx -y pkg --token *** --port 1"],
    [
      { command: "npx", args: ["--api-key=abc", "--x=1"], env: { K: "v", L: "w" } },
      "npx --api-key=*** --x=1 (sets K, L)",
    ],
    [{ command: ["node", "s.js"], environment: { A: "1" } }, "node s.js (sets A)"],
    [{ url: "https://me:pw@example.com/mcp?key=abc" }, "https://***@example.com/mcp?…"],
    [{ command: "${SHELL}" }, "${SHELL}"],
    [null, ""],
  ] as const) {
    assert.equal(describeTarget(entry), shown);
  }
});
