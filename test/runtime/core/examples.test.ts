import assert from "node:assert/strict";
import { test } from "node:test";
import { readExamples } from "../../../runtime/core/examples.ts";

const fence = (info: string, body: string) => `\`\`\`${info}\n${body}\n\`\`\`\n`;

test("an example names its handler, input and output or error, and its line", async () => {
  const markdown = `# A\n\n${fence("json example a_b", '{ "input": 1, "output": [2] }')}\n${fence("json example c", '{ "input": {}, "error": "bad" }')}`;
  assert.deepEqual(await readExamples(markdown, "x.md", 10), [
    { handler: "a_b", input: 1, expected: { output: [2] }, line: 12 },
    { handler: "c", input: {}, expected: { error: "bad" }, line: 16 },
  ]);
});

test("other fences are no examples, nor is one inside a quotation or a longer fence", async () => {
  const inner = fence("json example a", "{}");
  const markdown = `${fence("json", "{}")}${fence("sh", "ls")}\n> ${inner.replaceAll("\n", "\n> ")}\n\n\`\`\`\`md\n${inner}\`\`\`\`\n`;
  assert.deepEqual(await readExamples(markdown, "x.md"), []);
});

test("an example that cannot be read is an error with its line", async () => {
  const both = '{ "input": 1, "output": 1, "error": "x" }';
  for (const body of ["{ oops", "{}", '{ "input": 1 }', "null", "5", "[]", '{ "input": 1, "error": 5 }', both]) {
    await assert.rejects(readExamples(`\n${fence("json example a", body)}`, "x.md"), {
      name: "PackError",
      code: "bad-example",
      line: 2,
    });
  }
});

test("an example in a list is one as well; one that names no handler, or two, is an error", async () => {
  const listed = `1. Ask:\n\n   ${fence("json example a", '{ "input": 1, "output": 2 }').trimEnd().replaceAll("\n", "\n   ")}\n`;
  assert.deepEqual(
    (await readExamples(listed, "x.md")).map(({ handler, line }) => [handler, line]),
    [["a", 3]],
  );
  for (const info of ["json example", "json example a b"]) {
    await assert.rejects(readExamples(fence(info, "{}"), "x.md"), { code: "bad-example", line: 1, fix: /<handler>/ });
  }
});
