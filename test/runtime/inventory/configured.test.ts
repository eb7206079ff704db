/** Reading what is configured: every host's file, every reading rule, and that one bad thing costs only itself. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type ConfiguredOptions, readConfigured } from "../../../runtime/inventory/configured.ts";
import { rulingFiles, underRule } from "../../../runtime/inventory/exclusive.ts";
import type { HostPath } from "../../../runtime/inventory/host-files.ts";
import type { Configured, ServerConfig } from "../../../runtime/inventory/server-config.ts";
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

function read({ home, project }: FakeHome, options: Partial<ConfiguredOptions> = {}): Promise<Configured> {
  return readConfigured({ cwd: project, home, env: {}, platform: "linux", ...options });
}

/** The servers of one named file. */
async function readFile(name: string, text: string, options: Partial<ConfiguredOptions> = {}): Promise<Configured> {
  const home = homeWith({ [`files/${name}`]: text });
  return read(home, { configs: [join(home.home, "files", name)], ...options });
}

function only(configured: Configured): ServerConfig {
  assert.equal(configured.servers.length, 1, JSON.stringify(configured));
  return configured.servers[0] as ServerConfig;
}

function states({ servers }: Configured): Record<string, string> {
  return Object.fromEntries(servers.map(({ name, state }) => [name, state]));
}

test("a home with 30 host files: all 32 servers are found, each in its state", async () => {
  assert.equal(Object.keys(HOST_FILES).length, 30);
  assert.equal(Object.keys(EXPECTED_STATES).length, 32);
  const configured = await read(homeWith(HOST_FILES));
  assert.deepEqual(configured.problems, []);
  assert.deepEqual(Object.entries(states(configured)).sort(), Object.entries(EXPECTED_STATES).sort());
});

test("with the variables set and the project approved, all but the disabled and the asked-for are enabled", async () => {
  const env = { APP_TOKEN: "t", CURSOR_KEY: "c", GEMINI_KEY: "g", CODEX_TOKEN: "x", OC_KEY: "o" };
  const configured = await read(homeWith(HOST_FILES), { env, trustProject: true });
  const left = configured.servers.filter(({ state }) => state !== "enabled").map(({ name, state }) => [name, state]);
  assert.deepEqual(left.sort(), [
    ["codex_user", "disabled"],
    ["continue_proj", "needs-input"],
    ["kiro_user", "disabled"],
    ["opencode_proj", "disabled"],
    ["vscode_proj", "needs-input"],
    ["windsurf_user", "disabled"],
  ]);
  const by = (name: string) => configured.servers.find((server) => server.name === name);
  assert.deepEqual(by("gemini_user")?.transport, "sse");
  assert.deepEqual(by("gemini_proj")?.target, {
    transport: "http",
    url: "https://example.com/gemini",
    headers: { K: "g" },
  });
  assert.deepEqual(by("codex_http")?.target, {
    transport: "http",
    url: "https://example.com/codex",
    headers: { Authorization: "Bearer x" },
  });
  assert.deepEqual([by("codex_http")?.allowTools, by("codex_http")?.denyTools], [["a", "b"], ["b"]]);
  assert.deepEqual(by("goose_user")?.target, {
    transport: "stdio",
    command: "node",
    args: ["q.js"],
    env: { LEVEL: "3" },
  });
  assert.equal(by("goose_user")?.timeoutMs, 300_000);
  assert.equal(by("goose_user")?.allowTools, undefined);
  assert.equal(by("copilot_proj")?.allowTools, undefined);
  assert.deepEqual(by("copilot_user")?.allowTools, ["search"]);
  assert.deepEqual(by("codex_proj")?.target?.transport === "stdio" && by("codex_proj")?.target, {
    transport: "stdio",
    command: "node",
    args: ["f.js", "${HOME}"],
    env: {},
  });
});

