/** The menu: what it lists, what it leaves out and says so, and what never gets into it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CatalogueEntrySchema, type Inventory, type Tool } from "../../../runtime/core/contracts.ts";
import { handlerSchemas } from "../../../runtime/core/handler.ts";
import {
  catalogue,
  composerCatalog,
  composerSubmit,
  parseInvocation,
  pick,
  reportOf,
  submit,
} from "../../../skills/composer-mcp/composer-mcp.ts";
import { failedServer, inventory, server } from "../../support/inventories.ts";

function commands(entries: readonly { command: string }[]): string[] {
  return entries.map(({ command }) => command);
}

test("ready servers with tools are listed, each before its tools; nothing else is", () => {
  const entries = catalogue(
    inventory(
      server("github", ["list_issues", "create_issue"]),
      server("empty", []),
      failedServer("broken", "crashed"),
      server("off", ["x"], { state: "disabled" }),
      server("a b", ["t:1"]),
    ),
  );
  assert.deepEqual(entries, [
    { kind: "mcp", command: "/mcp:a%20b", mcpServerId: "a b", title: "a b" },
    { kind: "mcp", command: "/mcp:a%20b:t%3A1", mcpServerId: "a b", mcpToolName: "mcp__a b__t:1", title: "a b: t:1" },
    { kind: "mcp", command: "/mcp:github", mcpServerId: "github", title: "github" },
    {
      kind: "mcp",
      command: "/mcp:github:create_issue",
      mcpServerId: "github",
      mcpToolName: "mcp__github__create_issue",
      title: "github: create_issue",
    },
    {
      kind: "mcp",
      command: "/mcp:github:list_issues",
      mcpServerId: "github",
      mcpToolName: "mcp__github__list_issues",
      title: "github: list_issues",
    },
  ]);
  assert.deepEqual(reportOf(entries), { shadowed: [], skipped: [] });
});

test("an alias that exists already wins, and the entry that lost it is reported", () => {
  const existing = ["/mcp:github", { command: "mcp:github:list_issues", kind: "skill" }, { command: "/deploy" }];
  const entries = catalogue(inventory(server("github", ["list_issues", "create_issue"])), { commands: existing });
  assert.deepEqual(commands(entries), ["/mcp:github:create_issue"]);
  assert.deepEqual(reportOf(entries).shadowed, [
    { command: "/mcp:github", by: "command" },
    { command: "/mcp:github:list_issues", by: "skill" },
  ]);
  const outcome = submit({ text: "/mcp:github do it" }, entries);
  assert.ok(
    !outcome.ok && outcome.code === "unknown-server" && outcome.message.includes("alias"),
    JSON.stringify(outcome),
  );
});

test("an existing command that has no alias is an error, since its precedence cannot be kept", () => {
  const odd = [{ name: "/deploy" }] as unknown as { command: string }[];
  assert.throws(() => catalogue(inventory(server("s", ["t"])), { commands: odd }), { code: "invalid-input" });
});

test("E9: two ids that look the same are both left out", () => {
  const names = ["caf\u00e9", "cafe\u0301", "ﬁnd", "find", "git\u200bhub", "github", "GitHub"];
  const entries = catalogue(inventory(...names.map((name) => server(name, ["t"]))));
  assert.deepEqual([...new Set(entries.map(({ mcpServerId }) => mcpServerId))], ["GitHub"]);
  assert.deepEqual(
    reportOf(entries)
      .skipped.map(({ mcpServerId, reason }) => [mcpServerId, reason])
      .sort(),
    names
      .filter((name) => name !== "GitHub")
      .map((name) => [name, "confusable"])
      .sort(),
  );
  assert.deepEqual(commands(catalogue(inventory(server("cafe\u0301", ["t"])))), [
    "/mcp:cafe%CC%81",
    "/mcp:cafe%CC%81:t",
  ]);
});

test("E8: what no token can carry is left out, and costs nothing else its place", () => {
  const entries = catalogue(inventory(server("a\ud800", ["t"]), server("ok", ["good", "ba\u0000d", "", "\u202eevil"])));
  assert.deepEqual(commands(entries), ["/mcp:ok", "/mcp:ok:good"]);
  assert.equal(
    reportOf(entries).skipped.every(({ reason }) => reason === "unlistable"),
    true,
  );
  assert.equal(reportOf(entries).skipped.length, 4);
});

test("one name for two different tools is no name; the same tool twice is one tool", () => {
  const same = { name: "same", description: "One", inputSchema: { type: "object", required: ["a"] } };
  const again = { inputSchema: { required: ["a"], type: "object" }, description: "One", name: "same" };
  const entries = catalogue(inventory(server("s", [same, again, { name: "two", description: "A" }, { name: "two" }])));
  assert.deepEqual(commands(entries), ["/mcp:s", "/mcp:s:same"]);
  assert.deepEqual(reportOf(entries).skipped, [{ mcpServerId: "s", tool: "two", reason: "duplicate" }]);
});

test("two tools that share a full host tool name are both left out", () => {
  const entries = catalogue(inventory(server("a", ["b__c", "other"]), server("a__b", ["c"])));
  assert.deepEqual(commands(entries), ["/mcp:a", "/mcp:a:other"]);
  assert.deepEqual(
    reportOf(entries).skipped.map(({ reason }) => reason),
    ["ambiguous", "ambiguous"],
  );
  assert.deepEqual(commands(catalogue(inventory(server("a__b", ["c"])))), ["/mcp:a__b", "/mcp:a__b:c"]);
});

test("a tool belongs to the server that lists it, whatever it says itself", () => {
  const [, entry] = catalogue(inventory(server("mine", [{ name: "t", server: "yours" }])));
  assert.equal(entry?.mcpToolName, "mcp__mine__t");
});

test("E14: a title holds the ids only, with markup, escapes and invisible characters made visible", () => {
  const ids = ["[x](javascript:alert(1))", "<img onerror=x>", "a\u200bb", "*bold* `code`", "a|b"];
  const titles = catalogue(
    inventory(...ids.map((id) => server(id, [{ name: "t", title: "<b>Best</b>", annotations: { title: "[y](z)" } }]))),
  ).map(({ title }) => title);
  assert.equal(titles.length, ids.length * 2);
  for (const title of titles) assert.doesNotMatch(title, /[<>[\]()`*|]|Best|\(z\)|[\p{Cc}\p{Cf}]/u, title);
});

/** Any text that an inventory may hold beside names. */
const text = fc.string({ unit: "grapheme", maxLength: 20 });
const name = fc.string({ unit: fc.constantFrom(..."ab_-. :%é😀"), minLength: 1, maxLength: 8 });
const tool = fc.record(
  {
    name,
    title: text,
    description: text,
    inputSchema: fc.dictionary(text, text),
    annotations: fc.record({ title: text }),
  },
  { requiredKeys: ["name"] },
);
const anyInventory: fc.Arbitrary<Inventory> = fc
  .array(
    fc.record({ name, tools: fc.array(tool, { maxLength: 4 }), state: fc.constantFrom("ready", "failed", "disabled") }),
    { maxLength: 5 },
  )
  .map((servers) => inventory(...servers.map(({ name, tools, state }) => server(name, tools as Tool[], { state }))));

