/** A session's active tools, case by case. What holds in any order of events is in activation-model.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Inventory } from "../../../runtime/core/contracts.ts";
import { PackError } from "../../../runtime/core/errors.ts";
import { Activation } from "../../../skills/composer-mcp/composer-mcp.ts";
import { failedServer, inventory, server } from "../../support/inventories.ts";

const github = server("github", [{ name: "list", inputSchema: { type: "object" } }, "create", "delete"]);
const docs = server("docs", ["search", "list"]);
const both = inventory(github, docs);

function names(session: Activation): string[] {
  return session.declarations().map(({ name }) => name);
}

/** Queues a message and makes the request, as a host does with a prompt. */
function say(session: Activation, text: string): string {
  const queued = session.queue({ text });
  if (!queued.ok) return queued.code;
  const sent = session.request(({ declarations }) => declarations.map(({ name }) => name).join(" "));
  return sent.sent ? sent.answer : (sent.rejected[0]?.code ?? "");
}

test("a server selection adds all its tools, a tool selection exactly that one, and neither removes any", () => {
  const session = new Activation(both);
  assert.equal(say(session, "hello"), "");
  assert.equal(say(session, "/mcp:docs:list go"), "mcp__docs__list");
  assert.equal(
    say(session, "/mcp:github go"),
    "mcp__docs__list mcp__github__create mcp__github__delete mcp__github__list",
  );
  assert.equal(say(session, "/mcp:github:list go").split(" ").length, 4);
  assert.equal(say(session, "nothing chosen").split(" ").length, 4);
});

test("a server selection of any size is not cut by the limit of tool search", () => {
  const many = Array.from({ length: 300 }, (_, at) => `tool_${at}`);
  const session = new Activation(inventory(server("big", many)), { searchResults: 2, searchTotal: 3 });
  assert.equal(say(session, "/mcp:big go").split(" ").length, 300);
});

test("E11: a server selection adds what the mode allows, and the forbidden tool never, also not in a later mode", () => {
  const session = new Activation(both, { mode: "plan", allowed: ["mcp__github__list", "mcp__github__create"] });
  assert.equal(say(session, "/mcp:github go"), "mcp__github__create mcp__github__list");
  assert.equal(say(session, "/mcp:github:delete go"), "not-allowed-in-mode");
  assert.deepEqual(session.search(["mcp__github__delete"]), { active: [], left: [], refused: ["mcp__github__delete"] });
  session.configure({ mode: "act", allowed: undefined });
  assert.deepEqual(names(session), ["mcp__github__create", "mcp__github__list"]);
});

test("what a later mode forbids is not declared while it does", () => {
  const session = new Activation(both);
  say(session, "/mcp:docs go");
  session.configure({ allowed: ["mcp__docs__list"] });
  assert.deepEqual(names(session), ["mcp__docs__list"]);
  assert.deepEqual(session.absent(), [{ mcpToolName: "mcp__docs__search", reason: "not-allowed-in-mode" }]);
  session.configure({ allowed: ["mcp__docs"] });
  assert.equal(names(session).length, 2);
});

test("steering: a queued message activates nothing until it is consumed, a cancelled one never does", () => {
  const session = new Activation(both);
  const first = session.queue({ text: "/mcp:docs:list go" });
  const second = session.queue({ text: "/mcp:github go" });
  assert.ok(first.ok && second.ok);
  assert.deepEqual(Object.keys(first).sort(), ["ok", "ticket"], "nothing that could be sent comes before the request");
  assert.deepEqual(names(session), []);
  assert.equal(session.cancel(second.ticket), true);
  assert.equal(session.cancel(second.ticket), false);
  const sent = session.request((request) => request);
  assert.ok(sent.sent);
  assert.deepEqual(
    sent.answer.messages.map(({ command, ticket }) => [command, ticket]),
    [["/mcp:docs:list go", first.ticket]],
  );
  assert.deepEqual(
    sent.answer.declarations.map(({ name }) => name),
    ["mcp__docs__list"],
  );
  assert.equal(session.cancel(first.ticket), false, "what is consumed cannot be taken back");
  assert.deepEqual(session.queued, []);
});