test("comments, trailing commas, a byte order mark and CRLF are read", async () => {
  const text = `\uFEFF{\r\n  // a comment\r\n  "mcpServers": {\r\n    /* another */ "a": { "command": "x", },\r\n  },\r\n}\r\n`;
  assert.deepEqual(states(await readFile("any.json", text)), { a: "enabled" });
});

for (const [name, text, code, line, column] of [
  ["bad.json", `{\n  "mcpServers": {\n    "a": oops secret-value\n  }\n}`, "not-json", 3, 10],
  ["bad.toml", `[mcp_servers.a]\ncommand = secret-value\n`, "not-toml", 2, undefined],
  ["bad.yaml", `extensions:\n  a: "secret-value\n`, "not-yaml", undefined, undefined],
] as const) {
  test(`a broken ${name} is told with its place and without its text, and the other files are read`, async () => {
    const home = homeWith({ [`x/${name}`]: text, "x/good.json": `{"mcpServers":{"a":{"command":"x"}}}` });
    const configs = [join(home.home, "x", name), join(home.home, "x/good.json")];
    const configured = await read(home, { configs });
    assert.deepEqual(states(configured), { a: "enabled" });
    const [problem] = configured.problems;
    assert.equal(problem?.code, code);
    assert.equal(problem?.file, configs[0]);
    if (line !== undefined) assert.equal(problem?.line, line);
    if (column !== undefined) assert.equal(problem?.column, column);
    assert.equal(typeof problem?.line, "number");
    assert.doesNotMatch(`${problem?.message} ${problem?.fix}`, /secret-value/);
  });
}

test("one invalid entry costs only itself, and says why", async () => {
  const configured = await readFile(
    "mixed.json",
    JSON.stringify({
      mcpServers: {
        good: { command: "x" },
        none: {},
        nothing: null,
        text: "npx",
        list: [],
        args: { command: "x", args: [{}] },
        env: { command: "x", env: "A=1" },
        url: { url: "ftp://example.com" },
        type: { type: "websocket", url: "wss://example.com" },
        both: { command: "x", url: "https://example.com" },
        "": { command: "x" },
      },
    }),
  );
  const found = states(configured);
  assert.equal(found.good, "enabled");
  for (const name of ["none", "nothing", "text", "list", "args", "env", "url", "type", "both", ""]) {
    assert.equal(found[name], "invalid", name);
  }
  for (const { state, reason } of configured.servers) {
    if (state === "invalid") assert.ok(reason?.message && reason.fix);
  }
});

test("an unset variable costs only its server, whichever field it stands in; the next one goes on", async () => {
  const configured = await readFile(
    "env.json",
    JSON.stringify({
      mcpServers: {
        command: { command: "${NO_SUCH}" },
        args: { command: "x", args: ["--key=${NO_SUCH}"] },
        env: { command: "x", env: { A: "${env:NO_SUCH}" } },
        url: { url: "${NO_SUCH}/mcp" },
        headers: { url: "https://example.com", headers: { A: "Bearer ${NO_SUCH}" } },
        set: {
          command: "${SET}",
          args: ["${EMPTY:-d}", "${NO_SUCH:-${SET}}", "$SET", "%SET%", "{env:SET}", "$${SET}", "${a b}"],
        },
      },
    }),
    { env: { SET: "yes", EMPTY: "" } },
  );
  assert.deepEqual(states(configured), {
    command: "needs-env",
    args: "needs-env",
    env: "needs-env",
    url: "needs-env",
    headers: "needs-env",
    set: "enabled",
  });
  assert.match(configured.servers[0]?.reason?.message ?? "", /NO_SUCH/);
  assert.deepEqual(configured.servers.at(-1)?.target, {
    transport: "stdio",
    command: "yes",
    args: ["d", "yes", "$SET", "%SET%", "{env:SET}", "${SET}", "${a b}"],
    env: {},
  });
});

