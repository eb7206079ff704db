/** Whatever a server answers becomes a result that every client takes, within the caps, and says what is missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { refusalOf, withoutPaths } from "../../../runtime/gateway/refusal.ts";
import { beginning, cappedResult } from "../../../runtime/gateway/result-cap.ts";

const CAPS = { resultBytes: 1000, mediaBytes: 2000 };
const text = (value: string) => ({ type: "text" as const, text: value });

test("a result within the caps passes as it came", () => {
  const raw = {
    content: [text("a"), { type: "image", data: "AAAA", mimeType: "image/png" }],
    structuredContent: { a: [1, null] },
    _meta: { "x/y": 1 },
  };
  assert.deepEqual(cappedResult(raw, CAPS), raw);
  assert.deepEqual(cappedResult({ content: [text("no")], isError: true }, CAPS).isError, true);
});

test("a text over the cap is cut between characters, and the result says so", () => {
  const { content } = cappedResult({ content: [text("ab"), text("😀".repeat(1000)), text("lost")] }, CAPS);
  const [first, second, notice] = content as { text: string }[];
  assert.equal(content.length, 3);
  assert.equal(first?.text, "ab");
  assert.match(second?.text ?? "", /^(😀)+$/u);
  assert.match(notice?.text ?? "", /larger than 1000 bytes and is cut.*1 more part/);
});

test("media and structured content over the cap are left out whole, with a notice", () => {
  const image = { type: "image", data: "A".repeat(1500), mimeType: "image/png" };
  const result = cappedResult({ content: [image, image], structuredContent: { a: "x".repeat(5000) } }, CAPS);
  assert.equal(result.structuredContent, undefined);
  assert.deepEqual(
    result.content.map(({ type }) => type),
    ["image", "text"],
  );
  assert.match(JSON.stringify(result.content), /1 image.*left out.*|structured content was larger/);
  assert.equal(result.isError, undefined);
});

test("a tool that promised structured content has failed without it", () => {
  const raw = { content: [text("done")], structuredContent: { a: "x".repeat(5000) } };
  assert.equal(cappedResult(raw, CAPS, true).isError, true);
  assert.equal(cappedResult({ content: [text("done")] }, CAPS, true).isError, undefined);
});

test("what is no content becomes text, and what is no object goes", () => {
  const content = [text("fine"), { type: "unheard-of", a: 1 }, null, { type: "image" }, 7];
  const result = cappedResult({ content, structuredContent: [1], isError: "yes" }, CAPS);
  assert.deepEqual(
    (result.content as { text: string }[]).slice(0, 5).map((block) => block.text),
    ["fine", '{"type":"unheard-of","a":1}', "null", '{"type":"image"}', "7"],
  );
  assert.equal(result.structuredContent, undefined);
  assert.equal(result.isError, undefined);
  assert.deepEqual(cappedResult({}, CAPS).content, []);
});

test("any answer gives a valid result of bounded size", () => {
  const block = fc.oneof(
    fc.record({ type: fc.constant("text"), text: fc.string({ unit: "binary", maxLength: 3000 }) }),
    fc.record({ type: fc.constant("image"), data: fc.constant("AAAA".repeat(100)), mimeType: fc.constant("a/b") }),
    fc.record({
      type: fc.constant("resource"),
      resource: fc.record({ uri: fc.constant("a:b"), text: fc.string({ maxLength: 3000 }) }),
    }),
    fc.jsonValue(),
  );
  const raw = fc.record(
    { content: fc.oneof(fc.array(block, { maxLength: 60 }), fc.jsonValue()), structuredContent: fc.jsonValue() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(raw, (value) => {
      const result = cappedResult(value as Record<string, unknown>, CAPS);
      assert.ok(CallToolResultSchema.safeParse(result).success);
      const texts = result.content.map((one) => (one.type === "text" ? one.text : ""));
      assert.ok(Buffer.byteLength(texts.join("")) <= CAPS.resultBytes + 600);
    }),
  );
});

test("what nests without end costs only itself", () => {
  let deep: unknown = 1;
  for (let at = 0; at < 20_000; at++) deep = [deep];
  const result = cappedResult({ content: [text("a")], structuredContent: { deep }, _meta: { deep } }, CAPS);
  assert.deepEqual(JSON.parse(JSON.stringify(result)).structuredContent, undefined);
});

test("the beginning of a text is the longest that fits and never half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat({ max: 60 }), (value, bytes) => {
      const start = beginning(value, bytes);
      assert.ok(value.startsWith(start) && !/\p{Cs}/u.test(start));
      assert.ok(Buffer.byteLength(start) <= bytes);
      const next = String.fromCodePoint(value.slice(start.length).codePointAt(0) ?? 0);
      assert.ok(start === value || Buffer.byteLength(start + next) > bytes);
    }),
  );
});

test("errors name no place on this machine", () => {
  for (const [said, shown] of [
    ["cannot open /home/me/data/notes.db: no", "cannot open …/notes.db: no"],
    ["at file:///srv/app/index.js:3:7", "at …/index.js:3:7"],
    ["'C:\\Users\\me\\keys.txt' is locked", "'…/keys.txt' is locked"],
    ["\\\\host\\share\\a.txt", "…/a.txt"],
    ["~/.ssh/id_rsa is missing", "…/id_rsa is missing"],
    ["see https://example.org/a/b and and/or 1/2", "see https://example.org/a/b and and/or 1/2"],
  ]) {
    assert.equal(withoutPaths(said ?? ""), shown);
  }
  assert.doesNotMatch(JSON.stringify(refusalOf(new Error("ENOENT: open '/home/me/x.db'"), "it")), /home/);
});
