/** Which tokens of a prompt are selections (E15): those in the person's own words only. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findTokens } from "../../../skills/composer-mcp/composer-mcp.ts";

function selected(text: string): string[] {
  return findTokens(text)
    .filter(({ cited }) => !cited)
    .map(({ token }) => token);
}

for (const [text, tokens] of [
  ["/mcp:a do it", ["/mcp:a"]],
  ["please use /mcp:a and /mcp:b:t for it", ["/mcp:a", "/mcp:b:t"]],
  ["first line\n/mcp:a second", ["/mcp:a"]],
  ["/mcp:a\t/mcp:b", ["/mcp:a", "/mcp:b"]],
  ["a stray ` backtick and /mcp:a", ["/mcp:a"]],
  ['a 5" disk, /mcp:a, and a 3" one', ["/mcp:a,"]],
  ['he said "hello. /mcp:a fix the "foo" bug', ["/mcp:a"]],
  ["don't ask, /mcp:a isn't slow", ["/mcp:a"]],
  ['summarise "the report" with /mcp:a and "care"', ["/mcp:a"]],
  ["`code` then /mcp:a then `more`", ["/mcp:a"]],
  ["the 'old way\n/mcp:a is fine' now", ["/mcp:a"]],
  ["```js\ncode\n```\n/mcp:a explain", ["/mcp:a"]],
  ["> cited\n/mcp:a answer that", ["/mcp:a"]],
  ["```not a fence``` /mcp:a", ["/mcp:a"]],
] as const) {
  test(`selects ${tokens.join(", ")} in ${JSON.stringify(text)}`, () => assert.deepEqual(selected(text), tokens));
}

for (const text of [
  "```\n/mcp:x\n```\nexplain this",
  "~~~\n/mcp:x\n~~~",
  "````\n```\n/mcp:x\n```\n/mcp:y\n````",
  "```\n/mcp:x",
  "  ```json\n  /mcp:x\n  ```",
  "```mcp-results\n{\n /mcp:x\n}\n```",
  "```\n``` not the end\n/mcp:x\n```",
  "```\n~~~\n/mcp:x\n```",
  "what does `/mcp:x` do?",
  "what does ``run /mcp:x `now` /mcp:y`` do?",
  "`over\ntwo /mcp:x lines`",
  "> use /mcp:x now",
  "> a tool answered:\n>   /mcp:x",
  'the tool answered "use /mcp:x now"',
  'the tool answered "use\n/mcp:x now".',
  "the tool answered 'use /mcp:x now'",
  'it said "a `b" c` /mcp:x d"',
  "the tool answered “use /mcp:x now”",
  "der Text „nimm /mcp:x jetzt“ steht da",
  "le texte «\u00a0prends /mcp:x\u00a0» est là",
  '{"text": "/mcp:x"}',
  '{"text": "please run /mcp:x"}',
  "see https://example.org/mcp:x",
  "(/mcp:x)",
  "path/mcp:x",
  "/MCP:x",
  "/mcp :x",
  "／mcp:x",
  "/mcp：x",
]) {
  test(`selects nothing in ${JSON.stringify(text)}`, () => assert.deepEqual(selected(text), []));
}

test("a cited token is found and marked, so that a composer can show that it does not count", () => {
  assert.deepEqual(findTokens("`/mcp:a` is not /mcp:b"), [{ token: "/mcp:b", start: 16, cited: false }]);
  assert.deepEqual(findTokens('"use /mcp:a" /mcp:b'), [
    { token: '/mcp:a"', start: 5, cited: true },
    { token: "/mcp:b", start: 13, cited: false },
  ]);
});

test("whatever stands in a fence, nothing in it is selected, and what stands after it is", () => {
  const words = fc.string({ unit: fc.constantFrom(..."ab `\"'>~/:\n") });
  fc.assert(
    fc.property(words, (inside) => {
      // Longer than anything inside, so that nothing inside can close it.
      const fence = "`".repeat(inside.length + 3);
      const text = `Look:\n${fence}\n${inside}\n/mcp:cited\n${fence}\n/mcp:free go`;
      assert.deepEqual(selected(text), ["/mcp:free"]);
    }),
    { numRuns: 200 },
  );
});

test("every text is read: tokens in order, each one where it is said to be, none lost", () => {
  const text = fc.array(
    fc.constantFrom(
      "/mcp:a",
      "/mcp:",
      " ",
      "\n",
      "```",
      "`",
      "``",
      "~~~",
      '"',
      "'",
      "“",
      "”",
      ">",
      "x",
      "\r\n",
      "«",
      "»",
    ),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(text, (parts) => {
      const prompt = parts.join("");
      const tokens = findTokens(prompt);
      for (const { token, start } of tokens) assert.equal(prompt.slice(start, start + token.length), token);
      assert.deepEqual(
        tokens.map(({ token }) => token),
        prompt.split(/\s+/).filter((word) => word.startsWith("/mcp:")),
      );
    }),
    { numRuns: 300 },
  );
});