test("a set variable is expanded in the command, its arguments, its environment, the address and its headers", async () => {
  const { servers } = await readFile(
    "set.json",
    JSON.stringify({
      mcpServers: {
        local: { command: "${A}", args: ["${env:A}", "--x=${A:-d}"], env: { K: "Bearer ${A}" }, cwd: "${A}" },
        remote: { url: "https://${A}.example.com/${A}", headers: { Authorization: "Bearer ${A}" } },
      },
    }),
    { env: { A: "v" } },
  );
  assert.deepEqual(
    servers.map(({ target }) => target),
    [
      {
        transport: "stdio",
        command: "v",
        args: ["v", "--x=v"],
        env: { K: "Bearer v" },
        cwd: join(servers[0]?.origins[0]?.file ?? "", "../../work/app/v"),
      },
      { transport: "http", url: "https://v.example.com/v", headers: { Authorization: "Bearer v" } },
    ],
  );
});

test("what was switched off, in any spelling, is disabled even where the entry is broken", async () => {
  const off: Record<string, object> = {
    a: { command: "x", disabled: true },
    b: { command: "x", enabled: false },
    c: { command: "x", disabled: "true" },
    d: { command: "x", enabled: 0 },
    e: { disabled: true },
    f: { command: "${NO_SUCH}", enabled: false },
  };
  const on = { g: { command: "x", disabled: false }, h: { command: "x", enabled: true } };
  const configured = await readFile("off.json", JSON.stringify({ mcpServers: { ...off, ...on } }));
  for (const { name, state } of configured.servers) assert.equal(state, name in off ? "disabled" : "enabled", name);
});

test("each spelling of a transport is understood", async () => {
  const entries: [object, string][] = [
    [{ command: "x" }, "stdio"],
    [{ type: "local", command: ["x", "y"] }, "stdio"],
    [{ cmd: "x", type: "stdio" }, "stdio"],
    [{ url: "https://example.com" }, "http"],
    [{ type: "http", url: "https://example.com" }, "http"],
    [{ type: "streamable-http", url: "https://example.com" }, "http"],
    [{ type: "streamableHttp", url: "https://example.com" }, "http"],
    [{ type: "streamable_http", uri: "https://example.com" }, "http"],
    [{ type: "remote", url: "https://example.com" }, "http"],
    [{ httpUrl: "https://example.com" }, "http"],
    [{ serverUrl: "https://example.com" }, "http"],
    [{ baseUrl: "https://example.com" }, "http"],
    [{ type: "sse", url: "https://example.com" }, "sse"],
    [{ type: "http", command: "ignored", url: "https://example.com" }, "http"],
  ];
  for (const [entry, transport] of entries) {
    const server = only(await readFile("one.json", JSON.stringify({ mcpServers: { a: entry } })));
    assert.deepEqual([server.state, server.transport, server.target?.transport], ["enabled", transport, transport]);
  }
});

test("any host's key is found in a named file; a settings file is not taken for a map of servers", async () => {
  const entry = { command: "x" };
  for (const key of ["mcpServers", "servers", "mcp", "context_servers", "amp.mcpServers", "extensions"]) {
    assert.deepEqual(states(await readFile("named.json", JSON.stringify({ [key]: { a: entry } }))), { a: "enabled" });
  }
  const settings = await readFile("settings.json", JSON.stringify({ statusLine: { command: "x" }, tipsHistory: {} }));
  assert.deepEqual(settings.servers, []);
  assert.equal(settings.problems[0]?.code, "bad-config");
  const home = homeWith({
    ".gemini/settings.json": `{ "servers": { "no": { "command": "x" } }, "extensions": { "no2": { "command": "x" } } }`,
    ".claude/settings.json": `{ "statusLine": { "command": "x" } }`,
    "work/app/.warp/.mcp.json": `{ "bare": { "command": "x" }, "$schema": "y" }`,
  });
  assert.deepEqual(states(await read(home)), { bare: "needs-approval" });
});

