import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PackError } from "../../../runtime/core/errors.ts";
import { assertPlainJson, inertJson, jsonText, MAX_DEPTH, parsePlainJson } from "../../../runtime/core/json-text.ts";

const anyJson = fc.jsonValue({ stringUnit: "binary" });

test("jsonText writes what JSON.stringify writes, with every indent, but for -0", () => {
  fc.assert(
    fc.property(anyJson, fc.integer({ min: 0, max: 4 }), (value, indent) => {
      const plain = JSON.parse(JSON.stringify(value).replace(/-0(?![.\d])/g, "0"));
      assert.equal(jsonText(plain, indent), JSON.stringify(plain, null, indent));
      assert.deepEqual(JSON.parse(jsonText(value, indent)), value);
    }),
    { numRuns: 200 },
  );
  assert.equal(jsonText([-0, 0, -1.5]), "[-0,0,-1.5]");
  assert.equal(
    jsonText({ a: undefined, b: [undefined, () => {}], c: new Date(0) }),
    JSON.stringify({ b: [null, null], c: new Date(0) }),
  );
});

test("inert JSON holds none of the characters that close, open or hide, and reads back as it was", () => {
  fc.assert(
    fc.property(anyJson, (value) => {
      const text = inertJson(value);
      assert.doesNotMatch(text, /[`~<>&\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      assert.deepEqual(JSON.parse(text), value);
    }),
    { numRuns: 300 },
  );
});

test("characters that are not seen or that end lines are escaped", () => {
  const hidden = [
    "\u2028",
    "\u2029",
    "\u0085",
    "\u000b",
    "\u000c",
    "\u200b",
    "\u202e",
    "\u2066",
    "\u00ad",
    "\u{e0041}",
    "\u3164",
    "\ufe0f",
    "\ud800",
    "\udfff",
  ];
  for (const character of hidden) assert.match(inertJson(`a${character}b`), /^"a\\[uf][0-9a-f\\u]*b"$/);
});

test("depth is bounded without a stack of the platform's", () => {
  const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  assert.doesNotThrow(() => parsePlainJson(nested(MAX_DEPTH), "it"));
  for (const depth of [MAX_DEPTH + 2, 20_000])
    assert.throws(() => parsePlainJson(nested(depth), "it"), { code: "too-deep" });
  let deep: unknown = 1;
  for (let at = 0; at < 100_000; at++) deep = [deep];
  assert.equal(jsonText(deep).length, 200_001);
});

test("what is not plain JSON is refused with a code", () => {
  const refused: [string, string][] = [
    ['{"__proto__":{"isAdmin":true}}', "unsafe-key"],
    ['{"a":[{"constructor":{"prototype":{}}}]}', "unsafe-key"],
    ['{"access":"write","access":"read"}', "repeated-key"],
    ['{"a":1,"\\u0061":2}', "repeated-key"],
    ["1e400", "not-json"],
    ["[-1e999]", "not-json"],
    ["{", "not-json"],
    ["", "not-json"],
    ["NaN", "not-json"],
  ];
  for (const [text, code] of refused)
    assert.throws(() => parsePlainJson(text, "it"), { name: "PackError", code }, text);
  for (const value of [undefined, () => {}, Symbol("s"), 1n, Number.NaN, [undefined]]) {
    assert.throws(() => assertPlainJson(value, "it"), { code: "not-json" });
  }
  assert.equal(({} as { isAdmin?: unknown }).isAdmin, undefined);
});

test("the same key in different objects, and keys inside strings, are no repetition", () => {
  for (const text of ['[{"a":1},{"a":2}]', '{"a":{"a":1},"b":"\\"a\\":1"}', '{"a":"}","b":"{"}']) {
    assert.deepEqual(parsePlainJson(text, "it"), JSON.parse(text));
  }
});

test("parsing any text throws nothing but a PackError", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
      try {
        parsePlainJson(text, "it");
      } catch (error) {
        assert.ok(error instanceof PackError);
      }
    }),
    { numRuns: 200 },
  );
});
