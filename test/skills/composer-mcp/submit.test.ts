/** Submission: what is accepted as it was typed, and every typed rejection. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { CatalogueEntry, Submission } from "../../../runtime/core/contracts.ts";
import { REJECTION_CODES, SubmissionSchema } from "../../../runtime/core/contracts.ts";
import { runHandler } from "../../../runtime/core/handler.ts";
import { catalogue, composerCatalog, composerSubmit, pick, submit } from "../../../skills/composer-mcp/composer-mcp.ts";
import { failedServer, inventory, server } from "../../support/inventories.ts";

const tools = ["list_issues", "create_issue", "delete_repo"];
const entries = catalogue(
  inventory(
    server("github", tools),
    server("docs", ["search", "list_issues"]),
    failedServer("slack", "auth"),
    server("off", ["x"], { state: "disabled" }),
    server("empty", []),
  ),
);

function rejected(outcome: Submission): string {
  SubmissionSchema.parse(outcome);
  assert.ok(!outcome.ok, `accepted: ${JSON.stringify(outcome)}`);
  // A sentence that says what to do: a clause after a semicolon, or a second sentence.
  assert.match(outcome.message, /[;.,] \S+/, outcome.message);
  assert.doesNotMatch(outcome.message, /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
  return outcome.code;
}

function entryOf(list: readonly CatalogueEntry[], command: string): CatalogueEntry {
  const entry = list.find((candidate) => candidate.command === command);
  assert.ok(entry, command);
  return entry;
}

test("a server is selected whole: its id goes on, and no tool of it", () => {
  const outcome = submit({ text: "/mcp:github what is open?" }, entries);
  assert.ok(outcome.ok);
  assert.equal(outcome.command, "/mcp:github what is open?");
  assert.match(outcome.instruction, /"github"/);
  assert.deepEqual(outcome.mcpServerIds, ["github"]);
  assert.equal("mcpToolNames" in outcome, false);
});

test("E12: a tool is selected alone, also where another server has one of the same name", () => {
  const outcome = submit({ text: "what is open? /mcp:github:list_issues" }, entries);
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.mcpServerIds, ["github"]);
  assert.deepEqual(outcome.mcpToolNames, ["mcp__github__list_issues"]);
});

test("several selections stand in one message, each once, in the order of the text", () => {
  const text = "/mcp:docs:search /mcp:github:list_issues compare with\n/mcp:docs:search and /mcp:github:create_issue";
  const outcome = submit({ text }, entries);
  assert.ok(outcome.ok);
  assert.equal(outcome.command, text);
  assert.deepEqual(outcome.mcpServerIds, ["docs", "github"]);
  assert.deepEqual(outcome.mcpToolNames, [
    "mcp__docs__search",
    "mcp__github__list_issues",
    "mcp__github__create_issue",
  ]);
});

test("a tool of a server that is chosen whole does not narrow the server", () => {
  const outcome = submit({ text: "/mcp:github /mcp:github:list_issues /mcp:docs:search go" }, entries);
  assert.ok(outcome.ok);
  assert.deepEqual(outcome.mcpServerIds, ["github", "docs"]);
  assert.deepEqual(outcome.mcpToolNames, ["mcp__docs__search"]);
});

test("a message without a selection passes untouched, whatever it is and wherever it goes", () => {
  for (const text of ["", "hello", "/deploy now", "/mcp", "`/mcp:gone`", "/MCP:github x", "／mcp:github"]) {
    for (const options of [{}, { native: true }, { allowed: [] }]) {
      assert.deepEqual(submit({ text }, entries, options), {
        ok: true,
        command: text,
        instruction: "",
        mcpServerIds: [],
      });
    }
  }
});

for (const [code, text] of [
  ["unknown-server", "/mcp:gitlab x"],
  ["unknown-server", "/mcp:GitHub x"],
  ["unknown-server", "/mcp:..%2F.. x"],
  ["unknown-server", "/mcp:%2Fetc%2Fpasswd x"],
  ["unknown-server", "/mcp:%252e%252e x"],
  ["unknown-server", "/mcp:gitlab:list_issues x"],
  ["unknown-server", "/mcp:github. x"],
  ["unknown-server", "/mcp:__proto__ x"],
  ["unknown-tool", "/mcp:github:LIST_ISSUES x"],
  ["unknown-tool", "/mcp:github:search x"],
  ["unknown-tool", "/mcp:github:constructor x"],
  ["not-ready", "/mcp:slack x"],
  ["not-ready", "/mcp:slack:post x"],
  ["not-ready", "/mcp:off x"],
  ["not-ready", "/mcp:empty x"],
  ["malformed", "/mcp: x"],
  ["malformed", "/mcp:github, x"],
  ["malformed", "/mcp:git%68ub x"],
  ["malformed", "/mcp:a%00b x"],
  ["malformed", "/mcp:%zz x"],
  ["malformed", "/mcp:a:b:c x"],
  ["malformed", "/mcp:github\u200b x"],
  ["empty-task", "/mcp:github"],
  ["empty-task", "  /mcp:github \n /mcp:docs:search \u200b"],
] as const) {
  test(`${code}: ${JSON.stringify(text)}`, () => assert.equal(rejected(submit({ text }, entries)), code));
}

test("all or nothing: one selection that does not hold rejects the message with all of them", () => {
  for (const [text, code] of [
    ["/mcp:github /mcp:gone x", "unknown-server"],
    ["/mcp:gone /mcp:github x", "unknown-server"],
    ["/mcp:github:list_issues /mcp:github:gone x", "unknown-tool"],
    ["/mcp:github x /mcp:slack", "not-ready"],
    ["/mcp:github x /mcp:%", "malformed"],
  ] as const) {
    const outcome = submit({ text }, entries);
    assert.equal(rejected(outcome), code);
    assert.deepEqual(Object.keys(outcome).sort(), ["code", "message", "ok"]);
  }
});

test("an attachment is a task, and is never read", () => {
  assert.equal(submit({ text: "/mcp:github", attachments: [{ text: "/mcp:gone" }] }, entries).ok, true);
  const outcome = submit({ text: "look", attachments: ["/mcp:github do it"] }, entries);
  assert.deepEqual(outcome.ok && outcome.mcpServerIds, []);
});

test("a session that runs natively takes no selection", () => {
  assert.equal(rejected(submit({ text: "/mcp:github x" }, entries, { native: true })), "native-session");
});

test("the mode: a forbidden tool cannot be chosen, a server can while a tool of it is allowed (E11)", () => {
  const mode = "plan";
  const plan = { mode, allowed: ["mcp__github__list_issues"] };
  const outcome = submit({ text: "/mcp:github:delete_repo x" }, entries, plan);
  assert.equal(rejected(outcome), "not-allowed-in-mode");
  assert.match(outcome.ok ? "" : outcome.message, /"plan"/);
  assert.equal(submit({ text: "/mcp:github:list_issues x" }, entries, plan).ok, true);
  assert.equal(submit({ text: "/mcp:github x" }, entries, plan).ok, true);
  assert.equal(rejected(submit({ text: "/mcp:docs x" }, entries, plan)), "not-allowed-in-mode");
});

test("what the mode allows: names, server rules, a set, a function; what is not understood allows nothing", () => {
  const isAllowed = (allowed: unknown, text = "/mcp:github:list_issues x") =>
    submit({ text }, entries, { allowed: allowed as string[] }).ok;
  for (const allowed of [["mcp__github"], ["mcp__github__*"], new Set(["mcp__github__list_issues"])]) {
    assert.equal(isAllowed(allowed), true);
  }
  assert.equal(
    isAllowed((name: string) => name.endsWith("issues")),
    true,
  );
  const nothing = [[], ["github"], ["mcp__git"], ["mcp__*"], ["*"], ["mcp__github_"], 7, null, {}, () => "yes"];
  for (const allowed of nothing) assert.equal(isAllowed(allowed), false, String(allowed));
  const fails = () => {
    throw new Error("no");
  };
  assert.equal(isAllowed(fails), false);
});

test("a rule for one tool never allows the server whose id reads like it", () => {
  const list = catalogue(inventory(server("a__b", ["c"])));
  assert.equal(submit({ text: "/mcp:a__b:c x" }, list, { allowed: ["mcp__a__b"] }).ok, false);
  assert.equal(submit({ text: "/mcp:a__b:c x" }, list, { allowed: ["mcp__a__b__c"] }).ok, true);
});

test("E10: an entry that was taken from an older menu gets no further than what is there now", () => {
  const text = entryOf(entries, "/mcp:github:list_issues").command;
  const now = catalogue(inventory(server("github", ["create_issue"]), server("docs", ["list_issues"])));
  assert.equal(rejected(submit({ text: `${text} x` }, now)), "unknown-tool");
  assert.equal(rejected(submit({ text: `${text} x` }, catalogue(inventory(server("docs", ["x"]))))), "unknown-server");
  assert.equal(
    rejected(submit({ text: `${text} x` }, catalogue(inventory(failedServer("github", "timeout"))))),
    "not-ready",
  );
});

test("E10: what changed since an entry was taken is said", () => {
  const before = { name: "a", title: "A", description: "Reads", inputSchema: { type: "object" } };
  const old = catalogue(inventory(server("s", [before, { name: "b", description: "B" }])));
  const picks = old.map(pick);
  const after = (...now: Parameters<typeof server>[1]) => catalogue(inventory(server("s", now)));
  const outcome = (list: CatalogueEntry[], text: string) => {
    const result = submit({ text, picks }, list);
    return result.ok ? "ok" : `${result.code}: ${result.message}`;
  };
  const b = { name: "b", description: "B" };
  assert.equal(outcome(after(b, { ...before }), "/mcp:s x"), "ok");
  assert.equal(
    outcome(after({ inputSchema: { type: "object" }, description: "Reads", title: "A", name: "a" }, b), "/mcp:s:a x"),
    "ok",
  );
  assert.match(
    outcome(after({ ...before, description: "Deletes" }, b), "/mcp:s:a x"),
    /^changed: .*another description/,
  );
  assert.match(
    outcome(after({ ...before, title: "Z", inputSchema: {}, outputSchema: {}, annotations: {} }, b), "/mcp:s x"),
    /^changed: .*a has another title and input schema and output schema and annotations/,
  );
  assert.match(outcome(after(before, b, "c"), "/mcp:s x"), /^changed: .*c is new/);
  assert.match(outcome(after(before), "/mcp:s x"), /^changed: .*mcp__s__b is gone/);
  assert.match(outcome(after(before, { ...b, name: "c" }), "/mcp:s x"), /^changed: .*mcp__s__b is now c/);
  assert.match(
    outcome(after(b, { ...before, name: "c" }), "/mcp:s:a x"),
    /^changed: .*"a" is gone, and "c" is defined/,
  );
  assert.match(
    outcome(after(before, b, "c"), "/mcp:s:a x"),
    /^ok/,
    "another tool's coming changes nothing for this one",
  );
  const copied = JSON.parse(JSON.stringify(after(before, b))) as CatalogueEntry[];
  assert.match(outcome(copied, "/mcp:s x"), /^changed/, "what cannot be compared has changed");
});

test("a pick survives JSON, and holds neither schema nor description", () => {
  const list = catalogue(
    inventory(server("s", [{ name: "a", description: "Find secret things", inputSchema: { x: 1 } }])),
  );
  const picks = JSON.parse(JSON.stringify(list.map(pick)));
  assert.equal(submit({ text: "/mcp:s:a x", picks }, list).ok, true);
  assert.doesNotMatch(JSON.stringify(picks), /secret|"x"/);
});

test("a definition that nests too deep to compare is never the same", () => {
  let deep: Record<string, unknown> = {};
  for (let depth = 0; depth < 20_000; depth++) deep = { deep };
  const list = catalogue(inventory(server("s", [{ name: "a", inputSchema: deep }])));
  assert.equal(submit({ text: "/mcp:s:a x" }, list).ok, true);
  assert.equal(rejected(submit({ text: "/mcp:s:a x", picks: list.map(pick) }, list)), "changed");
});

test("any message gives one of the two outcomes; accepted, it keeps its text and selects only what is there", () => {
  const part = fc.oneof(
    fc.constantFrom(...entries.map(({ command }) => command), "/mcp:gone", "/mcp:slack", "/mcp:%", '"', "`", "> "),
    fc.string({ unit: "binary", maxLength: 8 }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 8 }),
      fc.constantFrom(" ", "\n", ""),
      fc.boolean(),
      (parts, glue, native) => {
        const text = parts.join(glue);
        const outcome = SubmissionSchema.parse(submit({ text }, entries, { native }));
        if (!outcome.ok) {
          assert.ok(REJECTION_CODES.includes(outcome.code));
          return;
        }
        assert.equal(outcome.command, text);
        assert.ok(!native || outcome.mcpServerIds.length === 0);
        for (const name of outcome.mcpToolNames ?? []) {
          const entry = entries.find(({ mcpToolName }) => mcpToolName === name);
          assert.ok(entry !== undefined && text.includes(entry.command));
          assert.ok(outcome.mcpServerIds.includes(entry.mcpServerId));
        }
        for (const id of outcome.mcpServerIds) assert.ok(text.includes(`/mcp:${id}`));
      },
    ),
    { numRuns: 300 },
  );
});

test("through the handlers: a host that keeps JSON only is told of a change", async () => {
  const before = inventory(server("s", [{ name: "a", description: "Reads" }]));
  const menu = await runHandler(composerCatalog, { inventory: before, filter: "a", limit: 1, pick: ["/mcp:s:a"] });
  assert.deepEqual(commands(menu.entries), ["/mcp:s:a"]);
  const message = { text: "/mcp:s:a x", picks: JSON.parse(JSON.stringify(menu.picks)) };
  assert.equal((await runHandler(composerSubmit, { inventory: before, ...message })).ok, true);
  const after = inventory(server("s", [{ name: "a", description: "Deletes" }]));
  assert.equal((await runHandler(composerSubmit, { inventory: after, ...message })).code, "changed");
  assert.equal((await runHandler(composerSubmit, message, { inventory: before })).ok, true);
  await assert.rejects(runHandler(composerSubmit, message), { code: "invalid-input" });
});

function commands(list: readonly CatalogueEntry[]): string[] {
  return list.map(({ command }) => command);
}
