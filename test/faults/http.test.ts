/** Servers over HTTP that misbehave, beside good ones: each costs only itself, and the reason is told. */
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
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
      "needs-login": { failure: "auth", says: /login/, check: hasNextStep },
      "needs-oauth": { failure: "auth", says: /login/, check: hasNextStep },
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

function hasNextStep(server: { failure?: { fix?: string | undefined } | undefined }): void {
  assert.match(server.failure?.fix ?? "", /token/);
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
