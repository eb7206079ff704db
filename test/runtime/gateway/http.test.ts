/** The gateway over HTTP: who is let in, what is refused and how, sessions from their beginning to their end. */
import assert from "node:assert/strict";
import { connect as connectSocket } from "node:net";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createGateway, type Gateway } from "../../../runtime/gateway/gateway.ts";
import { type HttpGateway, type HttpOptions, serveHttp } from "../../../runtime/gateway/http.ts";
import { begin, eventsOf, initialize, MESSAGE_HEADERS, send } from "../../support/http.ts";

let gateway: Gateway;
let http: HttpGateway;
before(async () => {
  gateway = createGateway({ version: "0" });
  http = await serveHttp(gateway, { port: 0 });
});
after(async () => {
  await http.close();
  await gateway.close();
});

/** A server of its own for one test, with other options. */
async function withServer(options: Partial<HttpOptions>, use: (http: HttpGateway, gateway: Gateway) => Promise<void>) {
  const ownGateway = createGateway({ version: "0" });
  const own = await serveHttp(ownGateway, { port: 0, ...options });
  try {
    await use(own, ownGateway);
  } finally {
    await own.close();
    await ownGateway.close();
  }
}

const host = () => new URL(http.url).host;
const port = () => new URL(http.url).port;

function assertJsonError({ status, headers, text }: Awaited<ReturnType<typeof send>>, expected: number, code?: number) {
  assert.equal(status, expected, text);
  assert.match(String(headers["content-type"]), /^application\/json/);
  const { jsonrpc, error, id } = JSON.parse(text);
  assert.equal(jsonrpc, "2.0");
  assert.equal(id, null);
  if (code !== undefined) assert.equal(error.code, code);
  assert.ok(!/node_modules|at .*\(|\/tmp|\/home|<html/i.test(text), text);
}

test("it listens on loopback, and a client of the SDK lists and calls over it", async () => {
  assert.match(http.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const client = new Client({ name: "test", version: "0" });
  const transport = new StreamableHTTPClientTransport(new URL(http.url));
  await client.connect(transport as Transport);
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === "find_tools"));
  const result = await client.callTool({ name: "find_tools", arguments: { query: "anything" } });
  assert.notEqual(result.isError, true);
  await transport.terminateSession();
  await client.close();
});

test("a Host that is not this server's is refused, whatever the Origin; a port that is not its own as well", async () => {
  const body = initialize();
  for (const name of [
    "evil.example",
    `evil.example:${port()}`,
    "127.0.0.1:1",
    "localhost.evil.example",
    "127.0.0.1@x",
  ]) {
    assertJsonError(await send(http.url, { headers: { ...MESSAGE_HEADERS, Host: name }, body }), 403);
  }
  for (const name of [host(), `localhost:${port()}`, `LOCALHOST:${port()}`, `[::1]:${port()}`]) {
    const { status } = await send(http.url, { headers: { ...MESSAGE_HEADERS, Host: name }, body });
    assert.equal(status, 200, name);
  }
});

test("an Origin from elsewhere is refused although the Host is right; none, or this machine's, is let in", async () => {
  const body = initialize();
  for (const origin of [
    "http://evil.example",
    "null",
    "https://localhost.evil.example",
    "http://localhost@evil.example",
  ]) {
    assertJsonError(await send(http.url, { headers: { ...MESSAGE_HEADERS, Origin: origin }, body }), 403);
  }
  for (const origin of ["http://localhost:6274", "https://127.0.0.1", "http://[::1]:80"]) {
    const { status } = await send(http.url, { headers: { ...MESSAGE_HEADERS, Origin: origin }, body });
    assert.equal(status, 200, origin);
  }
});

