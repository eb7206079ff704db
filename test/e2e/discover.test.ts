/** The main job on the three public servers of the repository's own .mcp.json: real processes, nothing stands in for them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { parseResults } from "../../runtime/core/results-fence.ts";
import { type CliResult, ROOT, runCli } from "../support/cli.ts";
import { processesOf } from "../support/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp skills é "));
after(() => rmSync(folder, { recursive: true, force: true }));

const SERVERS = { everything: 13, filesystem: 14, memory: 9 };

/** A home of its own for each run: no host file of this machine counts, and its processes can be told by it. */
function homeOf(name: string): string {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  return home;
}

function configFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** One run that starts all three servers; further ones with the same home answer from its lists. */
let first: { home: string; run: CliResult };
before(async () => {
  const home = homeOf("main");
  first = { home, run: await runCli(["discover", "--json", "--config", ".mcp.json"], { env: { HOME: home } }) };
});

test("discover lists the three public servers, and leaves no process", () => {
  const { code, stdout } = first.run;
  assert.equal(code, 0);
  const found = JSON.parse(stdout).servers.map((server: { name: string; state: string; tools: unknown[] }) => [
    server.name,
    server.state,
    server.tools.length,
  ]);
  assert.deepEqual(
    found,
    Object.entries(SERVERS).map(([name, tools]) => [name, "ready", tools]),
  );
  assert.deepEqual(processesOf(first.home), []);
});

test("without --json stdout is the fence and the handoff, and nothing else", { timeout: 60_000 }, async () => {
  const { code, stdout } = await runCli(["discover", "--config", ".mcp.json", "--prompt", "we have the GitHub MCP"], {
    env: { HOME: first.home },
  });
  assert.equal(code, 0);
  const { payload, handoff } = parseResults(stdout);
  assert.deepEqual(payload.mcps_detected.map((entry) => entry.name).sort(), [
    "everything",
    "filesystem",
    "github",
    "memory",
  ]);
  assert.deepEqual(payload.skipped.length, 1);
  assert.match(payload.skipped[0] ?? "", /^expected: github; available: false \(.+\)$/);
  assert.equal(payload.graceful_degradation, false);
  assert.equal(handoff.status, "degraded");
});

test("no server at all is no failure: an empty report, marked degraded", { timeout: 60_000 }, async () => {
  const file = configFile("none.json", `{ "mcpServers": {} }`);
  const { code, stdout } = await runCli(["discover", "--config", file], { env: { HOME: homeOf("none") } });
  assert.equal(code, 0);
  const { payload, handoff } = parseResults(stdout);
  assert.deepEqual(payload.mcps_detected, []);
  assert.equal(payload.graceful_degradation, true);
  assert.equal(handoff.status, "degraded");
});

test("a second run answers from the cache, starts nothing and says how old the lists are", {
  timeout: 60_000,
}, async () => {
  const env = { HOME: first.home };
  const second = await runCli(["discover", "--json", "--config", ".mcp.json"], { env });
  assert.equal(second.stdout, first.run.stdout);
  assert.match(second.stderr, /3 servers from the cache, less than a minute old; --refresh lists anew/);
  const quiet = await runCli(["discover", "--json", "--quiet", "--config", ".mcp.json"], { env });
  assert.equal(quiet.stderr, "");
});

test("bad servers are told and never cost the good one", { timeout: 60_000 }, async () => {
  const home = homeOf("bad");
  const memory = join(ROOT, "node_modules/@modelcontextprotocol/server-memory/dist/index.js");
  const file = configFile(
    "bad.json",
    `{
      // comments and trailing commas are allowed
      "mcpServers": {
        "good": { "command": "node", "args": [${JSON.stringify(memory)}], },
        "no-command": {},
        "unset": { "command": "node", "env": { "TOKEN": "\${MCP_SKILLS_NOT_SET}" } },
        "missing": { "command": "mcp-skills-no-such-program" },
        "exits": { "command": "node", "args": ["-e", "console.error('first'); console.error('bad licence key'); process.exit(3)"] },
        "throws": { "command": "node", "args": ["-e", "throw new Error('no licence for \${HOME}')"] },
        "silent": { "command": "node", "args": ["-e", "process.stdin.resume()"] },
      },
    }`,
  );
  const broken = configFile("broken.json", `{\n  "mcpServers": {\n    "x": oops\n  }\n}\n`);
  const { code, stdout, stderr } = await runCli(
    ["discover", "--json", "--timeout", "3", "--config", file, "--config", broken],
    { env: { HOME: home } },
  );
  assert.equal(code, 0);
  const { servers, problems } = JSON.parse(stdout);
  const by = (name: string) => servers.find((server: { name: string }) => server.name === name);
  assert.equal(by("good").tools.length, SERVERS.memory);
  assert.equal(by("unset").failure.kind, "needs-env");
  assert.match(by("unset").failure.message, /MCP_SKILLS_NOT_SET/);
  assert.equal(by("missing").failure.kind, "not-found");
  assert.equal(by("exits").failure.kind, "crashed");
  assert.match(by("exits").failure.message, /bad licence key/);
  assert.equal(by("throws").failure.kind, "crashed");
  assert.match(by("throws").failure.message, /no licence/);
  assert.equal(by("silent").failure.kind, "timeout");
  assert.match(by("no-command")?.failure.message ?? JSON.stringify(problems), /command|url/);
  const problem = problems.find((entry: { file?: string }) => entry.file?.endsWith("broken.json"));
  assert.equal(problem.line, 3);
  assert.equal(typeof problem.column, "number");
  assert.match(stderr, /broken\.json:3:\d+/);
  assert.deepEqual(processesOf(home), []);
});

test("a server is reached over Streamable HTTP as well", { timeout: 60_000 }, async () => {
  const program = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  const port = await freePort();
  const server = spawn("node", [program, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    await once(server.stderr, "data");
    const file = configFile(
      "http.json",
      JSON.stringify({ servers: { web: { type: "http", url: `http://127.0.0.1:${port}/mcp` } } }),
    );
    const { code, stdout } = await runCli(["discover", "--json", "--config", file], { env: { HOME: homeOf("http") } });
    assert.equal(code, 0);
    const [web] = JSON.parse(stdout).servers;
    assert.deepEqual([web.state, web.transport, web.tools.length], ["ready", "http", SERVERS.everything]);
  } finally {
    server.kill("SIGKILL");
  }
});

/** A port that was free a moment ago: this public server takes only a number. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

test("a typo suggests the nearest command, an unknown option is told, and both exit 2", {
  timeout: 60_000,
}, async () => {
  const typo = await runCli(["discovr"]);
  assert.equal(typo.code, 2);
  assert.match(typo.stderr, /Did you mean "discover"/);
  const option = await runCli(["discover", "--jsn"]);
  assert.equal(option.code, 2);
  assert.match(option.stderr, /--json/);
  assert.equal(option.stdout, "");
});
