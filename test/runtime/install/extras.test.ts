/** Hooks and paragraph: merged with what is there, and taken out again to the byte. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "jsonc-parser";
import { addHooks, addInstructions, removeExtras } from "../../../runtime/install/extras.ts";
import { hasHooks, withHooks, withoutHooks } from "../../../runtime/install/hook-settings.ts";
import { withBlock, withoutBlock } from "../../../runtime/install/instructions.ts";
import type { Target } from "../../../runtime/install/target.ts";
import { claudeTarget, newFolder, temporaryFolder, tree, writeFiles } from "../../support/skill-folders.ts";

const root = temporaryFolder();
const command = (argument: string) => `bun "$CLAUDE_PROJECT_DIR/.claude/skills/using-mcp/scripts/hook.mjs" ${argument}`;
const code = (wanted: string) => (error: unknown) => (error as { code?: string }).code === wanted;

const SETTINGS: Record<string, string> = {
  empty: "{}",
  plain: '{\n  "permissions": { "deny": ["mcp__x"] }\n}\n',
  "with comments and tabs":
    '{\n\t// what I allow\n\t"permissions": {\n\t\t"allow": ["Bash(ls)"], /* last */\n\t},\n}\n',
  "with hooks of others": `${JSON.stringify(
    {
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "mine" }] }],
        Stop: [{ hooks: [] }],
      },
      model: "x",
    },
    null,
    2,
  )}\n`,
  "with Windows line ends": '{\r\n    "model": "x"\r\n}\r\n',
};

for (const [name, before] of Object.entries(SETTINGS)) {
  test(`settings ${name}: hooks go in beside what is there and come out without a trace`, () => {
    const merged = withHooks(before, command, "settings.json");
    const { hooks, ...rest } = parse(merged);
    const { hooks: others, ...same } = parse(before, [], { allowTrailingComma: true });
    assert.deepEqual(rest, same);
    assert.equal(hooks.PreToolUse.at(-1).matcher, "mcp__.*");
    assert.equal(hooks.PreToolUse.length, (others?.PreToolUse?.length ?? 0) + 1);
    assert.equal(hooks.UserPromptSubmit[0].hooks[0].command, command("user-prompt-submit"));
    assert.equal(hooks.SessionStart.length, 1);
    assert.equal(withHooks(merged, command, "settings.json"), merged);
    const removed = withoutHooks(merged, "settings.json");
    if (name === "empty") assert.equal(removed, null);
    else
      assert.deepEqual(
        parse(removed ?? "", [], { allowTrailingComma: true }),
        parse(before, [], { allowTrailingComma: true }),
      );
    for (const comment of before.match(/\/\/.*|\/\*.*\*\//g) ?? []) assert.ok(removed?.includes(comment), comment);
  });
}

test("hooks of an earlier form are renewed, once", () => {
  const old = JSON.stringify({
    hooks: {
      PreToolUse: [
        {
          matcher: "mcp__.*",
          hooks: [{ type: "command", command: 'node "x/using-mcp/scripts/hook.mjs" pre-tool-use' }],
        },
      ],
    },
  });
  const { hooks } = parse(withHooks(old, command, "settings.json"));
  assert.equal(hooks.PreToolUse.length, 1);
  assert.equal(hooks.PreToolUse[0].hooks[0].command, command("pre-tool-use"));
});

test("a hook that someone put into our group stays", () => {
  const merged = parse(withHooks(null, command, "settings.json"));
  merged.hooks.PreToolUse[0].hooks.push({ type: "command", command: "mine" });
  const left = parse(withoutHooks(JSON.stringify(merged), "settings.json") ?? "");
  assert.deepEqual(left, {
    hooks: { PreToolUse: [{ matcher: "mcp__.*", hooks: [{ type: "command", command: "mine" }] }] },
  });
});

test("settings that cannot be read are left alone", () => {
  for (const text of ["{", "[]", '{ "hooks": [] }', '{ "hooks": { "PreToolUse": {} } }']) {
    assert.throws(() => withHooks(text, command, "settings.json"), code("bad-settings"), text);
  }
  assert.equal(hasHooks("{}", "settings.json"), false);
});

test("any text gets the paragraph and gives it back to the byte", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", " ", "\n", "\r\n", "# b", "<!-- c -->", "ü")), (parts) => {
      const before = parts.join("");
      const after = withBlock(before, "First\nSecond", "file");
      assert.ok(after.startsWith(before));
      assert.equal(withBlock(after, "First\nSecond", "file"), after);
      assert.equal(withoutBlock(withBlock(after, "Other", "file"), "file") ?? "", before);
    }),
    { numRuns: 200 },
  );
});

test("text around the paragraph stays where it is, and broken markers stop everything", () => {
  const installed = withBlock("Before\r\n", "One", "file");
  assert.match(installed, /^Before\r\n\r\n<!-- .*begin -->\r\nOne\r\n<!-- .*end -->\r\n$/);
  assert.equal(withoutBlock(`${installed}After\r\n`, "file"), "Before\r\nAfter\r\n");
  for (const broken of [
    installed.replace(/<!-- .*end -->/, ""),
    installed + installed,
    installed.split("One").reverse().join(""),
  ]) {
    assert.throws(() => withBlock(broken, "One", "file"), code("bad-markers"));
    assert.throws(() => withoutBlock(broken, "file"), code("bad-markers"));
  }
});

test("for Copilot: a hook file and the paragraph, and the project as before when they go", async () => {
  const base = newFolder(root);
  writeFiles(base, { ".github/copilot-instructions.md": "Be kind.", ".github/hooks/theirs.json": "{}" });
  const before = tree(base);
  const target: Target = { host: "github", scope: "project", base, segments: [".github", "skills"] };
  const options = [target, "bun", false] as const;
  assert.equal((await addHooks(...options)).result, "created");
  assert.equal((await addHooks(...options)).result, "unchanged");
  assert.equal((await addInstructions(target, ["using-mcp"], false)).result, "changed");
  const { hooks } = JSON.parse(readFileSync(join(base, ".github/hooks/mcp-skill-pack.json"), "utf8"));
  const scripts = ".github/skills/using-mcp/scripts";
  const start = `bun --no-env-file --config="${scripts}/bunfig.toml" "${scripts}/hook.mjs"`;
  assert.equal(hooks.preToolUse[0].command, `${start} pre-tool-use`);
  assert.equal((await removeExtras(target, false)).length, 2);
  assert.deepEqual(tree(base), before);
});

test("settings behind a link out of the project are not written", async () => {
  const base = newFolder(root);
  const elsewhere = join(newFolder(root, "elsewhere"), "settings.json");
  writeFileSync(elsewhere, "{}");
  writeFiles(base, { ".claude/x": "" });
  symlinkSync(elsewhere, join(base, ".claude/settings.json"));
  await assert.rejects(addHooks(claudeTarget(base), "bun", false), code("leaves-target"));
  assert.equal(readFileSync(elsewhere, "utf8"), "{}");
});

test("a dry run says what would happen to the settings, and does nothing", async () => {
  const base = newFolder(root);
  assert.equal((await addHooks(claudeTarget(base), "bun", true)).result, "created");
  assert.equal(existsSync(join(base, ".claude")), false);
  await assert.rejects(addHooks({ ...claudeTarget(base), host: "agents" }, "bun", true), code("usage"));
});
