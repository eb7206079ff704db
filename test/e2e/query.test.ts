/** `mcp-skills query` on the three public servers of this repository, as real processes. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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

test("images and structured content come as what they are", { timeout: 60_000 }, async () => {
  const args = ["--tool", "everything/get-structured-content", "--args", '{"location":"Chicago"}'];
  const [image, structured] = await Promise.all([
    query("--intent", "an image", "--tool", "everything/get-tiny-image"),
    query("--intent", "weather", ...args),
  ]);
  const { content } = image.payload.query.raw_result as {
    content: { type: string; data?: string; mimeType?: string }[];
  };
  const block = content.find(({ type }) => type === "image");
  assert.equal(block?.mimeType, "image/png");
  assert.equal(
    Buffer.from(block?.data ?? "", "base64")
      .subarray(1, 4)
      .toString(),
    "PNG",
  );
  assert.ok((structured.payload.query.raw_result as { structuredContent?: object }).structuredContent);
});

test("a write is neither called nor chosen", { timeout: 60_000 }, async () => {
  const args = ["--tool", "memory/create_entities", "--args", '{"entities":[]}'];
  const [named, chosen] = await Promise.all([
    query("--intent", "remember", ...args),
    query("--intent", "delete entities, write file, create directory"),
  ]);
  assert.equal(named.payload.query.available, false);
  assert.equal(named.payload.query.raw_result, null);
  assert.match(named.payload.mcps_detected[0]?.notes ?? "", /^refused: create_entities: it writes/);
  assert.deepEqual([named.payload.graceful_degradation, named.handoff.status], [true, "degraded"]);
  assert.doesNotMatch(chosen.payload.query.tool ?? "", /delete|write|create/);
});

test("a tool or a server that is not there is reported, and the run goes on", { timeout: 60_000 }, async () => {
  const [noTool, noServer] = await Promise.all([
    query("--intent", "x", "--tool", "memory/forget"),
    query("--intent", "x", "--tool", "slack/search", "--prompt", "Use the Slack MCP."),
  ]);
  assert.deepEqual(noTool.payload.skipped, ["expected: memory; available: false (not-found: it has no tool forget)"]);
  assert.deepEqual(noServer.payload.skipped, ["expected: slack; available: false (not in the harness's tool list)"]);
  for (const { payload, handoff } of [noTool, noServer]) {
    assert.deepEqual([payload.query.tool, payload.graceful_degradation, handoff.status], [null, true, "degraded"]);
  }
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

test("wrong usage says what to do", async () => {
  const wrong = [
    [],
    ["--intent", "x", "--tool", "memory"],
    ["--intent", "x", "--args", "{}"],
    ["--intent", "x", "--tool", "a/b", "--args", "{"],
    ["--intent", "x", "--tool", "a/b", "--args", "[]"],
    ["--intent", "x", "--max-bytes", "0"],
  ];
  for (const { code, stdout, stderr } of await Promise.all(wrong.map((args) => runCli(["query", ...args])))) {
    assert.deepEqual([code, stdout], [2, ""], stderr);
    assert.match(stderr, /^mcp-skills: .+\(.+\)\n$/);
  }
});
