/** Detection holds its figures on the labelled set, and ends on any text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DetectionSchema } from "../../../runtime/core/contracts.ts";
import { measureDetection, readCases } from "../../../scripts/bench/detect.ts";
import { detectTools } from "../../../skills/mcp-cli-discovery/mcp-cli-discovery.ts";
import { ROOT } from "../../support/cli.ts";

for (const half of ["untouched", "development"]) {
  test(`precision and recall are 0.97 or more on the ${half} half`, () => {
    const { cases, precision, recall } = measureDetection(readCases(`${ROOT}test/fixtures/detect/${half}.yaml`));
    assert.ok(cases >= 75);
    assert.ok(precision >= 0.97, `precision ${precision}`);
    assert.ok(recall >= 0.97, `recall ${recall}`);
  });
}

/** Each block would take minutes where any step over it were worse than linear. */
const HOSTILE = [
  "a",
  "a-",
  "`` ` ",
  "MCP ",
  "MCP servers: a, ",
  "the GitHub, Jira and ",
  "GitHub (MCP (",
  "[a](",
  '"a ',
  "don't use gh, ",
  "- x\n",
  "# MCP\n",
  "| a | b |\n",
  ". ",
  "Jira via MCP, ",
];

test("a megabyte of hostile text is read to its end", { timeout: 60_000 }, () => {
  const blocks = HOSTILE.map((part) => part.repeat(Math.ceil(1_000_000 / HOSTILE.length / part.length)));
  const prompt = `${blocks.join("\n\n")}\n\nWe have the GitHub MCP.`;
  assert.ok(prompt.length > 1_000_000);
  assert.ok(detectTools({ prompt }).mcps.some(({ name }) => name === "github"));
});

test("what is said after much of anything else is still heard", { timeout: 60_000 }, () => {
  for (const part of ["a", "a-", "` ", "(", "[a](", "x ~~", "# x\n", "- x\n", "don't. "]) {
    const prompt = `${part.repeat(10_000)}\n\nWe have the GitHub MCP.`;
    assert.deepEqual(
      detectTools({ prompt })
        .mcps.map(({ name }) => name)
        .filter((name) => name === "github"),
      ["github"],
      part,
    );
  }
});

test("any text and any list give a detection that fits its schema, each name once, and the same again", () => {
  const words = fc.constantFrom(
    "MCP",
    "GitHub",
    "`gh`",
    "don't",
    "use",
    ",",
    "and",
    "(",
    ")",
    ":",
    "\n",
    "- ",
    "the",
    "mcp__a__b",
    "once",
    ".",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(words).map((list) => list.join(" ")),
  );
  fc.assert(
    fc.property(text, text, fc.array(fc.oneof(text, fc.anything())), (prompt, copilotInstructions, harnessTools) => {
      const input = { prompt, copilotInstructions, harnessTools };
      const detection = DetectionSchema.parse(detectTools(input));
      for (const tools of [detection.mcps, detection.clis]) {
        assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
        for (const { name, sources } of tools) {
          assert.ok(name.length > 0 && name.length <= 64 && !/[\p{C}\s]/u.test(name), JSON.stringify(name));
          assert.ok(sources.length > 0);
        }
      }
      assert.deepEqual(detectTools(input), detection);
    }),
    { numRuns: 300 },
  );
});
