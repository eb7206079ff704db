/** `mcp-skills serve --port` as a process: a client works over it, and when it is told to end nothing is left. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { cliCommand, ROOT, runCli } from "../support/cli.ts";
import { processesOf } from "../support/processes.ts";

const home = mkdtempSync(join(tmpdir(), "mcp-skills-serve-"));
after(() => rmSync(home, { recursive: true, force: true }));
const config = join(home, "mcp.json");
const everything = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
writeFileSync(config, JSON.stringify({ mcpServers: { everything: { command: "node", args: [everything] } } }));

function serve(...args: string[]): { child: ChildProcess; url: Promise<string>; exit: Promise<number | null> } {
  const [program = "", ...first] = cliCommand();
  const child = spawn(program, [...first, "serve", "--config", config, ...args], {
    cwd: home,
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  const url = new Promise<string>((done, fail) => {
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      told += part;
      const found = /listening on (\S+?),?\s/.exec(told)?.[1];
      if (found !== undefined) done(found);
    });
    child.once("exit", () => fail(new Error(told)));
  });
  return { child, url, exit: new Promise((done) => child.once("exit", done)) };
}

test("a client loads and calls a tool over HTTP; at SIGTERM the server answers, ends with 0 and leaves no process", async () => {
  const { child, url, exit } = serve("--port", "0");
  const client = new Client({ name: "test", version: "0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(await url)) as Transport);
  const found = await client.callTool({ name: "agi_mcp_discover", arguments: { intent: "echo a message" } });
  assert.match(JSON.stringify(found), /mcp__everything__echo/);
  const called = await client.callTool({ name: "mcp__everything__echo", arguments: { message: "over HTTP" } });
  assert.match(JSON.stringify(called.content), /over HTTP/);
  // Deno takes a child that it was told to kill for killed, whatever the child makes of the signal.
  process.kill(child.pid as number, "SIGTERM");
  assert.equal(await exit, 0);
  await client.close();
  assert.deepEqual(processesOf(home), []);
});

test("serve says what is wrong with its port and its address, and starts nothing", async () => {
  for (const args of [
    ["--port", "http"],
    ["--port", "0", "--listen", "0.0.0.0"],
    ["--listen", "127.0.0.1"],
  ]) {
    const { code, stderr } = await runCli(["serve", "--config", config, ...args]);
    assert.equal(code, 2, `${args.join(" ")}: ${stderr}`);
  }
});
