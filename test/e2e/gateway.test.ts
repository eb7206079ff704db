/** `mcp-skills serve` as a host lists it: one process over stdio, real servers behind it, and nothing left when it goes. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { ClientCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { cliCommand, ROOT, runCli, SERVER_RUNTIME } from "../support/cli.ts";
import { answering, textOf, toolNames } from "../support/gateway.ts";
import { processesOf } from "../support/processes.ts";

const home = mkdtempSync(join(tmpdir(), "gateway-e2e-"));
const project = join(home, "project");
const config = join(home, "servers.json");
const env: Record<string, string> = { ...(process.env as object), HOME: home, MCP_SKILLS_NO_BACKGROUND: "1" };
for (const name of ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]) delete env[name];

const npm = (name: string) => `${ROOT}node_modules/@modelcontextprotocol/server-${name}/dist/index.js`;

before(() => {
  mkdirSync(join(project, ".claude"), { recursive: true });
  const memory = {
    command: SERVER_RUNTIME,
    args: [npm("memory")],
    env: { MEMORY_FILE_PATH: join(home, "memory.json") },
  };
  // Its own entry, as a host's file holds it.
  const [command = "", ...args] = [...cliCommand(), "serve", "--config", config];
  const mcpServers = {
    everything: { command: SERVER_RUNTIME, args: [npm("everything")] },
    memory,
    stubborn: { command: SERVER_RUNTIME, args: [`${ROOT}test/faults/stdio-server.mjs`, "ignore-end"] },
    gateway: { command, args },
  };
  writeFileSync(config, JSON.stringify({ mcpServers }));
});
after(() => rmSync(home, { recursive: true, force: true }));

async function connect(
  args: string[],
  capabilities: ClientCapabilities = {},
  prepare: (client: Client) => void = () => {},
) {
  const [command = "", ...first] = cliCommand();
  const transport = new StdioClientTransport({
    command,
    args: [...first, "serve", "--config", config, ...args],
    cwd: project,
    env,
    stderr: "pipe",
  });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  prepare(client);
  await client.connect(transport);
  return { client, transport, stderr: () => stderr };
}

/** Waits for other processes; the test's own limit ends it. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((next) => setTimeout(next, 10));
}

test("a host lists one server, loads a tool by intent, reads unasked, is asked for a write, and leaves nothing", {
  timeout: 60_000,
}, async () => {
  const asked: string[] = [];
  const log = join(home, "decisions.jsonl");
  const { client, stderr } = await connect(
    ["--log", log, "--pin", "mcp__memory__read_graph"],
    { elicitation: {} },
    answering({ action: "accept" }, asked),
  );
  const found = await client.callTool({ name: "agi_mcp_discover", arguments: { intent: "echo a message" } });
  assert.match(textOf(found), /mcp__everything__echo/);
  const names = await toolNames(client);
  assert.ok(names.length <= 8 && names.includes("mcp__everything__echo") && names.includes("mcp__memory__read_graph"));
  assert.ok(!names.some((name) => name.includes("gateway")), "the gateway leaves itself out");
  assert.equal(
    textOf(await client.callTool({ name: "mcp__everything__echo", arguments: { message: "hi" } })),
    "Echo: hi",
  );
  assert.equal(asked.length, 0);
  const entities = [{ name: "ann", entityType: "person", observations: [] }];
  await client.callTool({
    name: "call_tool",
    arguments: { name: "mcp__memory__create_entities", arguments: { entities } },
  });
  assert.equal(asked.length, 1);
  assert.match(readFileSync(join(home, "memory.json"), "utf8"), /ann/);
  const decisions = readFileSync(log, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    decisions.map(({ tool, decision }) => [tool, decision]),
    [
      ["echo", "allow"],
      ["create_entities", "allow"],
    ],
  );
  assert.doesNotMatch(readFileSync(log, "utf8"), /ann/);
  const { resources } = await client.listResources();
  assert.ok(resources.some(({ uri }) => uri === "skill://using-mcp/SKILL.md"));
  const { contents } = await client.readResource({ uri: "mcp-skills://report" });
  assert.match(JSON.stringify(contents), /used: everything, memory/);
  await client.close();
  await until(() => processesOf(home).length === 0);
  assert.doesNotMatch(stderr(), /started by another gateway/);
});

for (const [how, end] of [
  ["SIGTERM", (pid: number) => process.kill(pid, "SIGTERM")],
  [
    "a host that is killed",
    (_pid: number, host: { stdin: { destroy(): void }; stdout: { destroy(): void } }) => {
      host.stdin.destroy();
      host.stdout.destroy();
    },
  ],
] as const) {
  test(`${how} ends the gateway and every server behind it, those that ignore the end of input too`, {
    timeout: 60_000,
  }, async () => {
    const [command = "", ...first] = cliCommand();
    const host = spawn(command, [...first, "serve", "--config", config], {
      cwd: project,
      env,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const exited = new Promise<number | null>((done) => host.on("exit", (code) => done(code)));
    const send = (message: object) => host.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    const clientInfo = { name: "t", version: "1" };
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } });
    send({ method: "notifications/initialized" });
    const params = { name: "call_tool", arguments: { name: "mcp__stubborn__first" } };
    send({ id: 2, method: "tools/call", params: { name: "find_tools", arguments: { query: "first" } } });
    await new Promise<void>((done) => {
      let text = "";
      host.stdout.on("data", (chunk: Buffer) => {
        text += chunk;
        if (text.includes('"id":2')) done();
      });
    });
    // Nobody answers it: the server is there and waits.
    send({ id: 3, method: "tools/call", params });
    end(host.pid ?? 0, host);
    assert.equal(await exited, 0);
    await until(() => processesOf(home).length === 0);
  });
}

test("what was asked before stdin ended is answered", { timeout: 60_000 }, async () => {
  const clientInfo = { name: "t", version: "1" };
  const messages = [
    { id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "find_tools", arguments: { query: "echo" } } },
  ];
  const stdin = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const { code, stdout } = await runCli(["serve", "--config", config], { stdin, cwd: project, env });
  assert.equal(code, 0);
  assert.match(stdout, /mcp__everything__echo/);
});

test("rules that cannot be read, and options that do not fit, stop it before anything starts", async () => {
  const settings = join(project, ".claude", "settings.json");
  writeFileSync(settings, '{ "permissions": { "deny": ["mcp__memory(*)"] } }');
  const bad = await runCli(["serve", "--config", config], { cwd: project, env });
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /deny rule "mcp__memory\(\*\)" cannot be read/);
  rmSync(settings);
  for (const args of [
    ["--mode", "yolo"],
    ["--max", "many"],
    ["--idle", "soon"],
  ]) {
    const { code, stderr } = await runCli(["serve", "--config", config, ...args], { cwd: project, env });
    assert.equal(code, 2, stderr);
  }
});
