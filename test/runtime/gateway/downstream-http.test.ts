/** Servers over HTTP behind the gateway: sessions that are lost, listeners that go and come back. */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Inventory } from "../../../runtime/core/contracts.ts";
import { connectServer } from "../../../runtime/inventory/connect.ts";
import type { ServerConfig } from "../../../runtime/inventory/server-config.ts";
import { inventoryOf, type TestGateway, testGateway, textOf } from "../../support/gateway.ts";

const LIMIT = { timeoutMs: 10_000 };

/** Every call that arrived, with the session it came in. */
const calls: string[] = [];
const sessions = new Set<string>();
let begun = 0;

const TOOLS = ["get_it", "set_it", "get_login"].map((name) => ({ name, inputSchema: { type: "object" } }));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "DELETE") {
    const known = sessions.delete(String(request.headers["mcp-session-id"]));
    return void response.writeHead(known ? 200 : 404).end();
  }
  if (request.method !== "POST") return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const session = String(request.headers["mcp-session-id"] ?? "");
  const reply = (body: object, headers: Record<string, string> = {}) =>
    response
      .writeHead(200, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
  if (method === "initialize") {
    begun += 1;
    sessions.add(`session-${begun}`);
    const serverInfo = { name: "http", version: "1" };
    const result = { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo };
    reply({ result }, { "mcp-session-id": `session-${begun}` });
  } else if (!sessions.has(session)) response.writeHead(404).end("no such session");
  else if (id === undefined) response.writeHead(202).end();
  else if (method === "tools/list") reply({ result: { tools: TOOLS } });
  else if (params.name === "get_login") {
    const elicitations = [{ mode: "url", elicitationId: "1", url: "https://example.org/login", message: "Sign in" }];
    reply({ error: { code: -32042, message: "Sign in first", data: { elicitations } } });
  } else {
    calls.push(`${params.name} in ${session}`);
    reply({ result: { content: [{ type: "text", text: session }] } });
  }
}

let listener: Server;
let servers: ServerConfig[];
let inventory: Inventory;
const open: TestGateway[] = [];

function gatewayNow(): TestGateway {
  const one = testGateway({ servers, inventory, mode: "fully-agentic" });
  open.push(one);
  return one;
}

before(async () => {
  listener = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => listener.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/mcp`;
  const target = { transport: "http" as const, url, headers: {} };
  servers = [{ name: "web", state: "enabled", target, transport: "http", origins: [] }];
  inventory = await inventoryOf(servers);
});
after(async () => {
  await Promise.all(open.map(({ gateway }) => gateway.close()));
  listener.closeAllConnections();
  await new Promise((done) => listener.close(done));
});

test("a read in a lost session is made in a new one; a write is not made again", async () => {
  const client = await gatewayNow().connect();
  const call = async (name: string) =>
    textOf(await client.callTool({ name: "call_tool", arguments: { name: `mcp__web__${name}`, arguments: {} } }));
  const first = await call("get_it");
  assert.match(first, /^session-\d+$/);
  assert.equal(await call("set_it"), first);
  sessions.clear();
  const second = await call("get_it");
  assert.match(second, /^session-\d+$/);
  assert.notEqual(second, first);
  sessions.clear();
  calls.length = 0;
  assert.match(await call("set_it"), /HTTP 404/);
  assert.deepEqual(calls, []);
  assert.match(await call("set_it"), /^session-\d+$/, "the next call begins a session");
});

test("a demand to open an address first reaches a client that can, as the error it is", async () => {
  const { connect } = gatewayNow();
  const able = await connect({ elicitation: { url: {}, form: {} } });
  const request = { name: "call_tool", arguments: { name: "mcp__web__get_login" } };
  await assert.rejects(able.callTool(request), (error: Error & { code?: number; data?: unknown }) => {
    assert.equal(error.code, -32042);
    assert.match(JSON.stringify(error.data), /example\.org\/login/);
    return true;
  });
  const unable = await connect();
  assert.equal((await unable.callTool(request)).isError, true);
});

test("a server that cannot be reached costs its calls alone, and serves again when it is back", async () => {
  const client = await gatewayNow().connect();
  const call = () => client.callTool({ name: "call_tool", arguments: { name: "mcp__web__get_it" } });
  assert.match(textOf(await call()), /^session-/);
  const [config] = servers;
  const [forgotten, unreached] = await Promise.all([1, 2].map(() => connectServer(config as ServerConfig, LIMIT)));
  sessions.clear();
  await forgotten?.close();
  const { port } = listener.address() as AddressInfo;
  listener.closeAllConnections();
  await new Promise((done) => listener.close(done));
  await unreached?.close();
  assert.equal((await call()).isError, true);
  const second = await call();
  assert.equal(second.isError, true);
  await new Promise<void>((done) => listener.listen(port, "127.0.0.1", done));
  // The pause after several failures may not be over; another session starts at once.
  const other = await gatewayNow().connect();
  const request = { name: "call_tool", arguments: { name: "mcp__web__get_it" } };
  assert.match(textOf(await other.callTool(request)), /^session-/);
});