test("off loopback nobody is served without a token, and with one only who shows it", async () => {
  const listen = (options: Partial<HttpOptions>) => serveHttp(gateway, { port: 0, ...options });
  await assert.rejects(listen({ address: "0.0.0.0" }), { code: "usage" });
  await assert.rejects(listen({ address: "0.0.0.0", token: "short" }), { code: "usage" });
  await assert.rejects(listen({ token: "with a space, yet long" }), { code: "usage" });
  const token = "0123456789abcdef0123";
  await withServer({ address: "0.0.0.0", token, hosts: ["gateway.example"] }, async ({ url }) => {
    const local = url.replace("0.0.0.0", "127.0.0.1");
    const body = initialize();
    for (const authorization of [undefined, "Bearer wrong", `Basic ${token}`, `Bearer ${token}x`, "Bearer "]) {
      const headers = { ...MESSAGE_HEADERS, ...(authorization !== undefined && { Authorization: authorization }) };
      const answer = await send(local, { headers, body });
      assertJsonError(answer, 401);
      assert.match(String(answer.headers["www-authenticate"]), /^Bearer/);
    }
    const headers = { ...MESSAGE_HEADERS, Authorization: `Bearer ${token}` };
    assert.equal((await send(local, { headers, body })).status, 200);
    const named = { ...headers, Host: `gateway.example:${new URL(url).port}` };
    assert.equal((await send(local, { headers: named, body })).status, 200);
  });
});

test("what is no message gets a JSON-RPC error, never a page: not JSON, no UTF-8, not the endpoint, not the method", async () => {
  const post = (body: string, headers = {}) => send(http.url, { headers: { ...MESSAGE_HEADERS, ...headers }, body });
  assertJsonError(await post("{ nonsense"), 400, -32700);
  assertJsonError(await post(""), 400, -32700);
  assertJsonError(await send(http.url.replace("/mcp", "/"), { headers: MESSAGE_HEADERS, body: initialize() }), 404);
  assertJsonError(await send(http.url.replace("/mcp", "/mcp/../etc"), { headers: MESSAGE_HEADERS }), 404);
  const put = await send(http.url, { method: "PUT", headers: MESSAGE_HEADERS, body: initialize() });
  assertJsonError(put, 405);
  assert.equal(put.headers.allow, "GET, POST, DELETE");
  assertJsonError(await post(initialize(), { Accept: "application/json" }), 406);
  assertJsonError(await post(initialize(), { "Content-Type": "text/plain" }), 415);
  assertJsonError(await post('{"jsonrpc":"2.0","id":null,"method":"initialize"}'), 400);
  assertJsonError(await post(JSON.stringify({ id: 1, method: "ping" })), 400);
  assertJsonError(await post("[".repeat(20_000) + "]".repeat(20_000)), 400);
});

test("a message over the limit is refused, announced or not", async () => {
  await withServer({ limits: { bodyBytes: 1000 } }, async ({ url }) => {
    const body = initialize().replace('"test"', `"${"x".repeat(2000)}"`);
    assertJsonError(await send(url, { headers: MESSAGE_HEADERS, body }), 413);
    const chunked = { ...MESSAGE_HEADERS, "Transfer-Encoding": "chunked" };
    assertJsonError(await send(url, { headers: chunked, body }), 413);
  });
});

test("a client that sends its message too slowly is let go", async () => {
  await withServer({ limits: { bodyMs: 50 } }, async ({ url }) => {
    const { hostname, port: number } = new URL(url);
    const text = await new Promise<string>((done, fail) => {
      const socket = connectSocket(Number(number), hostname, () => {
        socket.write(`POST /mcp HTTP/1.1\r\nHost: ${hostname}:${number}\r\nContent-Length: 100\r\n\r\n{`);
      });
      let answer = "";
      socket.setEncoding("utf8").on("data", (part) => {
        answer += part;
      });
      socket.on("close", () => done(answer)).on("error", fail);
    });
    assert.match(text, /^HTTP\/1\.1 408 /);
  });
});

test("batches are refused where they left the protocol, and taken from a client of before", async () => {
  const batch = JSON.stringify([
    { jsonrpc: "2.0", id: 5, method: "ping" },
    { jsonrpc: "2.0", id: 6, method: "ping" },
  ]);
  const now = await begin(http.url, "2025-06-18");
  assertJsonError(await send(http.url, { headers: now, body: batch }), 400, -32600);
  assertJsonError(await send(http.url, { headers: MESSAGE_HEADERS, body: batch }), 400, -32600);
  const old = await begin(http.url, "2025-03-26");
  const answer = await send(http.url, { headers: old, body: batch });
  assert.equal(answer.status, 200);
  assert.deepEqual(
    eventsOf(answer.text)
      .map(({ data }) => data.id)
      .sort(),
    [5, 6],
  );
});

