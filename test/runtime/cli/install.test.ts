/** install, update, uninstall and list as a person runs them: what they print, what they leave, and their exit codes. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCli } from "../../support/cli.ts";
import { newFolder, skillSource, skillText, temporaryFolder, tree, writeFiles } from "../../support/skill-folders.ts";

const root = temporaryFolder();
const from = skillSource(root);

const run = (cwd: string, ...args: string[]) => runCli(args, { cwd });
const install = (cwd: string, ...args: string[]) => run(cwd, "install", "--from", from, ...args);

test("a dry run tells the very plan that a run carries out, and writes nothing", async () => {
  const project = newFolder(root);
  const planned = await install(project, "--host", "claude", "--dry-run", "--json");
  assert.equal(planned.code, 0, planned.stderr);
  assert.deepEqual(tree(project), {});
  const done = await install(project, "--host", "claude", "--json");
  const plan = JSON.parse(planned.stdout);
  for (const target of plan.targets) {
    assert.equal(target.dryRun, true);
    target.dryRun = false;
  }
  assert.deepEqual(JSON.parse(done.stdout), plan);
  assert.ok(existsSync(join(project, ".claude/skills/first/SKILL.md")));
});

test("each host has its folder, and --dir is another project", async () => {
  const project = newFolder(root);
  for (const [host, folder] of [
    ["claude", ".claude/skills"],
    ["github", ".github/skills"],
    ["agents", ".agents/skills"],
  ] as const) {
    assert.equal((await install(root, "first", "--host", host, "--dir", project)).code, 0);
    assert.ok(existsSync(join(project, folder, "first/SKILL.md")), host);
    assert.equal(existsSync(join(project, folder, "second")), false);
  }
});

test("a skill that a host sees in another folder as well is told", async () => {
  const project = newFolder(root);
  await install(project, "first", "--host", "claude");
  const { stderr, code } = await install(project, "first", "--host", "github");
  assert.equal(code, 0);
  assert.match(stderr, /first is also in .*\.claude\/skills/);
});

test("what is in the way is left, told, and exit code 3; --force replaces it and keeps it beside", async () => {
  const project = newFolder(root);
  const mine = skillText("first", "Mine.\n");
  writeFiles(project, { ".claude/skills/first/SKILL.md": mine });
  const refused = await install(project, "--host", "claude");
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /first: SKILL\.md is there and not of this pack.*--force/);
  assert.equal(readFileSync(join(project, ".claude/skills/first/SKILL.md"), "utf8"), mine);
  assert.ok(existsSync(join(project, ".claude/skills/second/SKILL.md")), "the other skill is installed all the same");
  assert.equal((await install(project, "--host", "claude", "--force")).code, 0);
  assert.equal(readFileSync(join(project, ".claude/skills/first/SKILL.md.bak"), "utf8"), mine);
});

test("what was edited stays, and is exit code 4 where it is looked for", async () => {
  const project = newFolder(root);
  await install(project, "--host", "claude");
  const file = join(project, ".claude/skills/first/SKILL.md");
  writeFileSync(file, `${readFileSync(file, "utf8")}Mine as well.\n`);
  const listed = await run(project, "list", "--host", "claude", "--from", from, "--verify", "--json");
  assert.equal(listed.code, 4);
  assert.deepEqual(
    JSON.parse(listed.stdout).map(({ name, state }: { name: string; state: string }) => [name, state]),
    [
      ["first", "modified"],
      ["second", "current"],
    ],
  );
  assert.equal((await run(project, "update", "--from", from)).code, 3);
  assert.equal((await run(project, "uninstall")).code, 4);
  assert.match(readFileSync(file, "utf8"), /Mine as well/);
  assert.equal(existsSync(join(project, ".claude/skills/second")), false);
});

test("two runs at once both end well, and the skills are whole", async () => {
  const project = newFolder(root);
  const codes = await Promise.all([install(project, "--host", "claude"), install(project, "--host", "claude")]);
  assert.deepEqual(
    codes.map(({ code, stderr }) => [code, stderr]),
    [
      [0, ""],
      [0, ""],
    ],
  );
  const { ".mcp-skill-pack.json": _, ...files } = tree(join(project, ".claude/skills"));
  assert.deepEqual(files, tree(from));
});

test("wrong usage is exit code 2, says what to do, and writes nothing", async () => {
  const project = newFolder(root);
  for (const args of [
    ["--host", "emacs"],
    ["no-such-skill", "--host", "claude"],
    ["--host", "agents", "--hooks"],
  ]) {
    const { code, stderr } = await install(project, ...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, /\(.+\)/, args.join(" "));
  }
  assert.deepEqual(tree(project), {});
});
