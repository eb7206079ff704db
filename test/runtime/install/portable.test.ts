/** The portable profile: each deviation is told with its line, who stumbles over it, and what to write; the pack has none. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { portableFindings } from "../../../runtime/install/portable.ts";
import { ROOT, runCli } from "../../support/cli.ts";
import { newFolder, skillText, temporaryFolder, writeFiles } from "../../support/skill-folders.ts";

const root = temporaryFolder();
const FILE = "/skills/my-skill/SKILL.md";

const findings = (text: string | Uint8Array, file = FILE) =>
  portableFindings(typeof text === "string" ? Buffer.from(text) : text, file);

const skill = (...lines: string[]) => `---\n${lines.join("\n")}\n---\n\n# My skill\n`;
const NAME = "name: my-skill";
const DESCRIPTION = "description: Do one thing well. Use it when that thing is wanted.";

const DEVIATIONS: [what: string, text: string, line: number, says: RegExp][] = [
  ["a byte order mark", `\uFEFF${skill(NAME, DESCRIPTION)}`, 1, /Gemini/],
  ["Windows line ends", skill(NAME, DESCRIPTION).replaceAll("\n", "\r\n"), 1, /line feeds/],
  ["no name", skill(DESCRIPTION), 2, /no name/],
  ["an underscore in the name", skill("name: my_skill", DESCRIPTION), 2, /VS Code/],
  ["a name that is not the folder's", skill("name: other", DESCRIPTION), 2, /folder/],
  ["no description", skill(NAME), 2, /pi and Copilot/],
  ["an empty description", skill(NAME, "description:"), 3, /pi and Copilot/],
  ["a block", skill(NAME, "description: >-", "  folded"), 3, /openskills/],
  ["a description over two lines", skill(NAME, "description: goes", "  on"), 3, /first one only/],
  ["a quoted description", skill(NAME, 'description: "quoted"'), 3, /quotes/],
  ["a colon", skill(NAME, "description: Use this when: asked"), 3, /OpenCode/],
  ["a number sign", skill(NAME, "description: Handles issue #7 and others"), 3, /cuts it/],
  ["a sign of YAML's own", skill(NAME, "description: *bold* words"), 3, /OpenCode/],
  ["a lone bracket", skill(NAME, "description: ] first"), 3, /something else/],
  ["a number", skill(NAME, "description: 2026"), 3, /something else/],
  ["three dashes", skill(NAME, "description: Routes --- then calls"), 3, /skills-ref cuts/],
  ["angle brackets", skill(NAME, "description: Fills in <name>"), 3, /claude\.ai/],
  ["1,025 characters", skill(NAME, `description: ${"x".repeat(1025)}`), 3, /1,024/],
  ["600 emoji, 1,200 units", skill(NAME, `description: ${"😀".repeat(600)}`), 3, /1,024/],
  ["a key of a host", skill(NAME, DESCRIPTION, "argument-hint: file"), 4, /argument-hint/],
  ["tools as a list", skill(NAME, DESCRIPTION, "allowed-tools:", "  - Read"), 4, /list/],
  ["a flow list", skill(NAME, DESCRIPTION, "allowed-tools: [Read, Bash]"), 4, /flow style|list/],
  ["a tab", skill(NAME, DESCRIPTION, "metadata:", '\tauthor: "me"'), 5, /tab/],
  ["an unquoted value", skill(NAME, DESCRIPTION, "metadata:", "  version: 1.0"), 5, /double quotes/],
  ["nested metadata", skill(NAME, DESCRIPTION, "metadata:", "  more:", '    deep: "x"'), 5, /crush/],
  ["a hidden skill", skill(NAME, DESCRIPTION, "metadata:", '  internal: "true"'), 5, /hides/],
  ["a long body", `${skill(NAME, DESCRIPTION)}${"line\n".repeat(600)}`, 5, /500 lines/],
];

for (const [what, text, line, says] of DEVIATIONS) {
  test(`${what} is told, with its line and what to write`, () => {
    const told = findings(text).find(({ message }) => says.test(message));
    assert.ok(told !== undefined, findings(text).join("\n"));
    assert.equal(told.line, line);
    assert.equal(told.code, "not-portable");
    assert.ok((told.fix ?? "").length > 3);
  });
}

test("a plain skill has nothing to be told, with every key of the specification", () => {
  const more = [
    "license: MIT",
    "compatibility: Needs Node 20",
    "metadata:",
    '  author: "somebody"',
    "allowed-tools: Read Bash",
  ];
  assert.deepEqual(findings(skill(NAME, DESCRIPTION, ...more)), []);
});

test("the pack's own skills are portable", () => {
  const folder = join(ROOT, "skills");
  for (const name of readdirSync(folder)) {
    const file = join(folder, name, "SKILL.md");
    assert.deepEqual(findings(readFileSync(file), file), [], name);
  }
});

test("a description without findings is the same text to a YAML parser and to a reader of lines", () => {
  const words = fc.string({
    unit: fc.constantFrom(...("ab :#-<>\"'`@*&!%[]{}|,?é😀\t".match(/./gu) as string[])),
    maxLength: 30,
  });
  fc.assert(
    fc.property(words, (text) => {
      const whole = skill(NAME, `description: ${text}`);
      if (findings(whole).length > 0) return;
      const yaml = whole.split("---\n")[1] ?? "";
      assert.equal(parse(yaml).description, text.trim());
    }),
    { numRuns: 2000 },
  );
});

test("validate --portable names file, line and fix, and exits 1; without the option the same skill holds", async () => {
  const folder = newFolder(root);
  writeFiles(folder, {
    "first/SKILL.md": skillText("first").replace("license: MIT", "license: MIT\nmetadata:\n  a: b"),
  });
  const told = await runCli(["validate", folder, "--portable"]);
  assert.equal(told.code, 1);
  assert.match(told.stdout, /portable .*SKILL\.md:6.*double quotes/);
  assert.equal((await runCli(["validate", folder])).code, 0);
  const { findings: listed } = JSON.parse((await runCli(["validate", folder, "--portable", "--json"])).stdout);
  assert.equal(listed.length, 1);
});
