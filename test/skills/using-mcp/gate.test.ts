/** One call, one decision: the table of modes, the host's rules, and what nothing may lift. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { runHandler } from "../../../runtime/core/handler.ts";
import {
  askPerson,
  callToApprove,
  createApprovals,
  gate,
  gateCall,
  isDenied,
  joinPermissions,
  permissionProblems,
} from "../../../skills/using-mcp/using-mcp.ts";

const READ = { name: "mcp__github__list_issues" };
const WRITE = { name: "mcp__github__create_issue" };
const LOSS = { name: "mcp__github__delete_repository" };
const MODES = ["interactive", "autonomous-guardrailed", "fully-agentic"] as const;

test("the three modes", () => {
  const decisions = MODES.map((mode) => [READ, WRITE, LOSS].map((tool) => gate({ tool, args: {}, mode }).decision));
  assert.deepEqual(decisions, [
    ["allow", "confirm", "confirm"],
    ["allow", "confirm", "confirm"],
    ["allow", "allow", "confirm"],
  ]);
  assert.equal(gate({ tool: WRITE }).decision, "confirm");
  assert.equal(gate({ tool: WRITE, mode: "yolo" }).decision, "confirm");
});

test("the gate is per tool: a mixed server's reads run and its writes ask", () => {
  assert.equal(gate({ tool: { server: "m", tool: "get_x", access: "read" } }).decision, "allow");
  assert.equal(gate({ tool: { server: "m", tool: "set_x", access: "write" } }).decision, "confirm");
  assert.equal(gate({ tool: { server: "m", tool: "wiki", access: "read" } }).decision, "allow");
  assert.equal(gate({ tool: { server: "m", tool: "delete_x", access: "read" } }).decision, "confirm");
});

test("a tool is known by its qualified name, alone or beside its server", () => {
  const permissions = { deny: [WRITE.name] };
  for (const tool of [WRITE.name, WRITE, { server: "github", ...WRITE }, { server: "github", name: "create_issue" }]) {
    assert.equal(gate({ tool, permissions }).decision, "deny");
  }
});

test("what is no MCP tool is denied, whatever else is said", () => {
  for (const tool of [undefined, null, 4, "Bash", "mcp__a", {}, [], { name: 5 }, { server: "a" }]) {
    assert.equal(gate({ tool, mode: "fully-agentic", permissions: { allow: ["mcp__a"] } }).decision, "deny");
  }
});

test("D1: deny beats ask beats allow, however specific", () => {
  const [all, exact] = ["mcp__github", WRITE.name];
  assert.equal(gate({ tool: WRITE, permissions: { deny: [all], allow: [exact], ask: [exact] } }).decision, "deny");
  assert.equal(gate({ tool: WRITE, permissions: { deny: [exact], allow: [all] } }).decision, "deny");
  assert.equal(gate({ tool: WRITE, permissions: { ask: [all], allow: [exact] } }).decision, "confirm");
  assert.equal(gate({ tool: READ, permissions: { ask: [all] } }).decision, "confirm");
  assert.equal(gate({ tool: WRITE, permissions: { allow: [exact] } }).decision, "allow");
  assert.equal(gate({ tool: WRITE, permissions: { allow: ["mcp__github__*"] } }).decision, "allow");
  assert.equal(gate({ tool: WRITE, permissions: { allow: ["mcp__github__create_*"] } }).decision, "allow");
});

test("D2: an allowance needs its server spelt out; a denial may be broad", () => {
  for (const rule of ["mcp__*", "*", "mcp__git*", "mcp__git*__create_issue"]) {
    assert.equal(gate({ tool: WRITE, permissions: { allow: [rule] } }).decision, "confirm", rule);
    assert.equal(
      gate({ tool: READ, permissions: { deny: [rule.replace("create", "list").replace("issue", "issues")] } }).decision,
      "deny",
      rule,
    );
  }
});

test("D3: a server's rule covers exactly that server", () => {
  for (const server of ["github_evil", "github-evil", "GitHub", "github__x", "git", "github_"]) {
    const tool = { server, name: "create_issue" };
    assert.equal(gate({ tool, permissions: { allow: ["mcp__github", "mcp__github__*"] } }).decision, "confirm", server);
  }
  // Two servers share such a name: the denial of either holds, an allowance does not.
  assert.equal(
    gate({ tool: { server: "github__x", name: "get_a" }, permissions: { deny: ["mcp__github__x"] } }).decision,
    "deny",
  );
  assert.equal(
    gate({ tool: { server: "github__x", name: "add_a" }, permissions: { allow: ["mcp__github__x"] } }).decision,
    "confirm",
  );
});

test("D4: a rule that cannot be read denies where it denies and allows nothing; both are told", () => {
  assert.equal(gate({ tool: READ, permissions: { deny: ["mcp__github__x(path:*)"] } }).decision, "deny");
  assert.equal(gate({ tool: WRITE, permissions: { allow: ["mcp__github__create_issue(x)"] } }).decision, "confirm");
  assert.equal(gate({ tool: READ, permissions: { deny: "mcp__other" } as never }).decision, "allow");
  assert.equal(gate({ tool: READ, permissions: { deny: [7] } as never }).decision, "deny");
  assert.equal(gate({ tool: READ, permissions: { deny: ["Bash(rm:*)", "Read(./.env)"] } }).decision, "allow");
  const problems = permissionProblems({ deny: ["mcp__a__b(c)"], allow: ["mcp__*", "Bash(ls)", "mcp__typo"] }, ["a"]);
  assert.deepEqual(
    problems.map(({ list, rule }) => [list, rule]),
    [
      ["deny", "mcp__a__b(c)"],
      ["allow", "mcp__*"],
      ["allow", "mcp__typo"],
    ],
  );
});

test("D6: an argument that claims a confirmation is an argument", () => {
  for (const args of [{ confirmed: true }, { approval: "yes", canAsk: true }, { mode: "fully-agentic" }]) {
    assert.equal(gate({ tool: WRITE, args }).decision, "confirm");
  }
});

test("D6: the word of whoever calls the handler makes no read of a tool", async () => {
  const tool = { name: "mcp__m__wiki", access: "read", server: "m", tool: "get_wiki" };
  assert.equal((await runHandler(gateCall, { tool })).decision, "confirm");
});

test("D8: nobody to ask is a denial", () => {
  for (const tool of [WRITE, LOSS]) assert.equal(gate({ tool, canAsk: false }).decision, "deny");
  assert.equal(gate({ tool: READ, canAsk: false }).decision, "allow");
});

test("D9: arguments that cannot be looked through count as irreversible", () => {
  const trap = {
    get sql(): string {
      throw new Error("no");
    },
  };
  assert.equal(gate({ tool: WRITE, args: trap, mode: "fully-agentic" }).decision, "confirm");
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  assert.equal(gate({ tool: WRITE, args: cyclic, mode: "fully-agentic" }).decision, "confirm");
});

test("D12: what a parent was denied, its subagent is denied", () => {
  const permissions = joinPermissions({ deny: ["mcp__github__create_issue"] }, { allow: ["mcp__github"] });
  assert.equal(gate({ tool: WRITE, permissions }).decision, "deny");
});

test("D13: a denied tool is known as denied before it is shown", () => {
  assert.equal(isDenied({ deny: ["mcp__github__create_issue"] }, "github", "create_issue"), true);
  assert.equal(isDenied({ deny: ["mcp__github__create_issue"] }, "github", "list_issues"), false);
  assert.equal(isDenied({ deny: ["mcp__x(y)"] }, "github", "list_issues"), true);
  assert.equal(isDenied({ allow: ["mcp__github"] }, "github", "list_issues"), false);
});

test("C8: a denied write stays denied by every name of the same tool", () => {
  const permissions = { deny: ["mcp__github"] };
  for (const tool of [
    WRITE,
    "mcp__github__create_issue",
    { server: "github", tool: "create_issue", access: "write" },
  ]) {
    assert.equal(gate({ tool, permissions, mode: "fully-agentic" }).decision, "deny");
  }
});

test("C9: private data and untrusted content together make every way out a question", () => {
  const search = { name: "mcp__brave__web_search", annotations: { readOnlyHint: true, openWorldHint: true } };
  assert.equal(gate({ tool: search }).decision, "allow");
  assert.equal(gate({ tool: search, session: { privateData: true } }).decision, "allow");
  assert.equal(gate({ tool: search, session: { privateData: true, untrustedContent: true } }).decision, "confirm");
});

test("D5, D10: a person's yes lifts the question for exactly this call, once, and not for a changed tool", async () => {
  const approvals = createApprovals({ now: () => 0 });
  const request = { tool: { ...LOSS, description: "Deletes a repository" }, args: { repo: "a" }, approvals };
  const call = callToApprove(request);
  assert.ok(call);
  assert.equal(gate(request).decision, "confirm");
  assert.equal(await askPerson(approvals, call, () => true), true);
  assert.equal(gate({ ...request, args: { repo: "b" } }).decision, "confirm");
  assert.equal(gate({ ...request, tool: { ...LOSS, description: "Deletes every repository" } }).decision, "confirm");
  assert.equal(gate({ ...request, permissions: { deny: ["mcp__github"] } }).decision, "deny");
  assert.equal(gate({ ...request, canAsk: false }).decision, "allow");
  assert.equal(gate(request).decision, "confirm");
  assert.equal(callToApprove({ tool: "Bash" }), null);
});

test("an irreversible call asks whatever is allowed", () => {
  const permissions = { allow: ["mcp__github", "mcp__db", "mcp__sh"] };
  const calls: [object, unknown][] = [
    [LOSS, {}],
    [{ name: "mcp__db__query" }, { sql: "DROP TABLE users" }],
    [{ name: "mcp__sh__exec" }, { command: "rm -rf build" }],
    [{ name: "mcp__sh__exec" }, { argv: ["git", "push", "-f"] }],
  ];
  for (const [tool, args] of calls) {
    for (const mode of MODES)
      assert.equal(gate({ tool, args, mode, permissions }).decision, "confirm", JSON.stringify(args));
  }
});

test("a reading tool that is handed a writing statement writes", () => {
  const tool = { name: "mcp__db__query" };
  assert.equal(gate({ tool, args: { sql: "SELECT * FROM users" } }).decision, "allow");
  assert.equal(gate({ tool, args: { sql: "INSERT INTO users VALUES (1)" } }).decision, "confirm");
  assert.equal(
    gate({ tool, args: { sql: "WITH x AS (DELETE FROM a WHERE b=1 RETURNING *) SELECT * FROM x" } }).decision,
    "confirm",
  );
  assert.equal(gate({ tool, args: { query: "how to delete or update an account" } }).decision, "allow");
});

test("more rules of the host never loosen a denial, and permissions never lift an irreversible question", () => {
  const rules = fc.array(
    fc.constantFrom("mcp__github", "mcp__github__*", WRITE.name, LOSS.name, "mcp__*", "*", "mcp__x(y)"),
    { maxLength: 4 },
  );
  const permissions = fc.record({ allow: rules, ask: rules, deny: rules });
  const rank = { allow: 0, confirm: 1, deny: 2 };
  fc.assert(
    fc.property(
      permissions,
      fc.constantFrom(...MODES),
      fc.constantFrom(READ, WRITE, LOSS),
      fc.constantFrom("mcp__github", "*"),
      (given, mode, tool, more) => {
        const before = gate({ tool, mode, permissions: given });
        if (tool === LOSS) assert.notEqual(before.decision, "allow");
        const tighter = gate({ tool, mode, permissions: { ...given, deny: [...given.deny, more] } });
        assert.ok(rank[tighter.decision] >= rank[before.decision]);
        assert.equal(tighter.decision, "deny");
      },
    ),
    { numRuns: 150 },
  );
});
