/** Servers behind the gateway: started, shared, stopped and started again, and everything they say on its way to the client. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { Inventory } from "../../../runtime/core/contracts.ts";
import type { GatewayOptions } from "../../../runtime/gateway/gateway.ts";
import type { Clock } from "../../../runtime/gateway/limits.ts";
import {
  everything,
  faultServer,
  inventoryOf,
  MARK,
  scriptedServer,
  type TestGateway,
  testGateway,
  textOf,
} from "../../support/gateway.ts";
import { isRunning } from "../../support/processes.ts";

const folder = mkdtempSync(join(tmpdir(), "gateway-downstream-"));
const notes = join(folder, "notes.log");
const servers = [everything, scriptedServer(notes), scriptedServer("", "second")];
let inventory: Inventory;
const open: TestGateway[] = [];

function gatewayWith(options: Partial<GatewayOptions> = {}): TestGateway {
  const one = testGateway({ servers, inventory, mode: "fully-agentic", ...options });
  open.push(one);
  return one;
}

before(async () => {
  writeFileSync(notes, "");
  inventory = await inventoryOf(servers);
});
after(async () => {
  await Promise.all(open.map(({ gateway }) => gateway.close()));
  rmSync(folder, { recursive: true, force: true });
});

type Options = Parameters<Client["callTool"]>[2];

function call(client: Client, name: string, args: Record<string, unknown> = {}, options: Options = {}) {
  return client.callTool({ name: "call_tool", arguments: { name, arguments: args } }, undefined, options);
}

const pidOf = async (client: Client, server = "scripted") =>
  Number(textOf(await call(client, `mcp__${server}__get_pid`)));

/** A clock that stands still until it is moved. */
function handClock(): Clock & { move(ms: number): void } {
  let now = 1_000_000;
  let waiting: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      const entry = { at: now + ms, run };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((one) => one !== entry);
      };
    },
    move(ms) {
      now += ms;
      const due = waiting.filter(({ at }) => at <= now);
      waiting = waiting.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
  };
}

