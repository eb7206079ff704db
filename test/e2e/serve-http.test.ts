/** `mcp-skills serve --port` as a process: a client works over it, and when it is told to end nothing is left. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ROOT, runCli, SERVER_RUNTIME } from "../support/cli.ts";
import { processesOf } from "../support/processes.ts";
import { serveOverHttp } from "../support/serve.ts";

const home = mkdtempSync(join(tmpdir(), "mcp-skills-serve-"));
after(() => rmSync(home, { recursive: true, force: true }));
const config = join(home, "mcp.json");
const everything = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
writeFileSync(config, JSON.stringify({ mcpServers: { everything: { command: SERVER_RUNTIME, args: [everything] } } }));

test("a client loads and calls a tool over HTTP; at SIGTERM the server answers, ends with 0 and leaves no process", async () => {
  const serving = serveOverHttp(home, config);
  const client = new Client({ name: "test", version: "0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(await serving.url)) as Transport);
  const found = await client.callTool({ name: "agi_mcp_discover", arguments: { intent: "echo a message" } });
  assert.match(JSON.stringify(found), /mcp__everything__echo/);
  const called = await client.callTool({ name: "mcp__everything__echo", arguments: { message: "over HTTP" } });
  assert.match(JSON.stringify(called.content), /over HTTP/);
  assert.equal(await serving.end(), 0);
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
