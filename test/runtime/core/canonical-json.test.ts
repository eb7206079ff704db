/** Canonical JSON: one text for equal values, at a cost that a hostile value cannot drive up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PackError } from "../../../runtime/core/errors.ts";
import { canonicalJson } from "../../../runtime/core/json-text.ts";

test("it is JSON of the same value, whatever the order of the keys", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.equal(canonicalJson(reversed(value)), text);
    }),
    { numRuns: 200 },
  );
});

test("what JSON cannot hold is treated as by JSON.stringify", () => {
  const value = { a: undefined, b: () => 1, c: [undefined, Number.NaN], d: new Date(0), e: "\ud800" };
  assert.equal(canonicalJson(value), JSON.stringify(value));
  assert.equal(canonicalJson(undefined), "null");
});

test("what nests too deep, a cycle included, is refused", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  let deep: unknown[] = [];
  for (let depth = 0; depth < 50_000; depth++) deep = [deep];
  for (const value of [cycle, deep]) {
    assert.throws(
      () => canonicalJson(value),
      (error) => error instanceof PackError && error.code === "too-deep",
    );
  }
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  );
}
