import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ROOT, runCli } from "../../support/cli.ts";

test("--version says what package.json says", async () => {
  const { version } = JSON.parse(readFileSync(`${ROOT}package.json`, "utf8"));
  const { code, stdout } = await runCli(["--version"]);
  assert.equal(code, 0);
  assert.equal(stdout.trim(), version);
});
