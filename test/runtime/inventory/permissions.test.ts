/** The host's permission files: joined, and never passed over when one cannot be read. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PackError } from "../../../runtime/core/errors.ts";
import { readPermissions } from "../../../runtime/inventory/permissions.ts";

async function withFiles<Result>(
  files: Record<string, string>,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "permissions-"));
  try {
    mkdirSync(join(folder, ".claude"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, ".claude", name), text);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("both files are joined; what is not there has no rules", async () => {
  const rules = await withFiles(
    {
      "settings.json": JSON.stringify({ model: "x", permissions: { allow: ["mcp__a"], deny: ["mcp__b__c"] } }),
      "settings.local.json": '\uFEFF{ "permissions": { "allow": ["mcp__d__*"], "ask": ["mcp__e"], }, // mine\n}',
    },
    readPermissions,
  );
  assert.deepEqual(rules, { allow: ["mcp__a", "mcp__d__*"], ask: ["mcp__e"], deny: ["mcp__b__c"] });
  assert.deepEqual(await withFiles({}, readPermissions), { allow: [], ask: [], deny: [] });
  assert.deepEqual(await withFiles({ "settings.json": "" }, readPermissions), { allow: [], ask: [], deny: [] });
});

test("a file that cannot be read stops everything, with its place", async () => {
  const broken = await withFiles({ "settings.json": '{\n  "permissions": { "deny": [ }\n}' }, (folder) =>
    readPermissions(folder).catch((error: unknown) => error),
  );
  assert.ok(broken instanceof PackError);
  assert.deepEqual([broken.code, broken.line], ["bad-settings", 2]);
  for (const permissions of [{ deny: "mcp__a" }, { deny: [1] }, { allow: {} }]) {
    const error = await withFiles({ "settings.local.json": JSON.stringify({ permissions }) }, (folder) =>
      readPermissions(folder).catch((caught: unknown) => caught),
    );
    assert.equal((error as PackError).code, "bad-settings");
  }
});

test("a pipe in a file's place is told, and not waited for", { skip: process.platform === "win32" }, async () => {
  const error = await withFiles({}, (folder) => {
    execFileSync("mkfifo", [join(folder, ".claude/settings.json")]);
    return readPermissions(folder).catch((caught: unknown) => caught);
  });
  assert.equal((error as PackError).code, "bad-settings");
});