test("E13: entries are strict, and every command leads back to its entry", () => {
  fc.assert(
    fc.property(anyInventory, (taken) => {
      const entries = catalogue(taken);
      for (const entry of entries) {
        CatalogueEntrySchema.parse(entry);
        const { serverId, toolName } = parseInvocation(entry.command);
        assert.equal(serverId, entry.mcpServerId);
        assert.equal(toolName === undefined ? undefined : `mcp__${serverId}__${toolName}`, entry.mcpToolName);
      }
      assert.equal(new Set(commands(entries)).size, entries.length);
    }),
    { numRuns: 200 },
  );
});

test("the order of servers and tools in the inventory changes nothing", () => {
  const shuffled = anyInventory.chain((taken) =>
    fc.tuple(fc.constant(taken), fc.shuffledSubarray(taken.servers, { minLength: taken.servers.length }), fc.boolean()),
  );
  fc.assert(
    fc.property(shuffled, ([taken, servers, reversed]) => {
      const other = servers.map((one) => ({ ...one, tools: reversed ? [...one.tools].reverse() : one.tools }));
      assert.deepEqual(catalogue({ servers: other, problems: [] }), catalogue(taken));
    }),
    { numRuns: 100 },
  );
});

test("E13: no secret of a configuration appears in a catalogue, its report, a pick, a rejection or a schema", () => {
  // Secrets sit wherever an inventory can carry text that is not a name.
  const secret = fc.string({
    unit: fc.constantFrom(..."ABCDEFGHJKLMNPQRSTUVWXYZ23456789"),
    minLength: 12,
    maxLength: 30,
  });
  fc.assert(
    fc.property(secret, fc.constantFrom("auth", "crashed", "network"), (token, kind) => {
      const url = `https://user:${token}@example.org/${token}?key=${token}`;
      const definition = {
        name: "t",
        title: token,
        description: url,
        inputSchema: { [token]: { const: token } },
        outputSchema: { default: token },
        annotations: { title: token, [token]: token },
      };
      const origins = [{ host: "vscode", file: `/home/${token}/mcp.json`, scope: "user" as const }];
      const taken: Inventory = {
        servers: [
          server("ok", [definition], { origins, version: token, flags: [{ kind: "odd", message: token }] }),
          { ...failedServer("bad", kind as "auth", `${url} failed with ${token}`), origins },
          server("twice", [definition, { ...definition, title: `${token}2` }, "x"], { origins }),
        ],
        problems: [{ code: "bad-entry", message: token, file: token }],
      };
      const entries = catalogue(taken, { commands: ["/mcp:twice"] });
      const outcomes = [
        "/mcp:bad x",
        "/mcp:ok x",
        "/mcp:ok:t x",
        "/mcp:ok:gone x",
        "/mcp:nope x",
        "/mcp:twice:t x",
      ].map((prompt) => submit({ text: prompt }, entries, { allowed: [] }));
      const later = catalogue(inventory(server("ok", [{ ...definition, description: "another" }])));
      const changed = submit({ text: "/mcp:ok x", picks: entries.map(pick) }, later);
      assert.ok(!changed.ok && changed.code === "changed");
      const schemas = [handlerSchemas(composerCatalog), handlerSchemas(composerSubmit)];
      const seen = JSON.stringify([entries, reportOf(entries), entries.map(pick), outcomes, changed, schemas]);
      assert.ok(!seen.includes(token), seen);
    }),
    { numRuns: 100 },
  );
});
