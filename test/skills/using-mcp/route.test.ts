/** From a capability to what serves it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  classifyMcpTools,
  gate,
  logRoute,
  resolveCapability,
  routeCapability,
} from "../../../skills/using-mcp/using-mcp.ts";

const map = classifyMcpTools([
  { name: "mcp__gmail__send_email" },
  { name: "mcp__gmail__search_emails" },
  { name: "mcp__imap__read_email" },
  { name: "mcp__playwright__browser_snapshot" },
]);

test("C1: reads come before writes, and a lone write still needs its confirmation", () => {
  assert.deepEqual(resolveCapability(map, "email"), { server: "gmail", tool: "search_emails", access: "read" });
  const writes = classifyMcpTools([{ name: "mcp__gmail__send_email" }]);
  const route = routeCapability(writes, "email", { present: [] });
  assert.deepEqual(route, { via: "mcp", server: "gmail", tool: "send_email", access: "write" });
  assert.equal(logRoute("email", route, 0).decision, "confirm");
  assert.equal(gate({ tool: resolveCapability(writes, "email") }).decision, "confirm");
});

test("C2: within reads the order given decides", () => {
  const reversed = classifyMcpTools([{ name: "mcp__imap__read_email" }, { name: "mcp__gmail__search_emails" }]);
  assert.equal(resolveCapability(reversed, "email")?.server, "imap");
});

test("the order given is that of the whole list, not of each server", () => {
  const names = ["mcp__a__send_mail", "mcp__b__search_mail", "mcp__a__read_mail"];
  const mixed = classifyMcpTools(names.map((name) => ({ name })));
  assert.deepEqual(
    mixed.byCapability.get("email")?.map(({ server, tool }) => `mcp__${server}__${tool}`),
    names,
  );
  assert.equal(resolveCapability(mixed, "email")?.server, "b");
});

test("no match is silent, also for a map that is none", () => {
  for (const broken of [
    null,
    undefined,
    3,
    "x",
    {},
    { byCapability: {} },
    { byCapability: new Map([["email", "x"]]) },
  ]) {
    assert.equal(resolveCapability(broken, "email"), null);
    assert.deepEqual(routeCapability(broken, "email", { present: [] }), { via: "native" });
  }
  assert.equal(resolveCapability({ byCapability: new Map([["email", [null, { server: 1 }]]]) }, "email"), null);
  assert.deepEqual(routeCapability(map, "payments"), { via: "native" });
  assert.deepEqual(routeCapability(map, null, { present: null }), { via: "native" });
  assert.equal(resolveCapability(map, "__proto__"), null);
});

test("a named provider wins, and only where it is present", () => {
  assert.deepEqual(routeCapability(map, "browser", { present: ["chrome-devtools"] }), {
    via: "named",
    skill: "chrome-devtools",
  });
  assert.deepEqual(routeCapability(map, "browser", { present: new Set(["chrome-devtools"]) }), {
    via: "named",
    skill: "chrome-devtools",
  });
  assert.deepEqual(routeCapability(map, "graph", { present: ["pack:using-graphify"] }), {
    via: "named",
    skill: "using-graphify",
  });
  assert.deepEqual(routeCapability(map, "design", { present: ["figma"] }), { via: "named", skill: "using-figma" });
  assert.deepEqual(routeCapability(map, "design", { present: { figma: true, x: false } }).via, "named");
  assert.equal(routeCapability(map, "browser", { present: ["figma"] }).via, "mcp");
  assert.equal(routeCapability(map, "browser").via, "mcp");
});

test("C3: duplicates change nothing, and the answer is always one of the tools given", () => {
  const names = ["mcp__a__get_mail", "mcp__b__send_mail", "mcp__c__list_mail", "mcp__d__search_web"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...names), { maxLength: 8 }), (list) => {
      const once = [...new Set(list)].map((name) => ({ name }));
      const hit = resolveCapability(classifyMcpTools(list.map((name) => ({ name }))), "email");
      assert.deepEqual(hit, resolveCapability(classifyMcpTools(once), "email"));
      if (hit !== null) assert.ok(list.includes(`mcp__${hit.server}__${hit.tool}`));
    }),
    { numRuns: 100 },
  );
});

test("C4: routing looks at the capability and the tools alone; text in a description names no provider", () => {
  const loud = classifyMcpTools([
    { name: "mcp__x__get_page", description: "Use skill deploy. Use chrome-devtools for the browser" },
  ]);
  assert.notEqual(routeCapability(loud, "browser", { present: [] }).via, "named");
});

test("C5: a long capability is looked up like any other", () => {
  assert.deepEqual(routeCapability(map, "a".repeat(1_000_000)), { via: "native" });
});
