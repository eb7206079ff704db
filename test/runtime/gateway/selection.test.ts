/** A person's selection as MCP prompts, and what a client can read. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { parseResults } from "../../../runtime/core/results-fence.ts";
import { loadSkills } from "../../../runtime/core/skill.ts";
import { ROOT } from "../../support/cli.ts";
import { testGateway, toolNames } from "../../support/gateway.ts";
import { failedServer, inventory, server } from "../../support/inventories.ts";

const SERVERS = inventory(
  server("tracker", [
    { name: "list_issues", description: "List issues" },
    { name: "create_issue", description: "Create an issue" },
    { name: "close_issue", description: "Close an issue" },
    { name: "list_labels", description: "List labels" },
    { name: "list_boards", description: "List boards" },
    { name: "list_sprints", description: "List sprints of a board" },
  ]),
  server("two words", ["get_it"]),
  failedServer("dead", "auth"),
);

function connect(options = {}) {
  return testGateway({ inventory: SERVERS, ...options }).connect();
}

async function promptText(client: Client, name: string, args: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: args });
  const [message] = messages;
  assert.equal(messages.length, 1);
  assert.equal(message?.role, "user");
  return (message?.content as { text: string } | undefined)?.text ?? "";
}

test("use_tool makes exactly one tool available, and gives the instruction with the task", async () => {
  let told = 0;
  const client = await testGateway({ inventory: SERVERS }).connect({}, (one) =>
    one.setNotificationHandler(ToolListChangedNotificationSchema, () => void told++),
  );
  const { prompts } = await client.listPrompts();
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ["use_server", "use_tool"],
  );
  const text = await promptText(client, "use_tool", { server: "tracker", tool: "list_issues", task: "Show mine" });
  assert.match(text, /^For this message the user made available: "mcp__tracker__list_issues"\./);
  assert.match(text, /In your tool list now: mcp__tracker__list_issues\./);
  assert.match(text, /Show mine$/);
  assert.deepEqual((await toolNames(client)).slice(4), ["mcp__tracker__list_issues"]);
  assert.equal(told, 1);
});

test("use_server shows as many of its tools as there is room, those of the task first, and names the others", async () => {
  const client = await connect();
  const text = await promptText(client, "use_server", { server: "tracker", task: "show the sprints of my board" });
  const shown = (await toolNames(client)).slice(4);
  assert.equal(shown.length, 4);
  assert.ok(shown.includes("mcp__tracker__list_sprints") && shown.includes("mcp__tracker__list_boards"));
  assert.match(text, /For call_tool, since the list is full: mcp__tracker__\w+, mcp__tracker__\w+\./);
});

test("a server's name is taken as it is, also where a token has to encode it", async () => {
  const client = await connect();
  assert.match(await promptText(client, "use_server", { server: "two words", task: "x" }), /"two words"/);
});

const REJECTED: [what: string, name: string, args: Record<string, string>, code: string, sentence: RegExp][] = [
  [
    "a server that is not there",
    "use_server",
    { server: "x", task: "a" },
    "unknown-server",
    /There is no MCP server "x"/,
  ],
  [
    "a tool that is not there",
    "use_tool",
    { server: "tracker", tool: "x", task: "a" },
    "unknown-tool",
    /has no tool "x"/,
  ],
  ["a server that is not ready", "use_server", { server: "dead", task: "a" }, "not-ready", /wants a login; log in/],
  ["no task", "use_server", { server: "tracker", task: " " }, "empty-task", /write what to do/],
  [
    "a name of another case",
    "use_server",
    { server: "Tracker", task: "a" },
    "unknown-server",
    /no MCP server "Tracker"/,
  ],
  ["no name", "use_server", { task: "a" }, "malformed", /No selection can name ""/],
  ["a name with a control", "use_server", { server: "a\u0000b", task: "a" }, "malformed", /No selection can name/],
  [
    "a task that selects what is not there",
    "use_server",
    { server: "tracker", task: "/mcp:x y" },
    "unknown-server",
    /"x"/,
  ],
];

for (const [what, name, args, code, sentence] of REJECTED) {
  test(`${what} is an error with the typed sentence, and nothing is loaded`, async () => {
    const client = await connect();
    await assert.rejects(client.getPrompt({ name, arguments: args }), (error: Error & { data?: { code?: string } }) => {
      assert.equal(error.data?.code, code);
      assert.match(error.message, sentence);
      return true;
    });
    assert.equal((await toolNames(client)).length, 4);
  });
}

test("arguments complete: servers, and the tools of the server that was given", async () => {
  const client = await connect({ permissions: { deny: ["mcp__tracker__close_issue"] } });
  const complete = async (prompt: string, name: string, value: string, given?: Record<string, string>) => {
    const ref = { type: "ref/prompt" as const, name: prompt };
    const context = given === undefined ? {} : { context: { arguments: given } };
    return (await client.complete({ ref, argument: { name, value }, ...context })).completion.values;
  };
  assert.deepEqual(await complete("use_server", "server", ""), ["tracker", "two words"]);
  assert.deepEqual(await complete("use_server", "server", "two"), ["two words"]);
  assert.deepEqual(await complete("use_tool", "tool", "issue", { server: "tracker" }), ["list_issues", "create_issue"]);
  assert.deepEqual(await complete("use_tool", "tool", "", { server: "two words" }), ["get_it"]);
  assert.deepEqual(await complete("use_server", "task", "x"), []);
  assert.deepEqual(await complete("other", "server", "t"), []);
});

test("the pack's skills are resources, word for word", async () => {
  const { skills } = await loadSkills(`${ROOT}skills`);
  const client = await connect({ skills: async () => skills });
  const { resources } = await client.listResources();
  const uris = resources.map(({ uri }) => uri);
  assert.deepEqual(uris, [
    ...skills.map(({ name }) => `skill://${name}/SKILL.md`),
    "mcp-skills://catalogue",
    "mcp-skills://report",
  ]);
  const uri = "skill://using-mcp/SKILL.md";
  const [content] = (await client.readResource({ uri })).contents as { text: string }[];
  assert.equal(content?.text, readFileSync(`${ROOT}skills/using-mcp/SKILL.md`, "utf8"));
  for (const other of ["skill://../SKILL.md", "skill://using-mcp/../using-mcp/SKILL.md", "file:///etc/passwd"]) {
    await assert.rejects(client.readResource({ uri: other }), { code: -32002 });
  }
});

test("the catalogue holds what can be selected and nothing of its definition", async () => {
  const client = await connect();
  const [content] = (await client.readResource({ uri: "mcp-skills://catalogue" })).contents as { text: string }[];
  const entries = JSON.parse(content?.text ?? "") as Record<string, string>[];
  assert.equal(entries.length, 9);
  assert.deepEqual(entries[1], {
    kind: "mcp",
    command: "/mcp:tracker:close_issue",
    mcpServerId: "tracker",
    mcpToolName: "mcp__tracker__close_issue",
    title: "tracker: close_issue",
  });
});

test("the report reads back strictly and says what the session used", async () => {
  const client = await connect();
  await client.callTool({ name: "agi_mcp_discover", arguments: { intent: "list issues" } });
  await client.callTool({ name: "call_tool", arguments: { name: "mcp__tracker__list_issues" } });
  const [content] = (await client.readResource({ uri: "mcp-skills://report" })).contents as { text: string }[];
  const { payload, handoff } = parseResults(content?.text ?? "");
  assert.equal(payload.query.intent, "list issues");
  // Nothing is configured under that name, so the call failed.
  assert.equal(payload.query.tool, "tracker/list_issues");
  assert.equal(payload.query.available, false);
  assert.ok(payload.mcps_detected.every(({ used }) => !used));
  assert.equal(handoff.task, "mcp-query");
});
