/** The flow on disk: for each case of test/golden, every stage is what its file says. `mcp-skills trace --write` renews them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { traceCase } from "../../runtime/cli/trace.ts";
import { parseResults } from "../../runtime/core/results-fence.ts";
import { ROOT } from "../support/cli.ts";

const golden = join(ROOT, "test/golden");

for (const name of readdirSync(golden).sort()) {
  test(`${name}: every stage is as on disk, and the message reads back`, async () => {
    const folder = join(golden, name);
    const stages = await traceCase(folder);
    for (const [file, text] of stages) assert.equal(text, readFileSync(join(folder, file), "utf8"), file);
    const message = stages
      .slice(-2)
      .map(([, text]) => text)
      .join("");
    assert.doesNotThrow(() => parseResults(message));
  });
}
