import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import type { Results } from "../../../runtime/core/contracts.ts";
import { carryResult } from "../../../runtime/core/raw-result.ts";
import { emitResults, MAX_MESSAGE_LENGTH, parseResults } from "../../../runtime/core/results-fence.ts";

function roundTrip(raw_result: Results["query"]["raw_result"]): unknown {
  const payload: Results = {
    mcps_detected: [],
    clis_detected: [],
    research_tools: [],
    graceful_degradation: false,
    skipped: [],
    query: { intent: "", tool: "a/b", available: true, raw_result },
  };
  const message = emitResults(payload, { status: "ok", task: "mcp-query", notes: "", iteration_count: 1 });
  return parseResults(message).payload.query.raw_result;
}

test("content, images, resources and structured content are carried as what they are", () => {
  const result = {
    content: [
      { type: "text", text: "a" },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      { type: "audio", data: "UklGRg==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "demo://1", mimeType: "text/plain", text: "b" } },
      { type: "resource_link", uri: "file:///c", name: "c" },
    ],
    structuredContent: { temperature: -0, list: [1, null, true] },
    _meta: { "example.org/x": 1 },
  };
  assert.equal(carryResult(result), result);
  assert.deepEqual(roundTrip(carryResult(result)), result);
});

test("a result over the cap is cut between characters, with the length and hash of the whole", () => {
  const result = { content: [{ type: "text", text: "aé€😀".repeat(50) }] };
  const whole = JSON.stringify(result);
  for (let cap = 30; cap < 60; cap++) {
    const carried = carryResult(result, cap) as { truncated: boolean; bytes: number; sha256: string; text: string };
    assert.deepEqual(
      { ...carried, text: "" },
      {
        truncated: true,
        bytes: Buffer.byteLength(whole),
        sha256: createHash("sha256").update(whole).digest("hex"),
        text: "",
      },
    );
    assert.ok(whole.startsWith(carried.text) && !/\p{Cs}|\ufffd/u.test(carried.text));
    assert.ok(Buffer.byteLength(carried.text) <= cap && Buffer.byteLength(carried.text) > cap - 4);
  }
  assert.equal(carryResult(result, Buffer.byteLength(whole)), result);
});

test("what no reader should take as an object is carried as JSON text", () => {
  const unsafe = '{"__proto__":{"isAdmin":true},"constructor":1}';
  assert.deepEqual(carryResult(JSON.parse(unsafe)), { json_text: unsafe, reason: "unsafe-key" });
  let deep: unknown = 1;
  for (let at = 0; at < 20_000; at++) deep = [deep];
  const carried = carryResult({ structuredContent: deep }) as { json_text: string; reason: string };
  assert.equal(carried.reason, "too-deep");
  assert.equal(carried.json_text.length, 40_001 + '{"structuredContent":}'.length);
  assert.equal((carryResult({ content: [Number.POSITIVE_INFINITY] }) as { reason: string }).reason, "not-json");
  assert.deepEqual(roundTrip(carried), carried);
});

test("the deepest result that is carried as an object fits into the fence", () => {
  let value: unknown = "end";
  for (let depth = 0; depth < 210; depth++) {
    value = depth % 2 === 0 ? [value] : { a: value };
    if (depth < 190) continue;
    const carried = carryResult(value);
    assert.deepEqual(roundTrip(carried), carried);
  }
});

test("a result of the largest size fits into one message, however much of it is indentation", () => {
  let value: unknown = new Array(45_000).fill(1);
  for (let depth = 0; depth < 190; depth++) value = [value];
  const carried = carryResult(value);
  assert.equal(carried, value);
  assert.deepEqual(roundTrip(carried), value);
  assert.ok(MAX_MESSAGE_LENGTH > 6 * 2_000_000);
});

test("any result and any cap give plain JSON that survives the fence", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.integer({ min: 1, max: 200 }), (value, cap) => {
      const carried = carryResult(value, cap);
      assert.deepEqual(roundTrip(carried), carried);
    }),
    { numRuns: 200 },
  );
});
