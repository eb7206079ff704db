/** The question that a person is asked: whole, readable, and nothing in it that is not what it seems. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canAsk, questionText } from "../../../runtime/gateway/ask.ts";

const REASON = "it writes";

test("whatever stands in it, every part is on its line, the arguments read back whole, and nothing is unseen", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 });
  const args = fc.dictionary(text, fc.jsonValue({ stringUnit: "binary", noUnicodeString: false }));
  fc.assert(
    fc.property(text, text, args, (server, tool, given) => {
      const plain = JSON.parse(JSON.stringify(given)) as Record<string, unknown>;
      const question = questionText({ server, tool, args: plain, reason: REASON });
      const lines = question.split("\n");
      assert.equal(lines[0], "Run this call?");
      assert.ok(lines[1]?.startsWith("Server: "));
      assert.ok(lines[2]?.startsWith("Tool: "));
      assert.equal(lines[3], `Why you are asked: ${REASON}`);
      const shown = question.slice(question.indexOf("\nArguments: ") + "\nArguments: ".length);
      assert.deepEqual(JSON.parse(shown), plain);
      assert.doesNotMatch(question.replaceAll("\n", ""), /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
    }),
  );
});

test("a name that imitates the lines below it stays on its own", () => {
  const question = questionText({ server: "a\nTool: harmless", tool: "\u202eevil", args: {}, reason: REASON });
  assert.deepEqual(question.split("\n").slice(1, 3), ["Server: a\\u{a}Tool: harmless", "Tool: \\u{202e}evil"]);
});

test("arguments beyond what a person reads are refused instead of shortened", () => {
  const args = { text: "x".repeat(70_000) };
  assert.throws(() => questionText({ server: "s", tool: "t", args, reason: REASON }), { code: "too-large" });
});

test("a client can ask where it shows forms", () => {
  assert.equal(canAsk({ elicitation: {} }), true);
  assert.equal(canAsk({ elicitation: { form: {} } }), true);
  assert.equal(canAsk({ elicitation: { form: {}, url: {} } }), true);
  assert.equal(canAsk({ elicitation: { url: {} } }), false);
  assert.equal(canAsk({ sampling: {}, roots: {} }), false);
});
