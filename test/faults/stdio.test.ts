/** Servers over stdio that misbehave, beside good ones: each costs only itself, and what can be kept of it is kept. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { ROOT } from "../support/cli.ts";
import { type Expected, listBeside, makeServersHome, serverOf, stdioServer } from "./beside.ts";

const { home, remove } = makeServersHome();
after(remove);

const SHORT_MS = 2000;

function listed(expected: Record<string, Expected>, extra = ""): Promise<void> {
  return listBeside(home, expected, (name, timeoutMs) => stdioServer(name, home, [name, extra], timeoutMs));
}

test("servers that hang cost their own limit, those that are slow nothing", { timeout: 60_000 }, () =>
  listed({
    "hang-start": { failure: "timeout", timeoutMs: SHORT_MS, says: /initialize/ },
    "hang-initialize": { failure: "timeout", timeoutMs: SHORT_MS, says: /initialize/ },
    "hang-list": { failure: "timeout", timeoutMs: SHORT_MS, says: /tools\/list/ },
    "wrong-id": { failure: "timeout", timeoutMs: SHORT_MS },
    slow: {},
  }),
);

test("a crash is told with its code, its phase and what the server said last", { timeout: 60_000 }, () =>
  listed({
    "crash-start": { failure: "crashed", says: /code 7 during initialize: the reason why/ },
    "crash-initialize": { failure: "crashed", says: /code 7 during initialize: the reason why/ },
    "crash-list": { failure: "crashed", says: /code 7 during tools\/list: the reason why/ },
    "quiet-end": { failure: "crashed", says: /code 0 during initialize/ },
    "crash-second-page": { flags: ["page-failed"] },
  }),
);

test("a program that is not there or may not run is told as that", { timeout: 60_000 }, () =>
  listBeside(
    home,
    { missing: { failure: "not-found" }, unrunnable: { failure: "permission" }, elsewhere: { failure: "not-found" } },
    (name) => {
      const command = name === "unrunnable" ? `${ROOT}package.json` : name === "missing" ? "no-such-program" : "sh";
      const cwd = name === "elsewhere" ? `${home}/no-such-folder` : undefined;
      return serverOf(name, { transport: "stdio", command, args: [], env: { HOME: home }, cwd });
    },
  ),
);

test("noise, marks and halves on stdout lose no message", { timeout: 60_000 }, () =>
  listed({
    noise: { flags: ["noise"] },
    "glued-noise": {},
    "glued-tail": {},
    "glued-messages": {},
    bom: {},
    crlf: { flags: ["noise"] },
    binary: { flags: ["noise"] },
    "half-lines": {},
    batch: {},
    "text-id": {},
    "null-error": {},
  }),
);

test("floods, storms and requests of the server's own do not stop the listing", { timeout: 60_000 }, () =>
  listed({
    "stderr-flood": {},
    "stderr-flood-start": {},
    storm: {},
    "storm-early": {},
    requests: {},
    "many-tools": { tools: 5000 },
    "huge-answer": { failure: "protocol", says: /tools\/list failed: .*larger than \d+ bytes/ },
  }),
);

test("what a server answers wrong is told", { timeout: 60_000 }, () =>
  listed({
    "unknown-version": { failure: "protocol", says: /version/ },
    "no-tools": { tools: [], flags: ["no-tools"] },
    "error-initialize": { failure: "protocol", says: /initialize failed: .*no database/ },
    "error-list": { failure: "protocol", says: /tools\/list failed: .*the list is broken/ },
    "error-second-page": { flags: ["page-failed"] },
    "no-array": { tools: [], flags: ["bad-page"] },
  }),
);

test("every kind of cursor comes to an end, with all pages that came", { timeout: 60_000 }, () =>
  listed({
    paged: { tools: 3 },
    "same-cursor": { flags: ["cursor-loop"] },
    "endless-cursor": { tools: 64, flags: ["list-cut"] },
    "empty-cursor": {},
    "null-cursor": {},
    "number-cursor": {},
  }),
);

test("a malformed tool costs only itself", { timeout: 60_000 }, () =>
  listed({
    "duplicate-name": { flags: ["duplicate-name"] },
    "empty-name": { flags: ["bad-name"] },
    "long-name": { flags: ["bad-name"] },
    "control-name": { flags: ["bad-name"] },
    "odd-name": { tools: ["größe_messen", "日本", "first", "second"], flags: ["odd-name"] },
    "bad-entries": { flags: ["bad-tool", "bad-name"] },
    "no-description": {},
    "null-description": {},
  }),
);

test("a tool whose schema is missing, wrong or cannot be resolved stays", { timeout: 60_000 }, () =>
  listed(
    {
      "no-schema": {
        flags: ["bad-schema"],
        check: (server) => assert.deepEqual(server.tools[1]?.inputSchema, { type: "object" }),
      },
      "text-schema": {
        flags: ["bad-schema"],
        check: (server) => assert.deepEqual(server.tools[1]?.inputSchema, { type: "object" }),
      },
      "bad-output-schema": { flags: ["bad-schema"], check: hasNoOutputSchema },
      "dangling-ref": { flags: ["bad-reference"], check: hasNoOutputSchema },
      "cyclic-ref": {},
      "external-ref": { flags: ["bad-reference"] },
    },
    "http://127.0.0.1:9/schema.json",
  ),
);

function hasNoOutputSchema(server: { tools: { outputSchema?: unknown }[] }): void {
  assert.equal(server.tools[1]?.outputSchema, undefined);
}

test("no process is left of servers that ignore their end, or of what they started", { timeout: 60_000 }, () =>
  listed({
    "ignore-end": {},
    "live-wrapper": {},
    "dead-wrapper": {},
    "crash-wrapper": { failure: "crashed", says: /code 7 during initialize: the reason why/ },
  }),
);
