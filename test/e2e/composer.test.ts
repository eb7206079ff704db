/**
 * From the menu to the provider request, on a reference host with real public servers. The model alone is played: what it
 * would want is written down here.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { readConfigured } from "../../runtime/inventory/configured.ts";
import { type Connection, connectServer } from "../../runtime/inventory/connect.ts";
import { ROOT, runCli, SERVER_RUNTIME } from "../support/cli.ts";
import { processesOf } from "../support/processes.ts";
import { createHost, type SentRequest, type WantedCall } from "../support/reference-host.ts";

const folder = mkdtempSync(join(tmpdir(), "composer-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const TOKEN = "s3cr3t-t0ken-9f8e7d6c5b";

/** A configuration of the public memory and everything servers, with a secret wherever one can stand. */
function configFile(): string {
  const script = (name: string) => join(ROOT, `node_modules/@modelcontextprotocol/server-${name}/dist/index.js`);
  const env = { MEMORY_FILE_PATH: join(folder, "memory.json"), API_TOKEN: TOKEN };
  const file = join(folder, "mcp.json");
  const mcpServers = {
    memory: { command: SERVER_RUNTIME, args: [script("memory"), `--token=${TOKEN}`], env },
    everything: { command: SERVER_RUNTIME, args: [script("everything")], env: { API_TOKEN: TOKEN } },
    down: { url: `http://127.0.0.1:9/${TOKEN}`, headers: { Authorization: `Bearer ${TOKEN}` } },
  };
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

async function connectAll(): Promise<Map<string, Connection>> {
  const place = { cwd: ROOT, home: folder, env: { ...process.env, HOME: folder }, platform: process.platform };
  const { servers } = await readConfigured({ ...place, configs: [configFile()] });
  const wanted = servers.filter(({ name }) => name !== "down");
  const open = await Promise.all(wanted.map((config) => connectServer(config, { timeoutMs: 30_000 })));
  return new Map(open.map((connection) => [connection.server.name, connection]));
}

test("the order of events: inserted, queued, consumed with its declarations, gated, called", async () => {
  const connections = await connectAll();
  after(() => Promise.all([...connections.values()].map((connection) => connection.close())));
  const requests: SentRequest[] = [];
  const inventory = { servers: [...connections.values()].map(({ server }) => server), problems: [] };
  const host = createHost({
    inventory,
    permissions: { allow: ["mcp__everything__echo"] },
    async call(server, tool, args) {
      return JSON.stringify(await connections.get(server)?.callTool(tool, args));
    },
    async provider(request): Promise<WantedCall[]> {
      requests.push(request);
      switch (requests.length) {
        case 1: {
          // While the model answers, the person steers: one message stays, the other is taken back.
          host.send("/mcp:everything:echo say it aloud");
          const ticket = host.send("/mcp:memory and remember it");
          assert.ok(ticket !== null && host.session.cancel(ticket));
          assert.equal(host.session.declarations().length, 1);
          return [{ name: "mcp__memory__read_graph", args: {} }];
        }
        case 2:
          return [
            { name: "mcp__everything__echo", args: { message: "hello" } },
            { name: "mcp__memory__create_entities", args: { entities: [] } },
            { name: "tool_search", args: { query: "create entities in the graph" } },
          ];
        case 3:
          return [{ name: "mcp__memory__create_entities", args: { entities: [] } }];
        default:
          return [];
      }
    },
  });

  const [entry] = host.menu("read_gr");
  assert.ok(entry);
  const text = `${host.take(entry)}what do we know?`;
  assert.deepEqual(host.session.declarations(), [], "choosing an entry makes nothing available");
  assert.equal(host.send("/mcp:memory:read_grahp what do we know?"), null);
  host.send(text);
  assert.deepEqual(host.session.declarations(), [], "nor does queueing it");
  await host.turn();

  assert.deepEqual(
    host.events.map((event) =>
      event.replace(/(create_entities), [^\]]*(\])/, "$1, …$2").replace(/found \d+/, "found some"),
    ),
    [
      "insert /mcp:memory:read_graph",
      "reject unknown-tool",
      "queue 1",
      "request with messages [1] and tools [mcp__memory__read_graph]",
      "queue 2",
      "queue 3",
      "gate mcp__memory__read_graph: allow",
      "call mcp__memory__read_graph",
      "request with messages [2] and tools [mcp__memory__read_graph, mcp__everything__echo]",
      "gate mcp__everything__echo: allow",
      "call mcp__everything__echo",
      "refuse mcp__memory__create_entities",
      "search found some",
      "request with messages [] and tools [mcp__memory__read_graph, mcp__everything__echo, mcp__memory__create_entities, …]",
      "gate mcp__memory__create_entities: confirm, the person says deny",
      "request with messages [] and tools [mcp__memory__read_graph, mcp__everything__echo, mcp__memory__create_entities, …]",
    ],
  );
  assert.match(requests[0]?.messages[0] ?? "", /^\/mcp:memory:read_graph what do we know\?\n.*mcp__memory__read_graph/);
  assert.match(requests[1]?.results[0] ?? "", /entities/);
  assert.match(requests[2]?.results[0] ?? "", /hello/);

  await Promise.all([...connections.values()].map((connection) => connection.close()));
  assert.deepEqual(processesOf(folder), []);
});

