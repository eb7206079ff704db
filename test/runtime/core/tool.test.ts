/** Qualified names: what is one, what is none, and that splitting gives back what was joined. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  isUnambiguousServer,
  parseQualifiedName,
  qualifiedName,
  splitQualifiedName,
} from "../../../runtime/core/tool.ts";

test("the first double underscore after the prefix separates", () => {
  assert.deepEqual(splitQualifiedName("mcp__git_hub__list__all"), { server: "git_hub", tool: "list__all" });
  assert.deepEqual(splitQualifiedName("mcp__docs___search"), { server: "docs", tool: "_search" });
});

test("what is no qualified name is null, and nothing is trimmed into one", () => {
  const none = [
    "",
    "mcp",
    "mcp__",
    "mcp____x",
    "mcp__a",
    "mcp__a__",
    "mcp_a_b",
    "MCP__a__b",
    " mcp__a__b",
    "mcp__a__b ",
    "mcp__a__b\n",
  ];
  for (const name of [...none, "mcp__a__b\r\nmcp__evil__x", "mcp__a__b\u2028", "mcp__a\u0000__b", "x mcp__a__b"]) {
    assert.equal(splitQualifiedName(name), null, JSON.stringify(name));
    assert.throws(() => parseQualifiedName(name), { name: "PackError", code: "bad-tool-name" });
  }
});

test("a long name is never cut, so that no two names become one", () => {
  const long = "x".repeat(200);
  assert.equal(splitQualifiedName(`mcp__a__${long}y`)?.tool, `${long}y`);
});

test("servers whose names run into the separator, or are only alike, stay apart", () => {
  for (const server of ["", "a__b", "a_", "_", "__"]) assert.equal(isUnambiguousServer(server), false, server);
  for (const server of ["a", "a_b", "_a", "my-server", "my_server", "My.Server"]) {
    assert.ok(isUnambiguousServer(server), server);
    assert.equal(splitQualifiedName(qualifiedName(server, "x"))?.server, server);
  }
  assert.equal(qualifiedName("a", "b__c"), qualifiedName("a__b", "c"), "which is why a__b is ambiguous");
});

test("every pair of an unambiguous server and a tool without white space comes back", () => {
  const server = fc.stringMatching(/^[A-Za-z0-9.-]+(?:_[A-Za-z0-9.-]+)*$/);
  const tool = fc.stringMatching(/^[!-~é日]+$/u);
  fc.assert(
    fc.property(server, tool, (serverName, toolName) => {
      assert.ok(isUnambiguousServer(serverName));
      assert.deepEqual(splitQualifiedName(qualifiedName(serverName, toolName)), { server: serverName, tool: toolName });
    }),
    { numRuns: 200 },
  );
});

test("no two pairs of unambiguous servers share a name", () => {
  const part = fc.stringMatching(/^[a_]{1,4}$/);
  fc.assert(
    fc.property(part, part, part, part, (serverA, toolA, serverB, toolB) => {
      fc.pre(isUnambiguousServer(serverA) && isUnambiguousServer(serverB));
      fc.pre(serverA !== serverB || toolA !== toolB);
      assert.notEqual(qualifiedName(serverA, toolA), qualifiedName(serverB, toolB));
    }),
    { numRuns: 300 },
  );
});

test("any text is split or not, and never throws anything but a PackError", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      splitQualifiedName(text);
      try {
        parseQualifiedName(`mcp__${text}`);
      } catch (error) {
        assert.equal((error as Error).name, "PackError");
      }
    }),
    { numRuns: 300 },
  );
});
