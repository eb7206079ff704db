import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli } from "../../support/cli.ts";

test("the published schemas are those of the contracts, closed and complete", { timeout: 60_000 }, async () => {
  const { code, stdout } = await runCli(["schema", "results"]);
  assert.equal(code, 0);
  const schema = JSON.parse(stdout);
  assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
  assert.equal(schema.additionalProperties, false);
  assert.deepEqual(schema.required, [
    "mcps_detected",
    "clis_detected",
    "research_tools",
    "graceful_degradation",
    "skipped",
    "query",
  ]);
  assert.deepEqual(schema.properties.query.required, ["intent", "tool", "available", "raw_result"]);
  const handoff = JSON.parse((await runCli(["schema", "handoff"])).stdout);
  assert.deepEqual(handoff.properties.status.enum, ["ok", "blocked", "error", "degraded"]);
  const names = (await runCli(["schema"])).stdout.split("\n").map((line) => line.split("\t")[0]);
  assert.deepEqual(names, ["payload", "results", "handoff", ""]);
  assert.equal((await runCli(["schema", "result"])).code, 2);
});
