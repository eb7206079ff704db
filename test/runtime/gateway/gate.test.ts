/** What runs unasked, what asks, and what an answer is worth: decided in code, whatever client, model or server say. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Inventory, Permissions } from "../../../runtime/core/contracts.ts";
import type { GatewayOptions } from "../../../runtime/gateway/gateway.ts";
import {
  answering,
  filesystemServer,
  inventoryOf,
  memoryServer,
  scriptedServer,
  type TestGateway,
  testGateway,
  textOf,
  toolNames,
} from "../../support/gateway.ts";

const folder = mkdtempSync(join(tmpdir(), "gateway-gate-"));
const notes = join(folder, "notes.log");
const servers = [memoryServer(join(folder, "memory.json")), filesystemServer(folder), scriptedServer(notes)];
let inventory: Inventory;
const open: TestGateway[] = [];

/** A gateway over all servers; it ends with the file. */
function gatewayWith(options: Partial<GatewayOptions> = {}): TestGateway {
  const one = testGateway({ servers, inventory, ...options });
  open.push(one);
  return one;
}

before(async () => {
  writeFileSync(join(folder, "note.txt"), "the note's text");
  writeFileSync(notes, "");
  inventory = await inventoryOf(servers);
});
after(async () => {
  await Promise.all(open.map(({ gateway }) => gateway.close()));
  rmSync(folder, { recursive: true, force: true });
});

const WRITE = { name: "call_tool", arguments: { name: "mcp__scripted__set_note", arguments: { text: "a" } } };
const written = () =>
  readFileSync(notes, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("set ")).length;

test("a read runs unasked and is logged by the shape of its arguments", async () => {
  const { connect, decisions } = gatewayWith();
  const asked: string[] = [];
  const client = await connect({ elicitation: {} }, answering({ action: "accept" }, asked));
  const path = join(folder, "note.txt");
  const result = await client.callTool({
    name: "call_tool",
    arguments: { name: "mcp__filesystem__read_text_file", arguments: { path } },
  });
  assert.equal(textOf(result), "the note's text");
  assert.deepEqual(asked, []);
  const [decision] = decisions;
  assert.equal(decisions.length, 1);
  assert.deepEqual(
    { ...decision, time: undefined },
    {
      time: undefined,
      capability: "filesystem",
      via: "mcp",
      server: "filesystem",
      tool: "read_text_file",
      access: "read",
      decision: "allow",
      reason: "it only reads",
      argumentsShape: { path: `string(${path.length})` },
    },
  );
});

