import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { describeError, PackError, printable } from "../../../runtime/core/errors.ts";

test("an error says where, what and what to do, in one line", () => {
  const error = new PackError("bad-row", "The row does not fit", { file: "a.md", line: 3, column: 5, fix: "Mend it" });
  assert.equal(describeError(error), "a.md:3:5: The row does not fit (Mend it)");
  assert.deepEqual(error.toJSON(), {
    code: "bad-row",
    message: "The row does not fit",
    fix: "Mend it",
    file: "a.md",
    line: 3,
    column: 5,
  });
});

test("a file's name cannot hide anything in the line that is shown", () => {
  const error = new PackError("x", "It does not fit", { file: "a\u001b[2J\u202e.md", line: 1 });
  assert.equal(describeError(error), "a\\u{1b}[2J\\u{202e}.md:1: It does not fit");
  assert.equal(describeError(new Error("a\nb")), "a\\u{a}b");
  assert.equal(describeError(null), "null");
});

test("an error's JSON holds neither the cause nor the stack", () => {
  const error = new PackError("x", "y", { cause: new Error("token=secret") });
  assert.deepEqual(Object.keys(error.toJSON()), ["code", "message"]);
  assert.doesNotMatch(JSON.stringify(error), /secret/);
});

test("what cannot be seen is shown, and long text is cut", () => {
  assert.equal(printable("a\u001b[2Jb\u202ec\u200bd"), "a\\u{1b}[2Jb\\u{202e}c\\u{200b}d");
  assert.equal(printable("x".repeat(300)).length, 200);
  assert.equal(printable("x".repeat(300), 10), `${"x".repeat(9)}…`);
});

test("no printed text holds a control, a bidi mark or a line break", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.doesNotMatch(printable(text), /[\p{C}\p{Zl}\p{Zp}]/u);
    }),
    { numRuns: 300 },
  );
});
