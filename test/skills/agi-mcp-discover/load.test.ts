/**
 * Loading from any inventory: the cap holds for every domain, profile, pin list and order of calls, each part of a request
 * has its tool, and what is not loaded is told.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Inventory, Loaded } from "../../../runtime/core/contracts.ts";
import { qualifiedName } from "../../../runtime/core/tool.ts";
import {
  ALWAYS_HOT,
  classifyIntent,
  createLoader,
  discover,
  loadTools,
  MAX_TOOLS,
  ON_DEMAND,
  type Profile,
} from "../../../skills/agi-mcp-discover/agi-mcp-discover.ts";
import { failedServer, inventory, server } from "../../support/inventories.ts";

const ODD = ["__proto__", "constructor", "toString", "hasOwnProperty"];

const namesOf = (loaded: Loaded) => loaded.chosen.map(({ name }) => name);

const word = fc.oneof({ weight: 9, arbitrary: fc.stringMatching(/^[a-z]{3,8}_[a-z]{3,8}$/) }, fc.constantFrom(...ODD));
const names = fc.uniqueArray(word, { maxLength: 40 });
const intents = fc.oneof(
  fc.string(),
  fc.array(word).map((words) => words.join(" and the ")),
);

const profiles: fc.Arbitrary<Profile> = fc
  .record({
    names: fc.uniqueArray(word, { minLength: 1, maxLength: 30 }),
    hot: fc.nat(7),
    domains: fc.uniqueArray(word),
  })
  .map(({ names, hot, domains }) => ({
    hot: names.slice(0, hot),
    bundles: domains.map((domain, at): [string, string[]] => [
      domain,
      names.slice(hot).filter((_, place) => place % domains.length === at),
    ]),
    rules: domains.map((domain) => ({ domain, keywords: [domain] })),
    fallback: domains[0] ?? "meta",
    idioms: [],
    abbreviations: [],
  }));

test("C6: whatever is asked for and pinned, at most eight are loaded, and the rest is deferred, not dropped", () => {
  fc.assert(
    fc.property(
      names,
      intents,
      fc.oneof(fc.nat(60), fc.double()),
      fc.array(fc.oneof(fc.nat(39), fc.string())),
      fc.option(profiles, { nil: undefined }),
      (tools, intent, max, pins, profile) => {
        const hot = pins.map((pin) => (typeof pin === "string" ? pin : qualifiedName("big", tools[pin] ?? "gone")));
        const loaded = loadTools(inventory(server("big", tools)), intent, { max, hot, profile });
        assert.ok(loaded.tools.length <= (max > 0 ? Math.min(max, MAX_TOOLS) : 0));
        const all = [...namesOf(loaded), ...loaded.deferred];
        assert.deepEqual(all.sort(), tools.map((name) => qualifiedName("big", name)).sort());
        const told = loaded.unplaced.filter(({ asked }) => asked === "pin").length;
        assert.equal(loaded.chosen.filter(({ by }) => by === "pin").length + told, hot.length);
      },
    ),
    { numRuns: 200 },
  );
});

test("C6: a server with 200 tools and nine pins: eight in the order pinned, the ninth and all others deferred", () => {
  const tools = Array.from({ length: 200 }, (_, at) => `note_${at}`);
  const hot = tools.slice(0, 9).map((name) => qualifiedName("big", name));
  const loaded = loadTools(inventory(server("big", tools)), "note", { max: 100, hot });
  assert.deepEqual(namesOf(loaded), hot.slice(0, 8));
  assert.equal(loaded.deferred.length, 192);
  assert.deepEqual(loaded.unplaced, [{ name: hot[8], asked: "pin", reason: "over-cap" }]);
});

test("C6: a domain gives the always-hot tools and no more than eight in all; an unknown one those alone", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.constantFrom(...Object.keys(ON_DEMAND), ...ODD), fc.string()),
      intents,
      (domain, intent) => {
        const tools = discover(domain, intent);
        assert.deepEqual(tools.slice(0, ALWAYS_HOT.length), [...ALWAYS_HOT]);
        assert.equal(tools.length, Object.hasOwn(ON_DEMAND, domain) ? MAX_TOOLS : ALWAYS_HOT.length);
      },
    ),
  );
});

const OFFICE = inventory(
  server("ci", [
    { name: "find_flaky_tests", description: "Find flaky tests of the last builds" },
    ...Array.from({ length: 12 }, (_, at) => ({
      name: `find_test_${at}`,
      description: "Find the flaky test of a suite",
    })),
  ]),
  server("tracker", [{ name: "create_issue", description: "File an issue" }]),
  server("chat", [{ name: "post_message", description: "Post a message to a channel" }]),
);

test("C7: loads that run at once, or again in any order, give what each gives alone, and never a ninth", async () => {
  const load = createLoader(OFFICE);
  const asked = ["find the flaky test", "file an issue", "", "message the channel", "test and issue and channel"];
  const alone = asked.map((intent) => loadTools(OFFICE, intent));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(asked.length - 1)), fc.scheduler(), async (order, scheduler) => {
      const calls = order.map((at) =>
        scheduler.schedule(Promise.resolve()).then(() => {
          const loaded = load(asked[at] as string);
          assert.ok(loaded.tools.length <= MAX_TOOLS);
          assert.deepEqual(loaded, alone[at]);
        }),
      );
      await scheduler.waitIdle();
      await Promise.all(calls);
    }),
    { numRuns: 30 },
  );
});

test("a request with several parts gets a tool for each, not eight of one", () => {
  const request = "find the flaky test, then file an issue and tell the channel";
  for (const max of [8, 3]) {
    const loaded = namesOf(loadTools(OFFICE, request, { max }));
    assert.ok(loaded.includes("mcp__tracker__create_issue"), loaded.join());
    assert.ok(loaded.includes("mcp__chat__post_message"), loaded.join());
    assert.ok(
      loaded.some((name) => name.startsWith("mcp__ci__")),
      loaded.join(),
    );
  }
  const part = loadTools(OFFICE, request, { max: 3, hot: ["mcp__chat__post_message"] });
  assert.deepEqual(namesOf(part).slice(0, 1), ["mcp__chat__post_message"]);
  assert.ok(namesOf(part).includes("mcp__tracker__create_issue"));
});

test("each loaded tool says why, and an unknown pin, a repeated one and a server that failed are told or left out", () => {
  const mixed = inventory(...OFFICE.servers, failedServer("gone", "timeout"));
  const hot = ["mcp__chat__post_message", "mcp__gone__x", "mcp__chat__post_message", "no name"];
  const loaded = loadTools(mixed, "file an issue", { hot });
  assert.deepEqual(loaded.chosen, [
    { name: "mcp__chat__post_message", by: "pin", matched: [] },
    { name: "mcp__tracker__create_issue", by: "search", matched: ["file", "issue"] },
  ]);
  assert.deepEqual(loaded.unplaced, [
    { name: "mcp__gone__x", asked: "pin", reason: "not-installed" },
    { name: "mcp__chat__post_message", asked: "pin", reason: "repeated" },
    { name: "no name", asked: "pin", reason: "not-installed" },
  ]);
});

test("C3: shuffled and listed twice, the same tools give the same answer", () => {
  const tools = OFFICE.servers.flatMap((entry) => entry.tools);
  const inOrder = (order: readonly number[]): Inventory =>
    inventory({ ...server("all", []), tools: order.flatMap((at) => tools[at] ?? []) });
  const every = tools.map((_, at) => at);
  const expected = loadTools(inOrder(every), "find the flaky test, then file an issue");
  fc.assert(
    fc.property(fc.shuffledSubarray(every, { minLength: every.length }), fc.array(fc.nat(14)), (order, again) => {
      const loaded = loadTools(inOrder([...order, ...again]), "find the flaky test, then file an issue");
      assert.deepEqual(loaded.chosen, expected.chosen);
      assert.deepEqual([...loaded.deferred].sort(), [...expected.deferred].sort());
    }),
    { numRuns: 50 },
  );
});

test("two tools under one qualified name are never loaded, and a pin on them is told", () => {
  const clash = inventory(server("a", ["b__find"]), server("a__b", ["find"]));
  const loaded = loadTools(clash, "find", { hot: ["mcp__a__b__find"] });
  assert.deepEqual(loaded.tools, []);
  assert.deepEqual(loaded.deferred, ["mcp__a__b__find"]);
  assert.equal(loaded.unplaced[0]?.reason, "ambiguous");
});

test("servers and tools called like properties of every object are found, pinned and deferred like any other", () => {
  const odd = inventory(...ODD.map((name) => server(name, ODD)));
  const hot = ODD.map((name) => qualifiedName(name, name));
  const loaded = loadTools(odd, ODD.join(" "), { hot });
  assert.deepEqual(namesOf(loaded).slice(0, 4), hot);
  assert.equal(loaded.tools.length + loaded.deferred.length, 16);
  for (const name of ODD) assert.equal(ON_DEMAND[name], undefined);
});

test("C5: an intent of a megabyte, stuffed or hostile, is read up to the cap and answered", () => {
  for (const unit of ["find the flaky test, then ", "a", "well ", "as ", "!", " and "]) {
    const intent = unit.repeat(2 ** 20 / unit.length);
    assert.ok(loadTools(OFFICE, intent).tools.length <= MAX_TOOLS);
    assert.equal(classifyIntent(`${intent} basin`) === "geoscience", unit === "well ");
    assert.equal(discover("capital", intent).length, MAX_TOOLS);
  }
});