test("a session is begun, used and ended; one that is unknown, ended or missing is told apart", async () => {
  const before = http.sessions;
  const headers = await begin(http.url);
  assert.equal(http.sessions, before + 1);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  const listed = await send(http.url, { headers, body });
  assert.equal(listed.status, 200);
  assert.ok(JSON.stringify(eventsOf(listed.text)).includes("find_tools"));

  const { "Mcp-Session-Id": _, ...without } = headers;
  assertJsonError(await send(http.url, { headers: without, body }), 400);
  assertJsonError(await send(http.url, { headers: { ...headers, "Mcp-Session-Id": "other" }, body }), 404, -32001);
  assertJsonError(await send(http.url, { headers: { ...headers, "Mcp-Protocol-Version": "1.0" }, body }), 400);
  assertJsonError(await send(http.url, { headers, body: initialize() }), 400);
  assertJsonError(await send(http.url, { method: "GET", headers: without }), 400);

  assert.equal((await send(http.url, { method: "DELETE", headers })).status, 200);
  assertJsonError(await send(http.url, { headers, body }), 404, -32001);
  assert.equal(http.sessions, before);
});

test("an unknown version of the protocol gets the newest that is spoken", async () => {
  for (const version of ["1.0", "2026-07-28"]) {
    const answer = await send(http.url, { headers: MESSAGE_HEADERS, body: initialize(version) });
    const [first] = eventsOf(answer.text);
    assert.equal(JSON.stringify(first).includes(`"protocolVersion":"2025-11-25"`), true);
  }
});

test("a lost stream is resumed after the last event that arrived, and nothing twice", async () => {
  const headers = await begin(http.url);
  const body = JSON.stringify({ jsonrpc: "2.0", id: 9, method: "ping" });
  const { text } = await send(http.url, { headers, body });
  // The stream opens with an event that only tells its id.
  const first = /^id: (\S+)$/m.exec(text)?.[1] ?? "";
  const resumed = await send(http.url, {
    method: "GET",
    headers: { ...headers, "Last-Event-Id": first },
    until: (part) => part.includes('"id":9'),
  });
  assert.deepEqual(
    eventsOf(resumed.text).map(({ data }) => data.id),
    [9],
  );
  const unknown = { ...headers, "Last-Event-Id": "nothing_1" };
  assertJsonError(await send(http.url, { method: "GET", headers: unknown }), 400);
});

test("sessions that nobody uses end by themselves, and the one that was idle longest makes room", async () => {
  await withServer({ limits: { sessionIdleMs: 40 } }, async (own, ownGateway) => {
    await begin(own.url);
    assert.equal(ownGateway.sessions, 1);
    await untilTrue(() => ownGateway.sessions === 0);
    assert.equal(own.sessions, 0);
  });
  await withServer({ limits: { sessions: 2 } }, async (own) => {
    const [first, second, third] = [await begin(own.url), await begin(own.url), await begin(own.url)];
    assert.equal(own.sessions, 2);
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
    assertJsonError(await send(own.url, { headers: first, body: ping }), 404);
    for (const headers of [second, third]) assert.equal((await send(own.url, { headers, body: ping })).status, 200);
  });
});

test("a client that cannot initialize leaves no session", async () => {
  const before = gateway.sessions;
  await send(http.url, { headers: { ...MESSAGE_HEADERS, Accept: "text/html" }, body: initialize() });
  await untilTrue(() => gateway.sessions === before);
});

test("closing ends open streams and sessions, and lets no one in any more", async () => {
  const ownGateway = createGateway({ version: "0" });
  const own = await serveHttp(ownGateway, { port: 0 });
  const headers = await begin(own.url);
  const stream = send(own.url, { method: "GET", headers });
  // The stream is open once its comment or anything else has come; a request after it shows that it was taken.
  await send(own.url, { headers, body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" }) });
  await own.close();
  await stream.catch(() => {});
  assert.equal(ownGateway.sessions, 0);
  await assert.rejects(send(own.url, { headers: MESSAGE_HEADERS, body: initialize() }));
  await ownGateway.close();
});

test("a port that is taken is an error with what to do", async () => {
  await assert.rejects(serveHttp(gateway, { port: Number(port()) }), { code: "cannot-listen" });
});

/** Looks again until it holds; the test runner's limit ends it where it never does. */
async function untilTrue(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((done) => setTimeout(done, 5));
}
