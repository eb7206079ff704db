/** `mcp-skills query` on the three public servers of this repository, as real processes. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Handoff, Results } from "../../runtime/core/contracts.ts";
import { parseResults } from "../../runtime/core/results-fence.ts";
import { ROOT, runCli } from "../support/cli.ts";

const CONFIG = ["--config", join(ROOT, ".mcp.json"), "--quiet"];

async function query(...args: string[]): Promise<{ payload: Results; handoff: Handoff }> {
  const { code, stdout, stderr } = await runCli(["query", ...CONFIG, ...args]);
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  const { payload, handoff } = parseResults(stdout);
  return { payload, handoff };
}

test("without a tool, the read that serves the question is chosen and called", { timeout: 60_000 }, async () => {
  const { payload, handoff } = await query("--intent", "read the knowledge graph");
  assert.equal(payload.query.tool, "memory/read_graph");
  assert.equal(payload.query.available, true);
  assert.deepEqual((payload.query.raw_result as { structuredContent: unknown }).structuredContent, {
    entities: [],
    relations: [],
  });
  assert.deepEqual(
    payload.mcps_detected.map(({ name, used }) => [name, used]),
    [
      ["everything", false],
      ["filesystem", false],
      ["memory", true],
    ],
  );
  assert.deepEqual([payload.graceful_degradation, payload.skipped, handoff.status], [false, [], "ok"]);
});

test("a named tool is called with its arguments", { timeout: 60_000 }, async () => {
  const { payload } = await query(
    "--intent",
    "notes",
    "--tool",
    "filesystem/read_text_file",
    "--args",
    '{"path":"notes.md"}',
  );
  const { content } = payload.query.raw_result as { content: { type: string; text: string }[] };
  assert.equal(content[0]?.text, readFileSync(join(ROOT, "examples/notes.md"), "utf8"));
});

test("an image comes as what it is", { timeout: 60_000 }, async () => {
  const { payload } = await query("--intent", "an image", "--tool", "everything/get-tiny-image");
  const { content } = payload.query.raw_result as { content: { type: string; data?: string; mimeType?: string }[] };
  const block = content.find(({ type }) => type === "image");
  assert.equal(block?.mimeType, "image/png");
  assert.equal(
    Buffer.from(block?.data ?? "", "base64")
      .subarray(1, 4)
      .toString(),
    "PNG",
  );
});

test("a write is not called, also by its name", { timeout: 60_000 }, async () => {
  const args = ["--tool", "memory/create_entities", "--args", '{"entities":[]}'];
  const { payload, handoff } = await query("--intent", "remember", ...args);
  assert.equal(payload.query.available, false);
  assert.equal(payload.query.raw_result, null);
  assert.match(payload.mcps_detected[0]?.notes ?? "", /^refused: create_entities: it writes/);
  assert.deepEqual([payload.graceful_degradation, handoff.status], [true, "degraded"]);
});

test("a delegation that lacks fields blocks before anything is started", { timeout: 60_000 }, async () => {
  const delegation =
    "Session: s-1\nTask: mcp-query\nRequest: read the graph\nContext: the memory MCP\niteration_count: 2\n";
  const options = { stdin: delegation };
  const { code, stdout } = await runCli(["query", ...CONFIG, "--delegation", "-"], options);
  assert.equal(code, 2);
  const { payload, handoff } = parseResults(stdout);
  assert.deepEqual([handoff.status, handoff.iteration_count, payload.query.tool], ["blocked", 2, null]);
  assert.match(handoff.notes, /^missing: Run path; /);
});

test("rules of the host that cannot be read are an error, reported before anything is started", {
  timeout: 60_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "query-"));
  try {
    mkdirSync(join(folder, ".claude"));
    writeFileSync(join(folder, ".claude/settings.json"), '{"permissions":{"deny":"all"}');
    const { code, stdout, stderr } = await runCli(["query", ...CONFIG, "--intent", "read the graph"], { cwd: folder });
    assert.equal(code, 1);
    assert.match(stderr, /settings\.json/);
    const { payload, handoff } = parseResults(stdout);
    assert.deepEqual([handoff.status, payload.query.tool], ["error", null]);
    assert.match(handoff.notes, /^error: /);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("wrong usage says what to do", { timeout: 60_000 }, async () => {
  const wrong = [
    ["--intent", "x", "--tool", "memory"],
    ["--intent", "x", "--args", "{}"],
    ["--intent", "x", "--tool", "a/b", "--args", "[]"],
  ];
  for (const { code, stdout, stderr } of await Promise.all(wrong.map((args) => runCli(["query", ...args])))) {
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, /^mcp-skills: .+\(.+\)\n$/);
  }
});