test("catalog lists ready servers of the configuration only, without anything secret of it", async () => {
  const env = { HOME: folder };
  const { code, stdout, stderr } = await runCli(["catalog", "--json", "--verbose", "--config", configFile()], { env });
  assert.equal(code, 0);
  const entries: { command: string; mcpServerId: string }[] = JSON.parse(stdout);
  assert.deepEqual([...new Set(entries.map(({ mcpServerId }) => mcpServerId))], ["everything", "memory"]);
  assert.ok(entries.some(({ command }) => command === "/mcp:memory:read_graph"));
  assert.ok(!`${stdout}${stderr}`.includes(TOKEN));
  assert.deepEqual(processesOf(folder), []);
});

test("submit checks against what is there, exits 2 on a rejection, and starts nothing for a plain message", async () => {
  const env = { HOME: folder };
  const file = configFile();
  const submit = async (message: unknown, ...args: string[]) => {
    const { code, stdout } = await runCli(["submit", ...args], { env, stdin: JSON.stringify(message) });
    assert.ok(!stdout.includes(TOKEN));
    return { code, outcome: stdout === "" ? null : JSON.parse(stdout) };
  };
  const text = "/mcp:memory:read_graph what do we know?";
  const [accepted, refused, down, plain, wrong] = await Promise.all([
    submit({ text }, "--config", file, "--only", "memory"),
    submit({ text, allowed: [], mode: "plan" }, "--config", file, "--only", "memory"),
    submit({ text: "/mcp:down go" }, "--config", file, "--only", "down"),
    submit({ text: "hello `/mcp:memory`" }, "--config", join(folder, "not-there.json")),
    submit(["not", "an", "object"]),
  ]);
  assert.deepEqual([accepted.code, accepted.outcome.mcpToolNames], [0, ["mcp__memory__read_graph"]]);
  assert.deepEqual([refused.code, refused.outcome.code], [2, "not-allowed-in-mode"]);
  assert.deepEqual([down.code, down.outcome.code], [2, "not-ready"]);
  assert.deepEqual([plain.code, plain.outcome.command], [0, "hello `/mcp:memory`"]);
  assert.deepEqual([wrong.code, wrong.outcome], [2, null]);
  assert.deepEqual(processesOf(folder), []);
});

test("catalog filters, limits and leaves out existing aliases; a wrong limit is a usage error", async () => {
  const env = { HOME: folder };
  const args = ["--config", configFile(), "--only", "memory"];
  const listed = await runCli(["catalog", "--filter", "mem", "--limit", "2", "--alias", "/mcp:memory", ...args], {
    env,
  });
  assert.equal(listed.code, 0);
  assert.equal(
    listed.stdout,
    "/mcp:memory:open_nodes\tmemory: open_nodes\n/mcp:memory:read_graph\tmemory: read_graph\n",
  );
  assert.match(listed.stderr, /\/mcp:memory is left out/);
  assert.equal((await runCli(["catalog", "--limit", "0", ...args], { env })).code, 2);
});
