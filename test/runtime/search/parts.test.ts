/** The parts of the tool index by themselves: words, compounds, slips, the best few. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { partsOf } from "../../../runtime/search/compounds.ts";
import { isSlip } from "../../../runtime/search/slips.ts";
import { topOf } from "../../../runtime/search/top.ts";
import { stem, wordsOf } from "../../../runtime/search/words.ts";

test("words: split at case changes, signs and digits; stop words left out; unspaced scripts in pairs", () => {
  assert.deepEqual(wordsOf("getHTTPResponse_v2, please"), ["http", "response", "v", "2"]);
  assert.deepEqual(wordsOf("the files of a user"), ["files", "user"]);
  assert.deepEqual(wordsOf("读取文件"), ["读取", "取文", "文件"]);
  assert.deepEqual(wordsOf("Größe löschen"), ["größe", "löschen"]);
  assert.deepEqual(wordsOf("one two three", 2), ["one", "two"]);
});

test("stems: inflections are taken off, the word itself stays", () => {
  for (const [word, expected] of [
    ["issues", "issu"],
    ["issue", "issu"],
    ["searching", "search"],
    ["running", "run"],
    ["queries", "query"],
    ["created", "creat"],
    ["create", "creat"],
    ["status", "status"],
    ["news", "new"],
    ["is", "is"],
  ] as const) {
    assert.equal(stem(word), expected, word);
  }
});

test("compounds fall apart into known words; what is short, long or made of nothing known does not", () => {
  const known = new Set(["air", "quality", "forecast", "list", "pull", "requests", "request", "forecasts"]);
  assert.deepEqual(partsOf("airqualityforecast", known), ["air", "quality", "forecast"]);
  assert.deepEqual(partsOf("listpullrequests", known), ["list", "pull", "requests"]);
  // A letter too many is passed over.
  assert.deepEqual(partsOf("airxquality", known), ["air", "quality"]);
  assert.deepEqual(partsOf("airlist", new Set(["air"])), []);
  assert.deepEqual(partsOf("list", known), []);
  assert.deepEqual(partsOf("forecast", known), []);
  assert.deepEqual(partsOf("list".repeat(11), known), []);
});

test("a slip is one letter put in, left out, exchanged or swapped", () => {
  for (const slip of ["forcast", "forrecast", "forecasr", "forceast"]) assert.ok(isSlip(slip, "forecast"), slip);
  for (const other of ["forecasting", "fourcasts", "orecat"]) assert.ok(!isSlip(other, "forecast"), other);
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (left, right) => {
      assert.equal(isSlip(left, right), isSlip(right, left));
    }),
  );
});

test("the best few are those that sorting everything would give", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.integer({ min: 0, max: 12 }), (scores, limit) => {
      const all = scores.map((_, at) => at);
      const sorted = [...all].sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
      assert.deepEqual(topOf(all, scores, limit), sorted.slice(0, limit));
    }),
  );
});