test("names are taken as they are: double underscores, slashes, dots, and __proto__ without effect", async () => {
  const text = `{"mcpServers":{"a__b":{"command":"x"},"a_":{"command":"y"},"x.y/z:1":{"command":"z"},"__proto__":{"command":"p"},
    "constructor":{"command":"c"},"plain":{"__proto__":{"command":"hidden"}}}}`;
  const configured = await readFile("names.json", text);
  const found = configured.servers.map(({ name, state }) => `${name} ${state}`);
  assert.deepEqual(found, [
    "a__b enabled",
    "a_ enabled",
    "x.y/z:1 enabled",
    "__proto__ enabled",
    "constructor enabled",
    "plain invalid",
  ]);
});

test("project before user; the same target is one server with all its origins, another target is shadowed", async () => {
  const home = homeWith({
    "work/app/.mcp.json": `{"mcpServers":{"same":{"command":"x","args":["1"]},"other":{"command":"mine"},"url":{"url":"https://example.com/mcp/"}}}`,
    "work/app/.cursor/mcp.json": `{"mcpServers":{"same":{"command":"x","args":["1"],"env":{"A":"1"}}}}`,
    ".cursor/mcp.json": `{"mcpServers":{"other":{"command":"theirs"},"url":{"url":"https://example.com/mcp"},"alone":{"command":"x","args":["1"]}}}`,
  });
  const { servers } = await read(home, { trustProject: true });
  assert.deepEqual(
    servers.map(({ name, state, origins }) => [name, state, origins.map(({ host, scope }) => `${host} ${scope}`)]),
    [
      ["same", "enabled", ["claude-code project", "cursor project"]],
      ["other", "enabled", ["claude-code project"]],
      ["url", "enabled", ["claude-code project", "cursor user"]],
      ["other", "shadowed", ["cursor user"]],
      ["alone", "enabled", ["cursor user"]],
    ],
  );
  assert.match(servers[3]?.reason?.message ?? "", /\.mcp\.json/);
  assert.equal(servers[3]?.target, undefined);
});

test("what the user configured himself, word for word, needs no approval in a project; anything else does", async () => {
  const home = homeWith({
    "work/app/.mcp.json": `{"mcpServers":{"a":{"command":"x","args":["1"]},"b":{"command":"x","env":{"NODE_OPTIONS":"--require ./evil.js"}}}}`,
    ".cursor/mcp.json": `{"mcpServers":{"a":{"args":["1"],"command":"x"},"b":{"command":"x"}}}`,
  });
  assert.deepEqual(states(await read(home)), { a: "enabled", b: "needs-approval" });
});

test("an invalid entry does not stand in the way of a good one of its name", async () => {
  const home = homeWith({
    "work/app/.mcp.json": `{"mcpServers":{"a":{"oops":1}}}`,
    ".cursor/mcp.json": `{"mcpServers":{"a":{"command":"x"}}}`,
  });
  const configured = await read(home);
  assert.deepEqual(states(configured), { a: "enabled" });
  assert.deepEqual(
    configured.problems.map(({ code }) => code),
    ["bad-entry"],
  );
});

test("from a folder deep in the repository its files count, the closest first, and nothing above the repository", async () => {
  const home = homeWith({
    "work/app/.mcp.json": `{"mcpServers":{"top":{"command":"x"},"both":{"command":"far"}}}`,
    "work/app/packages/web/.mcp.json": `{"mcpServers":{"both":{"command":"near"}}}`,
    "work/.mcp.json": `{"mcpServers":{"outside":{"command":"x"}}}`,
    ".claude.json": `{"projects":{"PROJECT":{"mcpServers":{"local":{"command":"x"}}}}}`,
  });
  const cwd = join(home.project, "packages", "web");
  const configured = await read(home, { cwd, trustProject: true });
  assert.deepEqual(
    configured.servers.map(({ name, state }) => `${name} ${state}`),
    ["local enabled", "both enabled", "top enabled", "both shadowed"],
  );
  // What a file of the root starts, starts in the root.
  const { target } = configured.servers[2] ?? {};
  assert.equal(target?.transport === "stdio" && target.cwd, home.project);
});