test("a queued message that no longer holds is rejected on its own, and what is changed is said", () => {
  const session = new Activation(both);
  session.queue({ text: "/mcp:github go" });
  session.queue({ text: "/mcp:docs:list and go" });
  session.queue({ text: "just this" });
  session.update(inventory(server("github", ["list", "create", "delete"]), docs));
  const sent = session.request(({ messages }) => messages.map(({ command }) => command));
  assert.ok(sent.sent);
  assert.deepEqual(sent.answer, ["/mcp:docs:list and go", "just this"]);
  assert.equal(sent.rejected.length, 1);
  assert.equal(sent.rejected[0]?.code, "changed");
  assert.match(sent.rejected[0]?.message ?? "", /list has another input schema/);
  assert.deepEqual(names(session), ["mcp__docs__list"]);
});

test("where every queued message is rejected, no provider request goes out", () => {
  const session = new Activation(both);
  session.queue({ text: "/mcp:github go" });
  session.update(inventory(failedServer("github", "crashed"), docs));
  const sent = session.request(() => assert.fail("sent"));
  assert.deepEqual([sent.sent, sent.rejected[0]?.code], [false, "not-ready"]);
  assert.equal(session.request(() => "went on").sent, true);
});

test("E10: a pick from an older menu is checked on queueing", () => {
  const session = new Activation(both);
  const [entry] = session.catalogue.filter(({ command }) => command === "/mcp:github:list");
  assert.ok(entry);
  const picks = [{ command: entry.command, pins: { mcp__github__list: "an.older.one.-.-" } }];
  const queued = session.queue({ text: `${entry.command} go`, picks });
  assert.equal(!queued.ok && queued.code, "changed");
  assert.deepEqual(session.queued, []);
});

test("a native session takes no selection, and everything else as ever", () => {
  const session = new Activation(both, { native: true });
  assert.equal(say(session, "/mcp:github go"), "native-session");
  assert.equal(say(session, "hello"), "");
});

test("tool search: the best results become active up to the limit; what is unknown takes no place", () => {
  const session = new Activation(both, { searchResults: 2 });
  const results = ["mcp__none__x", "mcp__docs__list", "mcp__docs__list", "mcp__github__list", "mcp__docs__search"];
  assert.deepEqual(session.search(results), {
    active: ["mcp__docs__list", "mcp__github__list"],
    left: ["mcp__docs__search"],
    refused: ["mcp__none__x"],
  });
  assert.deepEqual(names(session), ["mcp__docs__list", "mcp__github__list"]);
});

test("a selected tool that a search finds as well takes none of the search's places", () => {
  const session = new Activation(both, { searchTotal: 1 });
  say(session, "/mcp:docs:list go");
  assert.deepEqual(session.search(["mcp__docs__list"]).active, ["mcp__docs__list"]);
  assert.deepEqual(session.search(["mcp__docs__search", "mcp__github__list"]), {
    active: ["mcp__docs__search"],
    left: ["mcp__github__list"],
    refused: [],
  });
});

test("a redefined tool is not declared until it is as it was or is chosen again", () => {
  const session = new Activation(both);
  say(session, "/mcp:github:list go");
  const redefined = inventory(server("github", [{ name: "list", description: "Now it deletes" }]), docs);
  session.update(redefined);
  assert.deepEqual(names(session), []);
  assert.deepEqual(session.absent(), [
    { mcpToolName: "mcp__github__list", reason: "changed", what: "description and input schema" },
  ]);
  session.update(both);
  assert.deepEqual(names(session), ["mcp__github__list"]);
  session.update(redefined);
  assert.equal(say(session, "/mcp:github:list go"), "mcp__github__list");
});

test("a pair of server and tool that comes to share an active tool's full name is not active", () => {
  const session = new Activation(inventory(server("a", ["b__c"])));
  assert.equal(say(session, "/mcp:a go"), "mcp__a__b__c");
  session.update(inventory(server("a__b", ["c"])));
  assert.deepEqual(names(session), []);
  assert.deepEqual(session.absent(), [{ mcpToolName: "mcp__a__b__c", reason: "gone" }]);
});

