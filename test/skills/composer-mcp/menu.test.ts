/** Filter-as-you-type: what fits better stands first. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { catalogue, createMenu } from "../../../skills/composer-mcp/composer-mcp.ts";
import { inventory, server } from "../../support/inventories.ts";

const entries = catalogue(
  inventory(
    server("github", ["list_issues", "create_issue", "search", "getFileContents"]),
    server("git", ["status", "log"]),
    server("my server", ["digest"]),
    server("google-drive", ["list_files"]),
  ),
);
const menu = createMenu(entries);

function filter(typed: string, limit?: number): string[] {
  return menu.filter(typed, limit === undefined ? {} : { limit }).map(({ command }) => command.slice("/mcp:".length));
}

test("nothing typed, or only a part of the prefix, gives the catalogue's beginning", () => {
  for (const typed of ["", "/", "/m", "/mcp", "/mcp:", "  "]) {
    assert.deepEqual(menu.filter(typed, { limit: 3 }), entries.slice(0, 3));
  }
});

for (const [typed, first] of [
  ["git", ["git", "github", "git:log", "git:status"]],
  ["/mcp:git", ["git", "github"]],
  ["GITHUB", ["github", "github:search"]],
  ["list", ["github:list_issues", "google-drive:list_files"]],
  ["issue", ["github:list_issues", "github:create_issue"]],
  ["li", ["github:list_issues", "google-drive:list_files"]],
  ["file", ["github:getFileContents", "google-drive:list_files"]],
  ["ghlist", ["github:list_issues"]],
  ["github:li", ["github:list_issues"]],
  ["git li", ["github:list_issues"]],
  ["drive files", ["google-drive:list_files"]],
  ["gfc", ["github:getFileContents"]],
  ["/mcp:my%20s", ["my%20server", "my%20server:digest"]],
  ["my s", ["my%20server", "my%20server:digest"]],
  ["gest", ["my%20server:digest"]],
  ["crisu", ["github:create_issue"]],
] as const) {
  test(`"${typed}" gives ${first.join(", ")} first`, () =>
    assert.deepEqual(filter(typed).slice(0, first.length), first));
}

test("what does not fit is not there, and the limit holds", () => {
  assert.deepEqual(filter("xyz"), []);
  assert.deepEqual(filter("%"), []);
  assert.equal(filter("g", 2).length, 2);
});

test("every entry is found by its command, its id and its name, and first by its command", () => {
  for (const entry of entries) {
    assert.deepEqual(menu.filter(entry.command)[0], entry);
    assert.ok(menu.filter(entry.title.split(": ").at(-1) ?? "").includes(entry), entry.title);
  }
});

test("any typed text gives entries of the catalogue, each once", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."gitlsue_: /%é"), maxLength: 10 }), (typed) => {
      const found = menu.filter(typed);
      assert.equal(new Set(found).size, found.length);
      for (const entry of found) assert.ok(entries.includes(entry));
    }),
    { numRuns: 200 },
  );
});
