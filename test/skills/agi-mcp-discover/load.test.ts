/** The cap holds for every domain, every inventory and every pin list, and what is not loaded is told as deferred. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Inventory } from "../../../runtime/core/contracts.ts";
import { qualifiedName } from "../../../runtime/core/tool.ts";
import {
  ALWAYS_HOT,
  classifyIntent,
  discover,
  loadTools,
  MAX_TOOLS,
  ON_DEMAND,
} from "../../../skills/agi-mcp-discover/agi-mcp-discover.ts";

function inventoryOf(names: readonly string[]): Inventory {
  const tools = names.map((name) => ({ server: "big", name }));
  return { servers: [{ name: "big", state: "ready", tools, flags: [], origins: [] }], problems: [] };
}

const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}_[a-z]{3,8}$/), { maxLength: 40 });

test("C6: whatever is asked for and pinned, at most eight are loaded, and the rest is deferred, not dropped", () => {
  fc.assert(
    fc.property(names, fc.string(), fc.nat(60), fc.array(fc.nat(39)), (tools, intent, max, pins) => {
      const hot = pins.flatMap((at) => (tools[at] === undefined ? [] : [qualifiedName("big", tools[at])]));
      const loaded = loadTools(inventoryOf(tools), intent, { max, hot });
      assert.ok(loaded.tools.length <= Math.min(max, MAX_TOOLS));
      const all = [...loaded.tools.map(({ server, name }) => qualifiedName(server, name)), ...loaded.deferred];
      assert.deepEqual(all.sort(), tools.map((name) => qualifiedName("big", name)).sort());
    }),
    { numRuns: 200 },
  );
});

test("C6: a domain gives the always-hot tools and no more than eight in all; an unknown one those alone", () => {
  for (const domain of [...Object.keys(ON_DEMAND), "nowhere", "__proto__", "constructor"]) {
    const tools = discover(domain, "anything at all");
    assert.ok(tools.length <= MAX_TOOLS);
    assert.deepEqual(tools.slice(0, ALWAYS_HOT.length), [...ALWAYS_HOT]);
    if (!Object.hasOwn(ON_DEMAND, domain)) assert.equal(tools.length, ALWAYS_HOT.length);
  }
});

test("words that only hold a keyword lead nowhere near it", () => {
  for (const text of ["as well", "the latest", "a mirror", "digital", "decode it", "irrelevant"]) {
    assert.equal(classifyIntent(text), "meta", text);
  }
  assert.equal(classifyIntent("an investment"), "capital");
  assert.equal(discover("capital", "internal rate of return of the deal").at(-1), "capital_primitive_irr");
});