test("a restored session declares what is still there, and says what is not", () => {
  const session = new Activation(both);
  say(session, "/mcp:docs /mcp:github go");
  const stored = JSON.parse(JSON.stringify(session.snapshot()));
  const now = inventory(server("github", [{ name: "list", inputSchema: {} }, "delete"]), failedServer("docs", "auth"));
  const restored = Activation.restore(stored, now, { allowed: ["mcp__github__list", "mcp__docs"] });
  assert.deepEqual(names(restored), []);
  assert.deepEqual(restored.absent(), [
    { mcpToolName: "mcp__docs__list", reason: "not-ready" },
    { mcpToolName: "mcp__docs__search", reason: "not-ready" },
    { mcpToolName: "mcp__github__create", reason: "gone" },
    { mcpToolName: "mcp__github__delete", reason: "not-allowed-in-mode" },
    { mcpToolName: "mcp__github__list", reason: "changed", what: "input schema" },
  ]);
  restored.update(both);
  assert.deepEqual(names(restored), ["mcp__docs__list", "mcp__docs__search", "mcp__github__list"]);
  assert.deepEqual(Activation.restore(stored, both).declarations(), session.declarations());
});

test("a snapshot holds names and digests, and what is none is refused", () => {
  const session = new Activation(
    inventory(server("s", [{ name: "t", description: "secret text", inputSchema: { k: 1 } }])),
  );
  say(session, "/mcp:s go");
  assert.doesNotMatch(JSON.stringify(session.snapshot()), /secret|"k"/);
  const entry = { server: "s", tool: "t", pin: "x", by: "search" };
  for (const bad of [null, 1, [], {}, { version: 2, tools: [] }, { version: 1, tools: {} }].concat(
    [{ ...entry, server: "" }, { ...entry, tool: "a\u0000" }, { ...entry, by: "me" }, { ...entry, pin: 1 }, null].map(
      (tool) => ({ version: 1, tools: [tool] }),
    ) as never[],
  )) {
    assert.throws(
      () => Activation.restore(bad, both),
      (error) => error instanceof PackError && error.code === "bad-snapshot",
    );
  }
});

test("server ids never become part of a tool's schema: declarations carry the server's own, unchanged", () => {
  const tool = {
    name: "t",
    title: "T",
    description: "Does it",
    inputSchema: { type: "object", properties: { q: {} } },
  };
  const session = new Activation(inventory(server("very-special-id", [tool])));
  say(session, "/mcp:very-special-id go");
  assert.deepEqual(session.declarations(), [{ ...tool, name: "mcp__very-special-id__t" }]);
});

test("C7: two searches for the last place: exactly one gets it, in whatever order they come back", async () => {
  const many = inventory(
    server(
      "s",
      Array.from({ length: 20 }, (_, at) => `t${at}`),
    ),
  );
  const search = fc.uniqueArray(fc.nat({ max: 19 }), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(search, { minLength: 2, maxLength: 6 }), async (scheduler, searches) => {
      const session = new Activation(many, { searchTotal: 8 });
      assert.equal(session.search(Array.from({ length: 7 }, (_, at) => `mcp__s__t${at}`)).active.length, 7);
      const found = await Promise.all([
        ...searches.map(async (numbers) => {
          // The tool index answers whenever it does.
          const results = await scheduler.schedule(Promise.resolve(numbers.map((at) => `mcp__s__t${at}`)));
          const { active } = session.search(results);
          assert.ok(names(session).length <= 8);
          return active;
        }),
        scheduler.waitAll().then(() => []),
      ]);
      const added = new Set(found.flat().filter((name) => Number(name.slice("mcp__s__t".length)) >= 7));
      assert.equal(added.size, searches.flat().some((at) => at >= 7) ? 1 : 0);
    }),
    { numRuns: 100 },
  );
});

test("tools are usable as soon as the first inventory is there: nothing depends on a session before", () => {
  const taken: Inventory = JSON.parse(JSON.stringify(both));
  assert.equal(say(new Activation(taken), "/mcp:docs:search go"), "mcp__docs__search");
});
