/** Every worked example of every SKILL.md holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PackError } from "../../runtime/core/errors.ts";
import { readExamples } from "../../runtime/core/examples.ts";
import { runHandler } from "../../runtime/core/handler.ts";
import { loadPack } from "../../runtime/pack.ts";
import { ROOT } from "../support/cli.ts";

const pack = await loadPack(`${ROOT}skills`);

test("every skill of the pack loads, without a warning", () => {
  assert.deepEqual(pack.errors, []);
  assert.deepEqual(
    pack.skills.flatMap((skill) => skill.warnings),
    [],
  );
});

for (const skill of pack.skills) {
  const examples = await readExamples(skill.body, skill.file, skill.bodyLine);

  test(`${skill.name}: each declared handler has a worked example`, () => {
    const shown = examples.map((example) => example.handler);
    for (const handler of skill.handlers) assert.ok(shown.includes(handler), `${handler} has no example`);
  });

  for (const example of examples) {
    test(`${skill.name}, line ${example.line}: the example of ${example.handler} holds`, async () => {
      const handler = pack.handlers.get(example.handler);
      assert.ok(handler, `no handler is called ${example.handler}`);
      const outcome = await runHandler(handler, example.input).then(
        (output) => ({ output }),
        (error: unknown) => ({ error: error instanceof PackError ? error.code : String(error) }),
      );
      assert.deepEqual(JSON.parse(JSON.stringify(outcome)), example.expected);
    });
  }
}
