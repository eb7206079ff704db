/** Servers over HTTP that misbehave, beside good ones: each costs only itself, and the reason is told. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { callOnce } from "../../runtime/inventory/call.ts";
import { listServers } from "../../runtime/inventory/connect.ts";
import { type Expected, listBeside, makeServersHome, serverOf } from "./beside.ts";
import { type FaultServer, startFaultServer } from "./http-server.ts";

const { home, remove } = makeServersHome();
let faults: FaultServer;
before(async () => {
  faults = await startFaultServer();
});
after(async () => {
  await faults.close();
  remove();
});

const SHORT_MS = 2000;

function listed(expected: Record<string, Expected>, headers: Record<string, string> = {}): Promise<void> {
  return listBeside(home, expected, (name, timeoutMs) =>
    serverOf(name, { transport: "http", url: faults.url(name), headers }, timeoutMs),
  );
}

test("a login is asked for, never started, and a token of the configuration is used", { timeout: 60_000 }, async () => {
  await listed(
    {
      "needs-login": { failure: "auth", says: /login/, check: nextStepIs(/^Put a token/) },
      "needs-oauth": { failure: "auth", says: /login/, check: nextStepIs(/^Sign in .*OAuth.* token/) },
      "old-login": { failure: "auth", says: /login/ },
      forbidden: { failure: "permission", says: /HTTP 403: not yours/ },
      "too-many": { failure: "rate-limit", says: /HTTP 429/ },
    },
    { Authorization: "Bearer wrong" },
  );
  await listed({ "needs-token": {} }, { Authorization: "Bearer from-the-environment" });
  assert.deepEqual(
    faults.seen.filter((request) => request.includes(".well-known")),
    [],
  );
});

function nextStepIs(step: RegExp) {
  return (server: { failure?: { fix?: string | undefined } | undefined }) =>
    assert.match(server.failure?.fix ?? "", step);
}

test("an answer that is no message is told with its status or kind", { timeout: 60_000 }, () =>
  listed({
    "no-page": { failure: "protocol", says: /initialize failed with HTTP 404: no such page/ },
    broken: { failure: "protocol", says: /initialize failed with HTTP 500/ },
    html: { failure: "protocol", says: /content type: text\/html/ },
    "html-as-json": { failure: "protocol", says: /no JSON-RPC message/ },
    "wrong-type": { failure: "protocol", says: /content type: application\/octet-stream/ },
    "type-with-charset": {},
    batch: {},
    "get-404": {},
  }),
);

test("servers of before Streamable HTTP are reached in the old way", { timeout: 60_000 }, () =>
  listed({
    "old-404": {},
    "old-405": {},
    "old-hang": { failure: "timeout", timeoutMs: SHORT_MS },
    "old-elsewhere": { failure: "protocol", says: /HTTP 405/ },
  }),
);

test("a lost session is begun anew, once", { timeout: 60_000 }, async () => {
  await listed({
    "session-lost": {},
    "session-gone": { failure: "protocol", says: /tools\/list failed with HTTP 404: session not found/ },
  });
  const asked = faults.seen.filter((request) => request.startsWith("POST") && request.endsWith("/session-gone"));
  assert.equal(asked.length, 6);
});

test("a session lost in a call is begun anew once, and the call made again where it only reads", async () => {
  const call = (mode: string, readOnly?: boolean) =>
    callOnce(
      serverOf(mode, { transport: "http", url: faults.url(mode), headers: {} }),
      "first",
      {},
      {
        connectMs: 20_000,
        callMs: 20_000,
        readOnly,
      },
    );
  const gone = { kind: "protocol", message: "tools/call failed with HTTP 404: session not found" };
  assert.deepEqual(await call("session-gone-in-call"), { ok: false, failure: gone });
  assert.deepEqual(await call("session-gone-in-call", true), { ok: false, failure: gone });
  const { ok } = await call("session-lost-in-call", true);
  assert.equal(ok, true);
  // Three sessions that were begun, each with a start, its notice and a list, and one call each.
  const posts = (mode: string) =>
    faults.seen.filter((one) => one.startsWith("POST") && one.endsWith(`/${mode}`)).length;
  assert.deepEqual([posts("session-gone-in-call"), posts("session-lost-in-call")], [12, 8]);
});

test("a server is told that its session ends; one that does not hear it costs nothing else", async () => {
  await listed({ "hears-end": {}, "hears-no-end": {} });
  const ended = faults.seen.filter((request) => request.startsWith("DELETE"));
  assert.ok(ended.some((request) => request.endsWith("/hears-end")));
  assert.ok(ended.some((request) => request.endsWith("/hears-no-end")));
  assert.ok(!ended.some((request) => request.endsWith("/get-404")), "there was no session to end");
});

test("a limit that the user gives just now goes before a server's own", async () => {
  const config = serverOf("hang", { transport: "http", url: faults.url("hang"), headers: {} }, 3_600_000);
  const [server] = await listServers([config], { timeoutMs: 200, totalMs: 3_600_000, ownLimits: false });
  assert.equal(server?.failure?.kind, "timeout");
});

test("a redirect is followed to the same host only, and no header goes to another", { timeout: 60_000 }, async () => {
  await listed(
    {
      "redirect-same": {},
      "redirect-other": { failure: "protocol", says: /redirect/i },
      "redirect-loop": { failure: "protocol", says: /redirect/i },
    },
    { "X-Secret": "only for this host" },
  );
  assert.deepEqual(
    faults.seen.filter((request) => request.includes("localhost")),
    [],
  );
  assert.ok(faults.secrets.length > 0);
});

test("slow, endless and huge answers, and connections that break", { timeout: 60_000 }, async () => {
  const closed = await closedPort();
  await listBeside(
    home,
    {
      "slow-stream": {},
      "endless-stream": { failure: "timeout", timeoutMs: SHORT_MS, says: /tools\/list/ },
      "accepted-only": { failure: "timeout", timeoutMs: SHORT_MS },
      hang: { failure: "timeout", timeoutMs: SHORT_MS, says: /initialize/ },
      reset: { failure: "network" },
      "closed-port": { failure: "network" },
      "huge-answer": { failure: "protocol", says: /larger than \d+ bytes/ },
      "huge-event": { failure: "protocol", says: /larger than \d+ bytes/ },
    },
    (name, timeoutMs) => {
      const url = name === "closed-port" ? `http://127.0.0.1:${closed}/` : faults.url(name);
      return serverOf(name, { transport: "http", url, headers: {} }, timeoutMs);
    },
  );
});

/** A port on which nobody listens any more. */
function closedPort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
