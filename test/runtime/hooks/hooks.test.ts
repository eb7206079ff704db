/**
 * What each hook answers, from real lists: the public servers `everything` and `filesystem` and a scripted one are listed once
 * into the cache, and the hooks know of them what stands there.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type Dialect, formatAnswer, readPayload } from "../../../runtime/hooks/payload.ts";
import { preToolUse } from "../../../runtime/hooks/pre-tool-use.ts";
import { sessionStart } from "../../../runtime/hooks/session-start.ts";
import { userPromptSubmit } from "../../../runtime/hooks/user-prompt-submit.ts";
import { takeInventory } from "../../../runtime/inventory/inventory.ts";
import { everything, filesystemServer, stdioServer } from "../../support/gateway.ts";

const home = mkdtempSync(join(tmpdir(), "mcp-skills-hooks-"));
const project = join(home, "projé (x)");
const place = { cwd: project, home, env: { XDG_CACHE_HOME: join(home, "cache") }, platform: process.platform };
const log = join(home, "log/decisions.jsonl");
const now = Date.now();
after(() => rmSync(home, { recursive: true, force: true }));

before(async () => {
  mkdirSync(join(project, ".claude"), { recursive: true });
  const scripted = stdioServer("my.notes", ["test/support/scripted-server.mjs"], { MARK: "x", NOTES: "" });
  const servers = [everything, filesystemServer(project), scripted];
  await takeInventory({ servers, problems: [] }, { cache: place });
});

function payload(tool: unknown, args: unknown = {}, dialect: Dialect = "claude") {
  const fields =
    dialect === "copilot"
      ? { sessionId: "s", cwd: project, toolName: tool, toolArgs: args }
      : { session_id: "s", cwd: project, hook_event_name: "PreToolUse", tool_name: tool, tool_input: args };
  return readPayload(JSON.stringify(fields), undefined);
}

const decide = (tool: unknown, args: unknown = {}, more: { mode?: string; dialect?: Dialect } = {}) =>
  preToolUse(payload(tool, args, more.dialect), { place, now, log, mode: more.mode });

async function withSettings<Result>(permissions: object, work: () => Promise<Result>): Promise<Result> {
  const file = join(project, ".claude/settings.json");
  writeFileSync(file, JSON.stringify({ permissions }));
  try {
    return await work();
  } finally {
    rmSync(file);
  }
}

test("a listed read passes, a listed write asks, and what cannot be taken back asks in every mode", async () => {
  assert.equal((await decide("mcp__filesystem__read_text_file", { path: "a" }))?.decision, "allow");
  assert.equal((await decide("mcp__filesystem__write_file", { path: "a", content: "b" }))?.decision, "confirm");
  const mode = "fully-agentic";
  assert.equal((await decide("mcp__filesystem__write_file", { path: "a" }, { mode }))?.decision, "allow");
  assert.equal((await decide("mcp__shop__delete_all_customers", {}, { mode }))?.decision, "confirm");
});

test("a tool that nobody listed is judged by its name alone, and what is not shown to read is a write", async () => {
  assert.equal((await decide("mcp__unknown__list_things"))?.decision, "allow");
  for (const name of ["mcp__unknown__frobnicate", "mcp__unknown__send", "mcp__unknown__get_and_delete"])
    assert.equal((await decide(name))?.decision, "confirm", name);
});

test("the host's own tools are left alone, in each dialect", async () => {
  for (const tool of ["Bash", "Read", "mcp", "WebFetch"]) assert.equal(await decide(tool), null, tool);
  for (const tool of ["bash", "view", "str_replace_editor"])
    assert.equal(await decide(tool, {}, { dialect: "copilot" }), null, tool);
});

test("Copilot's names are taken for MCP tools where their server is known", async () => {
  const copilot = { dialect: "copilot" as const };
  assert.equal((await decide("filesystem-read_text_file", { path: "a" }, copilot))?.decision, "allow");
  assert.equal((await decide("filesystem-write_file", JSON.stringify({ path: "a" }), copilot))?.decision, "confirm");
  assert.equal((await decide("my_notes-anything", {}, copilot))?.decision, "confirm");
});

test("the host's rules hold: a denial denies a read, an allow rule lifts a write's question and no irreversible one", async () => {
  await withSettings({ deny: ["mcp__filesystem__read_text_file"] }, async () => {
    assert.equal((await decide("mcp__filesystem__read_text_file"))?.decision, "deny");
  });
  await withSettings({ allow: ["mcp__filesystem", "mcp__shop"] }, async () => {
    assert.equal((await decide("mcp__filesystem__write_file", { path: "a" }))?.decision, "allow");
    assert.equal((await decide("mcp__shop__delete_all_customers"))?.decision, "confirm");
  });
});

test("rules that cannot be read decide nothing: the caller hears of it and asks", async () => {
  writeFileSync(join(project, ".claude/settings.json"), "{ not json");
  try {
    await assert.rejects(decide("mcp__filesystem__read_text_file"), { code: "bad-settings" });
  } finally {
    rmSync(join(project, ".claude/settings.json"));
  }
});

test("names that cannot be read are an error, never a pass", async () => {
  for (const tool of ["mcp__", "mcp__a", "mcp__a__", "mcp__a__b c", "mcp__a__b\nmcp__c__d", undefined, 7])
    await assert.rejects(decide(tool), TypeError, String(tool));
});

test("each decision is one line of the log, which no argument's value is in", async () => {
  rmSync(log, { force: true });
  await decide("mcp__filesystem__write_file", { path: "hush-1", content: "hush-2", "hush 3": { deep: "hush-4" } });
  await decide("mcp__filesystem__read_text_file", { path: "hush-5" });
  const lines = readFileSync(log, "utf8").trim().split("\n");
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ tool, decision, access }) => [tool, decision, access]),
    [
      ["write_file", "confirm", null],
      ["read_text_file", "allow", "read"],
    ],
  );
  assert.doesNotMatch(lines.join("\n"), /hush/);
});

test("a log that cannot be written is an error: no call runs without its record", async () => {
  writeFileSync(join(home, "file"), "");
  const options = { place, now, log: join(home, "file/decisions.jsonl") };
  await assert.rejects(preToolUse(payload("mcp__filesystem__read_text_file"), options));
});

test("lists that are old, damaged or missing are as none, and the hook still answers", async () => {
  const later = { place, now: now + 2 * 24 * 60 * 60 * 1000, log };
  assert.equal(await sessionStart(later), null);
  const result = await preToolUse(payload("mcp__everything__toggle-simulated-logging"), later);
  assert.equal(result?.decision, "confirm");
  const nowhere = { ...place, env: { XDG_CACHE_HOME: join(home, "nothing") } };
  assert.equal((await preToolUse(payload("mcp__a__list_b"), { place: nowhere, now, log }))?.decision, "allow");
  assert.equal(existsSync(join(home, "nothing")), false);
});

test("a session starts with the capabilities of its servers in a few lines, with reads and writes", async () => {
  const lines = (await sessionStart({ place, now }))?.split("\n") ?? [];
  assert.ok(lines.length >= 2 && lines.length <= 14, lines.join("\n"));
  assert.match(lines.join("\n"), /^- file\S*: .*filesystem \(read, write\)/m);
});

test("a selection becomes context that names exactly what was chosen", async () => {
  const text = "/mcp:filesystem:read_text_file read the notes";
  const answer = await userPromptSubmit(readPayload(JSON.stringify({ prompt: text }), project), { place, now });
  assert.ok(answer !== null && "context" in answer);
  assert.match(answer.context, /mcp__filesystem__read_text_file/);
});

test("a selection that does not hold blocks the prompt with the sentence that says why", async () => {
  for (const [text, why] of [
    ["/mcp:filesystem:no_such_tool do it", /no_such_tool/],
    ["/mcp:nobody do it", /nobody/],
    ["/mcp:filesystem", /task|what/i],
  ] as const) {
    const answer = await userPromptSubmit(readPayload(JSON.stringify({ prompt: text }), project), { place, now });
    assert.ok(answer !== null && "block" in answer, text);
    assert.match(answer.block, why);
  }
});

test("answers stand where each host looks for them", () => {
  const fields = { permissionDecision: "ask", permissionDecisionReason: "r" };
  const nested = { hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } };
  assert.deepEqual(formatAnswer("claude", "PreToolUse", fields), nested);
  assert.deepEqual(formatAnswer("copilot", "PreToolUse", fields), fields);
  assert.deepEqual(formatAnswer("both", "PreToolUse", fields), { ...nested, ...fields });
});

test("a payload that is no JSON object is refused, and its fields are its own", () => {
  for (const text of ["", "null", "[]", "7", "{", '"x"']) {
    assert.throws(() => readPayload(text, undefined), { code: "bad-payload" }, text);
  }
  const { tool, args } = readPayload('{"__proto__":{"tool_name":"mcp__a__get_b"},"tool_input":{"a":1}}', undefined);
  assert.deepEqual([tool, args], [undefined, { a: 1 }]);
  assert.deepEqual(readPayload('\uFEFF{"toolName":"x","toolArgs":"no json"}', undefined).args, { text: "no json" });
});
