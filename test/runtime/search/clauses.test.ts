/** A long request is taken apart into what it asks for, and a hostile one costs no more than its length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { clausesOf } from "../../../runtime/search/clauses.ts";

const APART: [request: string, clauses: string[]][] = [
  [
    "find the flaky test, then file an issue and tell the channel",
    ["find the flaky test", "file an issue", "tell the channel"],
  ],
  ["Read the log. Close the ticket; mail me!", ["Read the log", "Close the ticket", "mail me"]],
  ["- list issues\n- close the old ones\n- notify\n", ["- list issues", "- close the old ones", "- notify"]],
  ["run the tests, and then deploy", ["run the tests", "deploy"]],
  [
    "book a room, please invite the team and finally send the notes",
    ["book a room", "please invite the team", "send the notes"],
  ],
  ["下载文件，然后发送邮件。", ["下载文件", "然后发送邮件"]],
];

for (const [request, clauses] of APART) {
  test(`${JSON.stringify(request)} has ${clauses.length} parts`, () => {
    assert.deepEqual(clausesOf(request), clauses);
  });
}

test("what is one thing stays whole: two nouns, a place, a number, an abbreviation, an address", () => {
  for (const request of [
    "issues and pull requests",
    "compare bun and the others and of the runtimes",
    "update to 2.5 of https://example.test/a.b?c=d",
    "files, e.g. logs",
    "search in the notes, with the tags",
  ]) {
    assert.equal(clausesOf(request).length, 1, request);
  }
});

test("no text, only signs, and one word: nothing is made up", () => {
  assert.deepEqual([clausesOf(""), clausesOf(" . ; \n !"), clausesOf("help")], [[], [], ["help"]]);
});

test("whatever comes in, the clauses are at most as many as asked for, and none is empty", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 1, max: 20 }), (text, limit) => {
      const clauses = clausesOf(text, limit);
      assert.ok(clauses.length <= limit);
      assert.ok(clauses.every((clause) => clause !== ""));
    }),
  );
});

test("C5: a megabyte of what the patterns look for is read once, up to the cap", () => {
  for (const unit of [" ", "a, ", ", and", "and the ", ". ", "then ", "x", ", please "]) {
    assert.ok(clausesOf(unit.repeat(2 ** 20 / unit.length)).length <= 16);
  }
});