/** Waits for what another process does; the test's own limit ends it. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((next) => setImmediate(next));
}

test("a server starts with its first call, is shared by sessions that it cannot ask, and stops when idle", async () => {
  const clock = handClock();
  const { connect, gateway } = gatewayWith({ clock });
  const [first, second] = [await connect(), await connect()];
  await first.callTool({ name: "agi_mcp_discover", arguments: { intent: "echo a message" } });
  assert.equal(gateway.running, 0);
  const pid = await pidOf(first);
  assert.equal(gateway.running, 1);
  assert.equal(await pidOf(second), pid);
  clock.move(299_000);
  assert.equal(await pidOf(first), pid, "a call starts the wait anew");
  clock.move(299_000);
  assert.equal(gateway.running, 1);
  clock.move(1_000);
  await until(() => !isRunning(pid));
  assert.equal(gateway.running, 0);
  assert.notEqual(await pidOf(first), pid);
});

test("a session whose client answers requests has servers of its own, and they end with it", async () => {
  const { connect, gateway } = gatewayWith();
  const plain = await connect();
  const asking = await connect({ roots: {} }, (client) =>
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] })),
  );
  const [shared, own] = [await pidOf(plain), await pidOf(asking)];
  assert.notEqual(shared, own);
  await asking.close();
  await until(() => !isRunning(own));
  await until(() => gateway.sessions === 1);
  assert.ok(isRunning(shared));
  await gateway.close();
  assert.ok(!isRunning(shared));
});

test("a server can be shared or isolated by name, whatever the client answers", async () => {
  const { connect } = gatewayWith({ isolate: ["scripted"], share: ["second"] });
  const clients = [await connect(), await connect(), await connect({ elicitation: {} })] as const;
  const isolated = await Promise.all(clients.map((client) => pidOf(client)));
  assert.equal(new Set(isolated).size, 3);
  const shared = await Promise.all(clients.map((client) => pidOf(client, "second")));
  assert.equal(new Set(shared).size, 1);
});

test("so many servers run at once and no more: the one that is idle longest makes room", async () => {
  const { connect, gateway } = gatewayWith({ limits: { connections: 1 } });
  const client = await connect();
  const pid = await pidOf(client);
  await pidOf(client, "second");
  await until(() => !isRunning(pid));
  assert.equal(gateway.running, 1);
  const stop = new AbortController();
  const waiting = call(client, "mcp__second__get_nothing", {}, { signal: stop.signal });
  const refused = await call(client, "mcp__scripted__get_pid");
  assert.match(textOf(refused), /1 servers run already/);
  stop.abort();
  await assert.rejects(waiting);
});

test("a crash costs only its own calls, tells no secret and no place, and the next call starts the server again", async () => {
  const { connect } = gatewayWith();
  const [client, other] = [await connect(), await connect()];
  const pid = await pidOf(client);
  const beside = call(client, "mcp__second__get_pid");
  const elsewhere = call(other, "mcp__everything__echo", { message: "still here" });
  const crashed = await call(client, "mcp__scripted__get_crash");
  assert.equal(crashed.isError, true);
  assert.match(textOf(crashed), /exited with code 7/);
  assert.doesNotMatch(textOf(crashed), new RegExp(`${MARK}|/home`));
  assert.ok(Number(textOf(await beside)) > 0);
  assert.equal(textOf(await elsewhere), "Echo: still here");
  assert.notEqual(await pidOf(client), pid);
});

test("a server that was killed from outside is started again by the next call", async () => {
  const { connect } = gatewayWith();
  const client = await connect();
  const pid = await pidOf(client);
  process.kill(pid, "SIGKILL");
  await until(() => !isRunning(pid));
  // The call that finds it gone may fail; the one after it starts it.
  await call(client, "mcp__scripted__get_pid");
  assert.ok((await pidOf(client)) !== pid);
});

test("a server that fails again and again is started after growing pauses", async () => {
  const clock = handClock();
  const bad = faultServer("crash-initialize");
  const { connect } = gatewayWith({
    clock,
    servers: [bad],
    inventory: {
      servers: [
        { name: "fault", state: "ready", tools: [{ server: "fault", name: "get_first" }], flags: [], origins: [] },
      ],
      problems: [],
    },
  });
  const client = await connect();
  const attempt = async () => textOf(await call(client, "mcp__fault__get_first"));
  assert.match(await attempt(), /exited with code 7 during initialize: the reason why/);
  assert.match(await attempt(), /exited with code 7/, "the first crash is followed by a start at once");
  assert.match(await attempt(), /failed 2 times in a row; it may start again in 1 s/);
  clock.move(1000);
  assert.match(await attempt(), /exited with code 7/);
  assert.match(await attempt(), /failed 3 times in a row; it may start again in 2 s/);
  for (let failures = 3; failures < 8; failures++) {
    clock.move(60_000);
    assert.match(await attempt(), /exited with code 7/);
  }
  assert.match(await attempt(), /again in 60 s/);
});

test("errors and failures of a server tell no secret of its configuration and no place on this machine", async () => {
  const { connect } = gatewayWith();
  const client = await connect();
  const error = await call(client, "mcp__scripted__get_error");
  assert.equal(error.isError, true);
  assert.match(textOf(error), /The token \[redacted\] is refused/);
  const failure = await call(client, "mcp__scripted__get_failure");
  assert.equal(failure.isError, true);
  assert.match(textOf(failure), /No such file: …\/notes\.db for \[redacted\]/);
});

test("a result over the cap is cut and says so", async () => {
  const { connect } = gatewayWith({ limits: { resultBytes: 4000 } });
  const client = await connect();
  const large = textOf(await call(client, "mcp__scripted__get_large", { size: 5000 }));
  assert.match(large, /^(😀)+\n\[gateway\] The result was larger than 4000 bytes and is cut/u);
  await client.callTool({ name: "agi_mcp_discover", arguments: { intent: "get large number" } });
  const name = "mcp__scripted__get_large_number";
  const { tools } = await client.listTools();
  assert.ok(tools.find((tool) => tool.name === name)?.outputSchema);
  const fits = await client.callTool({ name, arguments: { size: 10 } });
  assert.deepEqual(fits.structuredContent, { size: 10, padding: "x".repeat(10) });
  // The client holds a result against the output schema; without its structured content it is an error that says why.
  const over = await client.callTool({ name, arguments: { size: 9000 } });
  assert.equal(over.isError, true);
  assert.match(textOf(over), /structured content was larger than 4000 bytes/);
});

test("structured results pass through", async () => {
  const { connect } = gatewayWith();
  const client = await connect();
  const result = await call(client, "mcp__everything__get-structured-content", { location: "New York" });
  assert.equal(typeof (result.structuredContent as { temperature?: unknown }).temperature, "number");
});

test("progress passes through under the client's token, and log messages at the client's level", async () => {
  const { connect } = gatewayWith();
  const logged: unknown[] = [];
  const client = await connect({}, (one) =>
    one.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params)),
  );
  const told: unknown[] = [];
  await call(client, "mcp__scripted__get_step", {}, { onprogress: (progress) => void told.push(progress) });
  assert.deepEqual(told, [{ progress: 1, total: 2, message: "half" }]);
  assert.deepEqual(logged, [{ level: "warning", logger: "scripted/steps", data: "a step" }]);
  await client.setLoggingLevel("error");
  await call(client, "mcp__scripted__get_step");
  assert.equal(logged.length, 1);
});

test("a shared server's log messages reach nobody once several sessions have used it", async () => {
  const { connect } = gatewayWith();
  const logged: string[] = [];
  const hears = (name: string) => (one: Client) =>
    one.setNotificationHandler(LoggingMessageNotificationSchema, () => void logged.push(name));
  const [first, second] = [await connect({}, hears("first")), await connect({}, hears("second"))];
  await call(first, "mcp__scripted__get_step");
  assert.deepEqual(logged, ["first"]);
  await call(second, "mcp__scripted__get_step");
  await call(first, "mcp__scripted__get_step");
  assert.deepEqual(logged, ["first"]);
});

test("a subscriber of the report hears of every call", async () => {
  const { connect } = gatewayWith();
  let heard = 0;
  const client = await connect({}, (one) =>
    one.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
      if (params.uri === "mcp-skills://report") heard++;
    }),
  );
  await client.subscribeResource({ uri: "mcp-skills://report" });
  await pidOf(client);
  assert.equal(heard, 1);
  const { contents } = await client.readResource({ uri: "mcp-skills://report" });
  assert.match(JSON.stringify(contents), /called get_pid/);
});

test("a resource that a result linked to can be read, and no other", async () => {
  const { connect, decisions } = gatewayWith();
  const client = await connect();
  const result = await call(client, "mcp__everything__get-resource-links", { count: 2 });
  const uris = (result.content as { type: string; uri: string }[]).flatMap(({ type, uri }) =>
    type === "resource_link" ? uri : [],
  );
  assert.equal(uris.length, 2);
  const { contents } = await client.readResource({ uri: uris[0] ?? "" });
  assert.deepEqual(
    contents.map((part) => part.uri),
    uris.slice(0, 1),
  );
  assert.deepEqual(
    decisions.map(({ tool, access, decision }) => [tool, access, decision]),
    [
      ["get-resource-links", "read", "allow"],
      ["resources/read", "read", "allow"],
    ],
  );
  const other = (uris[0] ?? "").replace(/\d+$/, "77");
  await assert.rejects(client.readResource({ uri: other }), { code: -32002 });
  const stranger = await connect();
  await assert.rejects(stranger.readResource({ uri: uris[0] ?? "" }), { code: -32002 });
});

test("a cancelled call is cancelled at the server", async () => {
  const { connect } = gatewayWith();
  const client = await connect();
  const stop = new AbortController();
  const said = () => readFileSync(notes, "utf8");
  const waiting = call(client, "mcp__scripted__get_nothing", {}, { signal: stop.signal });
  await until(() => said().includes("waiting"));
  stop.abort(new Error("no longer wanted"));
  await assert.rejects(waiting);
  await until(() => said().includes("cancelled"));
});

test("a call without an answer ends at its limit, and the server serves on", async () => {
  const { connect } = gatewayWith({ limits: { callMs: 100 } });
  const client = await connect();
  const pid = await pidOf(client);
  const late = await call(client, "mcp__scripted__get_nothing");
  assert.match(textOf(late), /did not answer tools\/call in time/);
  assert.equal(await pidOf(client), pid);
});

test("tools that a server adds are found and called, and those it takes away are gone", async () => {
  const { connect } = gatewayWith();
  const client = await connect();
  const find = async () => textOf(await client.callTool({ name: "find_tools", arguments: { query: "extra" } }));
  assert.doesNotMatch(await find(), /get_extra/);
  await call(client, "mcp__scripted__get_more_tools");
  assert.equal(textOf(await call(client, "mcp__scripted__get_extra")), "extra");
  assert.match(await find(), /get_extra/);
});

test("sampling, elicitation and roots reach the client whose call it is, and no other", async () => {
  const { connect } = gatewayWith();
  const asked: Record<string, string[]> = { first: [], second: [] };
  const roots = (name: string) => [{ uri: `file:///roots/${name}`, name }];
  const able = (name: string) => (one: Client) => {
    one.setRequestHandler(CreateMessageRequestSchema, () => {
      asked[name]?.push("sampling");
      return { model: "test", role: "assistant", content: { type: "text", text: `sample of ${name}` } };
    });
    one.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked[name]?.push(params.message);
      return { action: "accept", content: { name: `name of ${name}` } };
    });
    one.setRequestHandler(ListRootsRequestSchema, () => ({ roots: roots(name) }));
  };
  const capabilities = { sampling: {}, elicitation: {}, roots: { listChanged: true } };
  const [first, second] = [await connect(capabilities, able("first")), await connect(capabilities, able("second"))];
  const sample = (client: Client) => call(client, "mcp__everything__trigger-sampling-request", { prompt: "p" });
  const [one, two] = await Promise.all([sample(first), sample(second)]);
  assert.match(textOf(one), /sample of first/);
  assert.match(textOf(two), /sample of second/);
  assert.match(textOf(await call(first, "mcp__everything__trigger-elicitation-request")), /name of first/);
  assert.match(textOf(await call(second, "mcp__everything__get-roots-list")), /roots\/second/);
  const questions = (asked.first ?? []).filter((message) => message.startsWith('The MCP server "everything" asks: '));
  assert.equal(questions.length, 1, "a person sees which server asks");
  assert.equal((asked.second ?? []).filter((message) => message !== "sampling").length, 0);
});