test("in the home itself the user's own files are the user's, not a project's", async () => {
  const home = homeWith({ ".cursor/mcp.json": `{"mcpServers":{"a":{"command":"x"}}}` });
  assert.deepEqual(states(await read(home, { cwd: home.home })), { a: "enabled" });
});

test("a pipe, a folder or a link to a device in the place of a file stalls nothing", async () => {
  const home = homeWith({ ".cursor/mcp.json": `{"mcpServers":{"a":{"command":"x"}}}` });
  execFileSync("mkfifo", [join(home.project, ".mcp.json")]);
  mkdirSync(join(home.project, ".vscode", "mcp.json"), { recursive: true });
  mkdirSync(join(home.project, ".roo"));
  symlinkSync("/dev/zero", join(home.project, ".roo", "mcp.json"));
  const configured = await read(home);
  assert.deepEqual(states(configured), { a: "enabled" });
  assert.deepEqual(
    configured.problems.map(({ code }) => code),
    ["unreadable", "unreadable", "unreadable"],
  );
});

test("hostile files are refused, not fatal: nested deep, anchors that refer to themselves, a hundred thousand braces", async () => {
  const deep = `{"mcpServers":${`{"a":`.repeat(100_000)}`;
  const cases: [string, string][] = [
    ["deep.json", deep],
    ["deep2.json", `{"mcpServers":{"a":${"[".repeat(3000)}${"]".repeat(3000)}}}`],
    ["loop.yaml", "mcpServers: &a\n  x: *a\n"],
    [
      "bomb.yaml",
      `a: &a [1,2,3,4,5,6,7,8,9]\n${"bcdefgh".replace(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9)}]\n`)}`,
    ],
  ];
  for (const [name, text] of cases) {
    const configured = await readFile(name, text);
    assert.deepEqual(configured.servers, [], name);
    assert.equal(configured.problems.length, 1, name);
  }
  const braces = await readFile(
    "braces.json",
    JSON.stringify({ mcpServers: { a: { command: "${A:-".repeat(100_000) } } }),
  );
  assert.equal(braces.servers.length, 1);
});

test("hosts and servers can be chosen; an unknown one is a usage error that lists the known", async () => {
  const home = homeWith(HOST_FILES);
  assert.deepEqual(
    (await read(home, { hosts: ["codex"] })).servers.map(({ name }) => name),
    ["codex_proj", "codex_user", "codex_http"],
  );
  assert.deepEqual(
    (await read(home, { only: ["desktop"] })).servers.map(({ name }) => name),
    ["desktop"],
  );
  await assert.rejects(read(home, { hosts: ["vi"] }), { name: "PackError", code: "usage" });
  await assert.rejects(read(home, { only: ["nope"] }), { name: "PackError", code: "usage" });
});

test("a named file of a host is read as that host reads it", async () => {
  const home = homeWith(HOST_FILES);
  const configs = ["work/app/.vscode/mcp.json", ".codex/config.toml", ".gemini/settings.json"].map((file) =>
    join(home.home, file),
  );
  const { servers } = await read(home, { configs });
  assert.deepEqual(
    servers.map(({ name, state, transport, origins }) => [name, state, transport, origins[0]?.host, origins[0]?.scope]),
    [
      ["vscode_proj", "needs-input", "http", "vscode", "explicit"],
      ["codex_user", "disabled", "stdio", "codex", "explicit"],
      ["codex_http", "needs-env", "http", "codex", "explicit"],
      ["gemini_user", "enabled", "sse", "gemini-cli", "explicit"],
    ],
  );
  const missing = await read(home, { configs: ["no-such.json"] });
  assert.equal(missing.problems[0]?.code, "unreadable");
});

test("files that hold values are read for them: envFile, {file:…}", async () => {
  const home = homeWith({
    "work/app/.vscode/mcp.json": `{"servers":{"a":{"command":"x","envFile":"\${workspaceFolder}/.env","env":{"B":"2"}},"b":{"command":"x","envFile":"none.env"}}}`,
    "work/app/.env": "A=1\nB=overridden\n# c\nexport C='three'\n",
    ".config/opencode/opencode.json": `{"mcp":{"c":{"type":"local","command":["x","{file:key.txt}"]},"d":{"type":"local","command":["x","{file:none.txt}"]}}}`,
    ".config/opencode/key.txt": "from-file\n",
  });
  const { servers } = await read(home, { trustProject: true });
  const target = (name: string) => servers.find((server) => server.name === name)?.target;
  assert.deepEqual(target("a"), { transport: "stdio", command: "x", args: [], env: { A: "1", B: "2", C: "three" } });
  assert.deepEqual(target("c"), { transport: "stdio", command: "x", args: ["from-file"], env: {} });
  assert.deepEqual(states({ servers, problems: [] }), {
    a: "enabled",
    b: "needs-input",
    c: "enabled",
    d: "needs-input",
  });
});

test("what hosts switch off beside the entries counts too", async () => {
  const home = homeWith({
    ".gemini/settings.json": `{"mcp":{"excluded":["out"],"allowed":["in","out"]},"mcpServers":{"in":{"command":"x"},"out":{"command":"x"},"not":{"command":"x"}}}`,
    ".claude.json": `{"mcpServers":{"off_here":{"command":"x"}},"projects":{"PROJECT":{"disabledMcpServers":["off_here"]}}}`,
    ".config/opencode/opencode.json": `{"tools":{"oc_wipe":false,"oc_get*":true,"all*":false},"mcp":{"oc":{"type":"local","command":["x"]},"all":{"type":"local","command":["x"]}}}`,
    ".config/zed/settings.json": `{"context_servers":{"by_extension":{"settings":{"url":"x"}},"old":{"command":{"path":"x","args":["1"],"env":{}}}}}`,
  });
  const configured = await read(home);
  assert.deepEqual(states(configured), {
    off_here: "disabled",
    in: "enabled",
    out: "disabled",
    not: "disabled",
    oc: "enabled",
    all: "enabled",
    by_extension: "needs-input",
    old: "enabled",
  });
  const deny = (name: string) => configured.servers.find((server) => server.name === name)?.denyTools;
  assert.deepEqual([deny("oc"), deny("all")], [["wipe"], ["*"]]);
});

test("a file that changes its kind of root is told and costs nothing else", async () => {
  const home = homeWith({
    "work/app/.mcp.json": `{"mcpServers":"x"}`,
    ".cursor/mcp.json": `[1]`,
    ".codeium/windsurf/mcp_config.json": "",
    ".kiro/settings/mcp.json": `{"mcpServers":null}`,
    "work/app/.continue/mcpServers/a.yaml":
      "mcpServers:\n  - command: x\n  - name: ok\n    command: y\n  - uses: hub/docs\n",
  });
  const configured = await read(home);
  assert.deepEqual(states(configured), { ok: "needs-approval", "hub/docs": "needs-input" });
  assert.deepEqual(configured.problems.map(({ code }) => code).sort(), ["bad-config", "bad-entry", "not-json"]);
});

test("a file of 3 MB is read in no time that a person notices", async () => {
  const history = Object.fromEntries(
    Array.from({ length: 3000 }, (_, at) => [`/p${at}`, { history: ["x".repeat(1000)] }]),
  );
  const home = homeWith({});
  writeFileSync(
    join(home.home, ".claude.json"),
    JSON.stringify({ projects: history, mcpServers: { a: { command: "x" } } }),
  );
  assert.deepEqual(states(await read(home)), { a: "enabled" });
});

test("servers of the user's enabled plugins are his; a duplicate of another server is none of its own", async () => {
  const home = homeWith({
    ".claude/plugins/installed_plugins.json": `{"version":2,"plugins":{
      "tools@shop":[{"scope":"user","installPath":"@HOME@/plugins/tools"}],
      "off@shop":[{"scope":"user","installPath":"@HOME@/plugins/off"}],
      "elsewhere@shop":[{"scope":"project","projectPath":"/elsewhere","installPath":"@HOME@/plugins/off"}]}}`,
    ".claude/settings.json": `{"enabledPlugins":{"tools@shop":true,"off@shop":false,"elsewhere@shop":true}}`,
    "work/app/.claude/settings.json": `{"enabledPlugins":{"off@shop":true}}`,
    "plugins/tools/.mcp.json": `{"mcpServers":{"db":{"command":"\${CLAUDE_PLUGIN_ROOT}/db","args":["\${CLAUDE_PLUGIN_DATA}"]}}}`,
    "plugins/tools/.claude-plugin/plugin.json": `{"name":"tools","mcpServers":{"dup":{"url":"https://example.com/mcp"}}}`,
    "plugins/off/.mcp.json": `{"off":{"command":"x"}}`,
    ".cursor/mcp.json": `{"mcpServers":{"mine":{"url":"https://example.com/mcp/"}}}`,
  });
  const { servers } = await read(home);
  assert.deepEqual(
    servers.map(({ name, state, origins }) => [name, state, origins.length]),
    [
      ["mine", "enabled", 2],
      ["plugin_tools_db", "enabled", 1],
    ],
  );
  assert.deepEqual(servers[1]?.target, {
    transport: "stdio",
    command: `${home.home}/plugins/tools/db`,
    args: [`${home.home}/.claude/plugins/data/tools-shop`],
    env: {},
  });
});

test("Amp's list of tools that are switched off reaches the server that it names, by name or pattern", async () => {
  const denied = async (disable: unknown) => {
    const settings = { "amp.mcpServers": { shop: { command: "node" } }, "amp.tools.disable": disable };
    return only(await read(homeWith({ ".config/amp/settings.json": JSON.stringify(settings) }))).denyTools;
  };
  assert.deepEqual(await denied(["mcp__shop__buy", "mcp__bank__pay", "builtin:shell", "resize", 7]), ["buy", "resize"]);
  assert.deepEqual(await denied(["mcp__shop__get_*"]), ["get_*"]);
  assert.deepEqual(await denied(["mcp__sh*"]), ["*"]);
  assert.equal(await denied(["mcp__shopping__*"]), undefined);
  assert.equal(await denied("all"), undefined);
});

test("where an administrator's list is there, a host's other servers are off; what is broken stays told", () => {
  const ofHost = (id: string, exclusive: boolean, path: string): HostPath => ({
    host: { id, title: id, files: [] },
    file: { scope: "user", paths: [], format: "jsonc", root: [], exclusive },
    path,
    folder: "/",
    root: [],
  });
  const home = homeWith({ "managed-mcp.json": "{}" });
  const managed = ofHost("a", true, join(home.home, "managed-mcp.json"));
  const own = ofHost("a", false, "/own.json");
  const ruling = rulingFiles([managed, own, ofHost("b", true, join(home.home, "gone.json"))]);
  const statesUnder = (file: HostPath) => {
    const servers = (["enabled", "needs-approval", "invalid"] as const).map((state) => ({
      config: { name: state, state, origins: [] } as ServerConfig,
    }));
    return underRule(servers, file, ruling).map(({ config }) => config.state);
  };
  assert.deepEqual(statesUnder(own), ["disabled", "disabled", "invalid"]);
  assert.deepEqual(statesUnder(managed), ["enabled", "needs-approval", "invalid"]);
  assert.deepEqual(statesUnder(ofHost("b", false, "/b.json")), ["enabled", "needs-approval", "invalid"]);
});