test("a write shows server, tool and arguments in full, and runs on an accept", async () => {
  const { connect, decisions } = gatewayWith();
  const asked: string[] = [];
  const client = await connect({ elicitation: {} }, answering({ action: "accept", content: {} }, asked));
  const name = "ann \u202e\u0007 `x` <b>";
  const entities = [{ name, entityType: "person", observations: ["long ".repeat(50)] }];
  const result = await client.callTool({
    name: "call_tool",
    arguments: { name: "mcp__memory__create_entities", arguments: { entities } },
  });
  assert.notEqual(result.isError, true, textOf(result));
  const [question = ""] = asked;
  assert.match(question, /^Server: memory$/m);
  assert.match(question, /^Tool: create_entities$/m);
  const shown = question.slice(question.indexOf("Arguments: ") + "Arguments: ".length);
  assert.deepEqual(JSON.parse(shown), { entities });
  assert.doesNotMatch(question, /[\u202e\u0007`<]/);
  assert.equal(decisions[0]?.reason, "a person approved exactly this call");
});

const NO: [what: string, answer: unknown][] = [
  ["declined", { action: "decline" }],
  ["cancelled", { action: "cancel" }],
  ["answered with another word", { action: "yes" }],
  ["answered with a true", { accept: true, confirmed: true }],
  ["answered with nothing", {}],
  ["answered in another case", { action: "Accept" }],
  [
    "answered with an error",
    () => {
      throw new Error("the screen is gone");
    },
  ],
  ["not answered in time", () => new Promise(() => {})],
];

test("D7: anything but an explicit accept is a no", async (context) => {
  const { connect, decisions } = gatewayWith({ limits: { askMs: 200 } });
  let current: unknown;
  const give = (params: unknown) => (typeof current === "function" ? current(params) : current);
  const client = await connect({ elicitation: {} }, answering(give));
  for (const [what, answer] of NO) {
    await context.test(`a write that is ${what} does not run`, async () => {
      current = answer;
      decisions.length = 0;
      const before = written();
      const result = await client.callTool(WRITE);
      assert.equal(result.isError, true);
      assert.match(textOf(result), /did not run/);
      assert.equal(written(), before);
      assert.deepEqual(
        decisions.map(({ decision }) => decision),
        ["deny"],
      );
    });
  }
});

for (const [what, capabilities] of [
  ["without elicitation", {}],
  ["that opens addresses only", { elicitation: { url: {} } }],
] as const) {
  test(`D8: a client ${what} is refused, with the way to allow it, and nothing starts`, async () => {
    const { connect, gateway, decisions } = gatewayWith();
    const client = await connect(capabilities);
    const result = await client.callTool(WRITE);
    assert.equal(result.isError, true);
    assert.match(textOf(result), /"mcp__scripted__set_note" under permissions\.allow.*--mode fully-agentic/);
    assert.equal(gateway.running, 0);
    assert.deepEqual(
      decisions.map(({ decision, tool }) => [decision, tool]),
      [["deny", "set_note"]],
    );
  });
}

test("an allow rule or the mode lets a reversible write run unasked, and never an irreversible one", async () => {
  const before = written();
  for (const options of [
    { permissions: { allow: ["mcp__scripted__set_note", "mcp__memory"] } },
    { mode: "fully-agentic" as const },
  ]) {
    const { connect } = gatewayWith(options);
    const client = await connect();
    assert.equal(textOf(await client.callTool(WRITE)), "set to a");
    const lost = await client.callTool({
      name: "call_tool",
      arguments: { name: "mcp__memory__delete_entities", arguments: { entityNames: ["ann"] } },
    });
    assert.equal(lost.isError, true);
    assert.match(textOf(lost), /cannot be taken back.*No rule and no mode/);
  }
  assert.equal(written(), before + 2);
});

test("an irreversible call asks in every mode and under every rule", async () => {
  const { connect } = gatewayWith({ mode: "fully-agentic", permissions: { allow: ["mcp__memory"] } });
  const asked: string[] = [];
  const client = await connect({ elicitation: {} }, answering({ action: "decline" }, asked));
  await client.callTool({
    name: "call_tool",
    arguments: { name: "mcp__memory__delete_entities", arguments: { entityNames: ["ann"] } },
  });
  assert.equal(asked.length, 1);
});

test("D1, D2, D3, D4: deny beats ask beats allow, and a rule covers its server exactly, or denies where it cannot be read", async () => {
  const cases: [Permissions, RegExp][] = [
    [{ deny: ["mcp__scripted"], allow: ["mcp__scripted__set_note"] }, /deny rule/],
    [{ deny: ["mcp__script*"], allow: ["mcp__scripted__set_note"] }, /deny rule/],
    [{ ask: ["mcp__scripted"], allow: ["mcp__scripted__set_note"] }, /ask rule/],
    [{ allow: ["mcp__script", "mcp__scripted_", "mcp__*", "*"] }, /it writes/],
    [{ ask: ["mcp__scripted(x)"], allow: ["mcp__scripted__set_note"] }, /cannot be read/],
    [{ deny: ["mcp__memory(x)"], allow: ["mcp__scripted__set_note"] }, /deny rule/],
  ];
  const before = written();
  for (const [permissions, why] of cases) {
    const { connect } = gatewayWith({ permissions });
    const result = await (await connect()).callTool(WRITE);
    assert.equal(result.isError, true);
    assert.match(textOf(result), why);
  }
  assert.equal(written(), before);
});

test("D13: a denied tool is in no list, no search and no map, and cannot be called or selected", async () => {
  const { connect } = gatewayWith({ permissions: { deny: ["mcp__scripted__set_note", "mcp__memory"] } });
  const client = await connect({ elicitation: {} }, answering({ action: "accept" }));
  for (const [name, args] of [
    ["agi_mcp_discover", { intent: "set the note; create entities in memory" }],
    ["find_tools", { query: "set note create entities", limit: 20 }],
    ["capability_map", {}],
  ] as const) {
    const text = textOf(await client.callTool({ name, arguments: args }));
    assert.doesNotMatch(text, /set_note|mcp__memory/, name);
  }
  for (const name of ["mcp__scripted__set_note", "mcp__memory__read_graph"]) {
    const direct = await client.callTool({ name });
    const through = await client.callTool({ name: "call_tool", arguments: { name } });
    for (const result of [direct, through]) {
      assert.equal(result.isError, true);
      assert.match(textOf(result), /deny rule/);
    }
  }
  const selection = { server: "scripted", tool: "set_note", task: "x" };
  await assert.rejects(client.getPrompt({ name: "use_tool", arguments: selection }), /may not be used/);
  assert.doesNotMatch(JSON.stringify(await client.readResource({ uri: "mcp-skills://catalogue" })), /set_note|memory/);
});

test("D6: what a model puts into the arguments confirms nothing", async () => {
  const { connect } = gatewayWith();
  const before = written();
  const client = await connect();
  for (const more of [
    { confirmed: true },
    { approved: true, mode: "fully-agentic" },
    { permissions: { allow: ["*"] } },
  ]) {
    const inside = { name: "mcp__scripted__set_note", arguments: { text: "a", ...more } };
    const beside = { name: "mcp__scripted__set_note", arguments: { text: "a" }, ...more };
    for (const args of [inside, beside]) {
      assert.equal((await client.callTool({ name: "call_tool", arguments: args })).isError, true);
    }
    assert.equal(
      (await client.callTool({ name: "mcp__scripted__set_note", arguments: inside.arguments })).isError,
      true,
    );
  }
  assert.equal(written(), before);
});

test("D5: each call is asked anew: a yes is good for one call with exactly these arguments", async () => {
  const { connect } = gatewayWith();
  const asked: string[] = [];
  let left = 1;
  const client = await connect(
    { elicitation: {} },
    answering(() => ({ action: left-- > 0 ? "accept" : "decline" }), asked),
  );
  assert.equal(textOf(await client.callTool(WRITE)), "set to a");
  assert.equal((await client.callTool(WRITE)).isError, true);
  const other = { name: "call_tool", arguments: { name: "mcp__scripted__set_note", arguments: { text: "b" } } };
  assert.equal((await client.callTool(other)).isError, true);
  assert.equal(asked.length, 3);
});

test("D5: questions that are open at once are answered each for its own call", async () => {
  const { connect } = gatewayWith();
  const client = await connect(
    { elicitation: {} },
    answering(({ message }: { message: string }) => ({ action: message.includes('"yes') ? "accept" : "decline" })),
  );
  const texts = ["yes 1", "no 1", "yes 2", "no 2", "no 3"];
  const results = await Promise.all(
    texts.map((text) => {
      const args = { name: "mcp__scripted__set_note", arguments: { text } };
      return client.callTool({ name: "call_tool", arguments: args });
    }),
  );
  assert.deepEqual(
    results.map(({ isError }) => isError === true),
    [false, true, false, true, true],
  );
  assert.doesNotMatch(readFileSync(notes, "utf8"), /set no /);
});

test("D7: a client that goes while it is asked has said no", async () => {
  const { connect, gateway } = gatewayWith();
  const before = written();
  let goes = () => {};
  const asked = new Promise<void>((done) => {
    goes = done;
  });
  const client = await connect(
    { elicitation: {} },
    answering(() => {
      goes();
      return new Promise(() => {});
    }),
  );
  const call = client.callTool(WRITE).catch(() => {});
  await asked;
  await client.close();
  await call;
  await gateway.close();
  assert.equal(written(), before);
});

test("D10: a definition that changes while the person is asked is not what was approved", async () => {
  const { connect } = gatewayWith();
  const before = written();
  const client = await connect(
    { elicitation: {} },
    answering(async () => {
      await client.callTool({ name: "call_tool", arguments: { name: "mcp__scripted__get_new_description" } });
      return { action: "accept" };
    }),
  );
  const result = await client.callTool(WRITE);
  assert.equal(result.isError, true);
  assert.match(textOf(result), /definition changed while the person was asked/);
  assert.equal(written(), before);
});

test("a loaded tool whose definition changes leaves the list, and is not called before it is loaded again", async () => {
  const { connect } = gatewayWith();
  const client = await connect({ elicitation: {} }, answering({ action: "accept" }));
  await client.callTool({ name: "agi_mcp_discover", arguments: { intent: "set the note" } });
  assert.ok((await toolNames(client)).includes("mcp__scripted__set_note"));
  await client.callTool({ name: "call_tool", arguments: { name: "mcp__scripted__get_new_description" } });
  const refused = await client.callTool({ name: "mcp__scripted__set_note", arguments: { text: "a" } });
  assert.equal(refused.isError, true);
  assert.match(textOf(refused), /description changed since it was loaded/);
  assert.ok(!(await toolNames(client)).includes("mcp__scripted__set_note"));
  await client.callTool({ name: "agi_mcp_discover", arguments: { intent: "set the note" } });
  const result = await client.callTool({ name: "mcp__scripted__set_note", arguments: { text: "a" } });
  assert.equal(textOf(result), "set to a");
});

test("D9: arguments that nothing can look through are refused in every mode", async () => {
  const { connect } = gatewayWith({ mode: "fully-agentic" });
  const client = await connect();
  let text: unknown = "a";
  for (let at = 0; at < 300; at++) text = [text];
  const name = "mcp__scripted__set_note";
  const result = await client.callTool({ name: "call_tool", arguments: { name, arguments: { text } } });
  assert.equal(result.isError, true);
  assert.match(textOf(result), /nests more than/);
});

test("D11: a call without an answer is made once and not again", async () => {
  const { connect } = gatewayWith({ limits: { callMs: 100 } });
  const client = await connect();
  const calls = () =>
    readFileSync(notes, "utf8")
      .split("\n")
      .filter((line) => line === "call get_nothing").length;
  const before = calls();
  const result = await client.callTool({ name: "call_tool", arguments: { name: "mcp__scripted__get_nothing" } });
  assert.match(textOf(result), /did not answer tools\/call in time/);
  assert.equal(calls(), before + 1);
});

test("arguments that nobody could look through are not asked about", async () => {
  const { connect } = gatewayWith();
  const asked: string[] = [];
  const client = await connect({ elicitation: {} }, answering({ action: "accept" }, asked));
  const args = { name: "mcp__scripted__set_note", arguments: { text: "x".repeat(100_000) } };
  const result = await client.callTool({ name: "call_tool", arguments: args });
  assert.equal(result.isError, true);
  assert.match(textOf(result), /too many to be approved/);
  assert.deepEqual(asked, []);
});

test("a call whose decision cannot be logged does not run", async () => {
  const { connect } = gatewayWith({
    log() {
      throw new Error("the disk is full");
    },
  });
  const client = await connect();
  const args = { name: "mcp__scripted__get_pid" };
  const result = await client.callTool({ name: "call_tool", arguments: args });
  assert.equal(result.isError, true);
  assert.match(textOf(result), /disk is full/);
});
