/** The token `/mcp:<server>[:<tool>]`: one spelling each, and the attacks on its decoding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { PackError } from "../../../runtime/core/errors.ts";
import { formatInvocation, parseInvocation } from "../../../skills/composer-mcp/composer-mcp.ts";

/** An id that a token can carry: anything that is well-formed and shows. */
const id = fc
  .oneof(fc.string({ unit: "grapheme", minLength: 1 }), fc.string({ unit: "binary", minLength: 1 }), fc.webUrl())
  .filter((text) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text));

function codeOf(run: () => unknown): string {
  try {
    return `no error, but ${JSON.stringify(run())}`;
  } catch (error) {
    return error instanceof PackError ? error.code : `not a PackError: ${error}`;
  }
}

test("E8: every well-formed id and tool name survives the round trip, colons, slashes, spaces and emoji included", () => {
  for (const name of [
    "a:b",
    "a/b",
    "my server",
    "👩‍💻",
    "café",
    "cafe\u0301",
    "100%",
    "a%2Fb",
    "__proto__",
    "!'()*-._~",
  ]) {
    assert.deepEqual(parseInvocation(formatInvocation(name)), { serverId: name });
    assert.deepEqual(parseInvocation(formatInvocation("x", name)), { serverId: "x", toolName: name });
  }
  fc.assert(
    fc.property(id, fc.option(id, { nil: undefined }), (serverId, toolName) => {
      const token = formatInvocation(serverId, toolName);
      assert.doesNotMatch(token, /\s/);
      assert.deepEqual(parseInvocation(token), toolName === undefined ? { serverId } : { serverId, toolName });
    }),
    { numRuns: 300 },
  );
});

test("two different pairs never share a token", () => {
  fc.assert(
    fc.property(id, id, id, id, (server, tool, otherServer, otherTool) => {
      fc.pre(server !== otherServer || tool !== otherTool);
      assert.notEqual(formatInvocation(server, tool), formatInvocation(otherServer, otherTool));
    }),
    { numRuns: 100 },
  );
});

test("E1, E4: a path is an id like any other, and decoding happens once", () => {
  assert.deepEqual(parseInvocation("/mcp:..%2F.."), { serverId: "../.." });
  assert.deepEqual(parseInvocation("/mcp:%2Fetc%2Fpasswd"), { serverId: "/etc/passwd" });
  assert.deepEqual(parseInvocation("/mcp:%252e%252e"), { serverId: "%2e%2e" });
});

for (const [row, tokens] of Object.entries({
  "E2: a control or a bidirectional mark": [
    "/mcp:a%00b",
    "/mcp:%0D%0A",
    "/mcp:%1B%5B2J",
    "/mcp:%E2%80%AE",
    "/mcp:a%C2%85",
  ],
  "E3: broken percent-encoding": [
    "/mcp:%",
    "/mcp:%zz",
    "/mcp:%C0%AF",
    "/mcp:%ED%A0%80",
    "/mcp:%F0%9F",
    "/mcp:%E0%A4%A",
  ],
  "E5: a spelling that the menu does not write": [
    "/mcp:%67ithub",
    "/mcp:git%68ub",
    "/mcp:github%2D",
    "/mcp:a%2fb",
    "/mcp:a b",
  ],
  "E6: another prefix, or white space": [
    "/MCP:github",
    "/mcp:github ",
    " /mcp:github",
    "/mcp :x",
    "／mcp:x",
    "/mcp：x",
    "mcp:x",
    "",
  ],
  "E7: an empty part, or one too many": ["/mcp:", "/mcp::tool", "/mcp:a:", "/mcp:a:b:c", "/mcp:a::c", "/mcp::"],
})) {
  test(`${row} is malformed`, () => {
    for (const token of tokens)
      assert.equal(
        codeOf(() => parseInvocation(token)),
        "malformed",
        JSON.stringify(token),
      );
  });
}

test("E8: an id that is empty, holds a lone surrogate or cannot be seen has no token", () => {
  for (const name of ["", "\ud800", "a\udc00b", "a\u0000", "a\nb", "\u202ea", "\u2028"]) {
    assert.equal(
      codeOf(() => formatInvocation(name)),
      "malformed",
      JSON.stringify(name),
    );
    assert.equal(
      codeOf(() => formatInvocation("x", name)),
      "malformed",
      JSON.stringify(name),
    );
  }
});

test("no text makes reading throw anything else, and what it reads is spelled as it was", () => {
  const token = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(..."%:/aF0 2e") }));
  fc.assert(
    fc.property(token, fc.boolean(), (rest, prefixed) => {
      const text = prefixed ? `/mcp:${rest}` : rest;
      try {
        const { serverId, toolName } = parseInvocation(text);
        assert.equal(formatInvocation(serverId, toolName), text);
      } catch (error) {
        assert.ok(error instanceof PackError, String(error));
        assert.equal(error.code, "malformed");
        assert.doesNotMatch(error.message, /[\p{Cc}\p{Cs}\p{Bidi_Control}]/u);
      }
    }),
    { numRuns: 300 },
  );
});
