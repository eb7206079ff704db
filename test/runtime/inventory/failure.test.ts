/** What is told of a failure holds none of the secrets that the server was given, wherever the server repeats them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { failureOf } from "../../../runtime/inventory/failure.ts";

const secret = fc.stringMatching(/^[A-Za-z0-9_+/-]{8,40}$/);
const around = fc.string({ maxLength: 400 });

test("G7: no secret survives in a failure's words: in an error, a cause, stderr, cut or whole", () => {
  fc.assert(
    fc.property(secret, around, around, fc.boolean(), (value, before, after, crashed) => {
      fc.pre(!`${before}${after}`.includes(value.slice(0, 4)));
      const line = `${before}${value}${after}`;
      const failure = failureOf(new Error(line, { cause: new Error(line) }), {
        phase: "tools/call",
        secrets: [value],
        stderr: [line],
        ended: crashed ? { code: 1, signal: null } : null,
      });
      assert.ok(!JSON.stringify(failure).includes(value));
      // Nor its beginning, where the message was cut to its length.
      assert.ok(!failure.message.includes(value.slice(0, 8)));
    }),
    { numRuns: 300 },
  );
});

test("G7: what looks like a token is replaced even where nobody said that it is one", () => {
  for (const token of ["ghp_abcdefghijklmnop1234", "sk-abcdefghijkl", "Bearer abcdefghijkl", "xoxb-123456789-abc"]) {
    const { message } = failureOf(new Error(`denied: ${token} is wrong`), { phase: "initialize" });
    assert.ok(!message.includes(token.slice(-8)), message);
  }
});
