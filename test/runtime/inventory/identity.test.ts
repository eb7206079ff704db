/** Who a server is: the name under which it is configured, and nothing that it says of itself. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { connectServer } from "../../../runtime/inventory/connect.ts";
import { takeInventory } from "../../../runtime/inventory/inventory.ts";
import { listTools } from "../../../runtime/inventory/list-tools.ts";
import type { ServerConfig } from "../../../runtime/inventory/server-config.ts";
import { ROOT, SERVER_RUNTIME } from "../../support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-skills-identity-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function configOf(name: string, args: string[]): ServerConfig {
  return {
    name,
    state: "enabled",
    target: { transport: "stdio", command: SERVER_RUNTIME, args, env: {} },
    origins: [],
  };
}

const MEMORY = join(ROOT, "node_modules/@modelcontextprotocol/server-memory/dist/index.js");

test("B6: a name that is too long is left out and told; it is never cut to another's", async () => {
  const long = "a".repeat(129);
  const { tools, flags } = await listTools("s", async () => ({
    tools: [{ name: long }, { name: long.slice(0, 128) }],
  }));
  assert.deepEqual(
    tools.map(({ name }) => name),
    [long.slice(0, 128)],
  );
  assert.deepEqual(
    flags.map(({ kind }) => kind).filter((kind) => kind === "bad-name"),
    ["bad-name"],
  );
});

test("B7: a server of a reserved name is told and not started", async () => {
  const { servers } = await takeInventory({ servers: [configOf("native", ["-e", "process.exit(9)"])], problems: [] });
  assert.deepEqual([servers[0]?.state, servers[0]?.failure?.kind], ["failed", "config"]);
  assert.match(servers[0]?.failure?.message ?? "", /reserved/);
});

test("B8: a server is called as it is configured, whatever name it gives itself", { timeout: 60_000 }, async () => {
  const { servers } = await takeInventory({ servers: [configOf("alias", [MEMORY])], problems: [] });
  assert.equal(servers[0]?.name, "alias");
  assert.ok(servers[0]?.tools.every(({ server }) => server === "alias"));
});

test("D11: a call that got no answer in time is made once and not again", { timeout: 60_000 }, async () => {
  const log = join(folder, "calls");
  const program = `
    const { appendFileSync } = require("node:fs");
    const send = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === "initialize") send(id, { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } });
      if (method === "tools/list") send(id, { tools: [{ name: "send_mail", inputSchema: { type: "object" } }] });
      if (method === "tools/call") appendFileSync(${JSON.stringify(log)}, "call\\n");
    });`;
  const connection = await connectServer(configOf("mail", ["-e", program]), { timeoutMs: 20_000 });
  try {
    await assert.rejects(connection.callTool("send_mail", {}, { timeoutMs: 500 }));
    assert.equal(readFileSync(log, "utf8"), "call\n");
  } finally {
    await connection.close();
  }
});
