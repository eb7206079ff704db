/** persist and runs from the command line, on the message that discover itself prints. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCli } from "../support/cli.ts";

const root = mkdtempSync(join(tmpdir(), "mcp skills runs "));
after(() => rmSync(root, { recursive: true, force: true }));

test("what discover prints is persisted, listed and shown", { timeout: 60_000 }, async () => {
  const config = join(root, "none.json");
  writeFileSync(config, '{ "mcpServers": {} }');
  const { stdout: message } = await runCli(["discover", "--config", config, "--prompt", "we have the GitHub MCP"]);
  const run = join(root, "runs", "s-1");
  mkdirSync(run, { recursive: true });
  const persisted = await runCli(["persist", "--run", run, "--json"], { stdin: message });
  assert.equal(persisted.code, 0, persisted.stderr);
  assert.equal(JSON.parse(persisted.stdout).number, 1);
  const listed = await runCli(["runs", join(root, "runs"), "--json"]);
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ session }: { session: string }) => session),
    ["s-1"],
  );
  const shown = await runCli(["runs", run]);
  assert.equal(shown.code, 0);
  assert.match(shown.stdout, /expected: github/);
  assert.match(shown.stdout, /available: false/);
});

test("a bad message exits 2, a run that cannot be written exits 1, and both say what to do", {
  timeout: 60_000,
}, async () => {
  const bad = await runCli(["persist", "--run", join(root, "s-2")], { stdin: "nothing" });
  assert.equal(bad.code, 2);
  assert.match(bad.stderr, /mcp-results/);
  const missing = await runCli(["persist"], { stdin: "nothing" });
  assert.equal(missing.code, 2);
  const config = join(root, "none.json");
  const { stdout: message } = await runCli(["discover", "--config", config]);
  const unwritable = await runCli(["persist", "--run", "/proc/1/s-3"], { stdin: message });
  assert.equal(unwritable.code, 1);
});
