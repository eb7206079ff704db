/** Installing, updating and removing skills: nothing of a user's is lost, and a second run changes nothing. */
import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installSkills, listTarget, uninstallSkills } from "../../../runtime/install/install.ts";
import { readSource } from "../../../runtime/install/source.ts";
import {
  claudeTarget,
  newFolder,
  skillSource,
  skillText,
  temporaryFolder,
  tree,
  writeFiles,
} from "../../support/skill-folders.ts";

const root = temporaryFolder();
const MANIFEST = ".claude/skills/.mcp-skill-pack.json";

async function installed(body?: string) {
  const base = newFolder(root);
  const from = skillSource(root, body);
  const sources = await readSource(from);
  const target = claudeTarget(base);
  await installSkills(target, sources);
  return { base, from, sources, target, skills: join(base, ".claude/skills") };
}

const results = (run: { skills: { name: string; result: string }[] }) =>
  run.skills.map(({ name, result }) => `${name} ${result}`);

test("skills arrive whole, byte for byte, with the modes of their files", async () => {
  const { from, skills } = await installed();
  const { ".mcp-skill-pack.json": manifest, ...files } = tree(skills);
  assert.deepEqual(files, tree(from));
  assert.deepEqual(Object.keys(JSON.parse(manifest ?? "").skills), ["first", "second"]);
  assert.equal(statSync(join(skills, "first/scripts/first.mjs")).mode & 0o111, 0o111);
});

test("a second run changes nothing, the times of the files included", async () => {
  const { target, sources, base, skills } = await installed();
  const files = ["first/SKILL.md", "second/SKILL.md", ".mcp-skill-pack.json"];
  for (const file of files) utimesSync(join(skills, file), 1000, 1000);
  const before = tree(base);
  assert.deepEqual(results(await installSkills(target, sources)), ["first unchanged", "second unchanged"]);
  assert.deepEqual(tree(base), before);
  for (const file of files) assert.equal(statSync(join(skills, file)).mtimeMs, 1_000_000, file);
});

test("a dry run tells what a run does, and writes nothing", async () => {
  const base = newFolder(root);
  const target = claudeTarget(base);
  const sources = await readSource(skillSource(root));
  const dry = await installSkills(target, sources, { dryRun: true });
  assert.deepEqual(tree(base), {});
  assert.equal(existsSync(join(base, ".claude")), false);
  assert.deepEqual({ ...(await installSkills(target, sources)), dryRun: true }, dry);
});

test("an update replaces what was not touched and removes what the pack no longer has", async () => {
  const { target, skills } = await installed();
  const next = skillSource(root, "Do it better.\n");
  rmSync(join(next, "first/references"), { recursive: true });
  writeFiles(next, { "first/references-new/notes.md": "New\n" });
  const run = await installSkills(target, await readSource(next));
  assert.deepEqual(results(run), ["first updated", "second unchanged"]);
  const { ".mcp-skill-pack.json": _, ...files } = tree(skills);
  assert.deepEqual(files, tree(next));
  assert.equal(existsSync(join(skills, "first/references")), false);
});

test("an edited file is never overwritten, and its skill stays as it is", async () => {
  const { target, base, skills } = await installed();
  writeFileSync(join(skills, "first/SKILL.md"), skillText("first", "Mine.\n"));
  writeFileSync(join(skills, "first/mine.txt"), "mine");
  const before = tree(base);
  const run = await installSkills(target, await readSource(skillSource(root, "Theirs.\n")));
  assert.deepEqual(results(run), ["first kept", "second unchanged"]);
  assert.equal(run.skills[0]?.state, "modified");
  assert.match(run.skills[0]?.conflict ?? "", /SKILL\.md was edited/);
  assert.deepEqual(tree(base), before);
});

test("with force an edited file is replaced and kept beside, and a user's own file survives", async () => {
  const { target, skills } = await installed();
  const mine = skillText("first", "Mine.\n");
  writeFileSync(join(skills, "first/SKILL.md"), mine);
  writeFileSync(join(skills, "first/SKILL.md.bak"), "older");
  writeFileSync(join(skills, "first/mine.txt"), "mine");
  const next = skillSource(root, "Theirs.\n");
  const run = await installSkills(target, await readSource(next), { force: true });
  assert.equal(run.skills[0]?.files.find(({ path }) => path === "SKILL.md")?.backup, "SKILL.md.bak2");
  const files = tree(skills);
  assert.equal(files["first/SKILL.md"], readFileSync(join(next, "first/SKILL.md"), "utf8"));
  assert.equal(files["first/SKILL.md.bak2"], mine);
  assert.equal(files["first/SKILL.md.bak"], "older");
  assert.equal(files["first/mine.txt"], "mine");
});

test("a folder of the same name that others made is left alone", async () => {
  const base = newFolder(root);
  writeFiles(base, { ".claude/skills/first/SKILL.md": skillText("first", "By hand.\n") });
  const target = claudeTarget(base);
  const sources = await readSource(skillSource(root));
  const run = await installSkills(target, sources);
  assert.deepEqual(results(run), ["first kept", "second installed"]);
  assert.equal(run.skills[0]?.state, "foreign");
  assert.match(readFileSync(join(base, ".claude/skills/first/SKILL.md"), "utf8"), /By hand/);
  assert.equal(existsSync(join(base, ".claude/skills/first/scripts")), false);
  await uninstallSkills(target, []);
  assert.deepEqual(tree(base), { ".claude/skills/first/SKILL.md": skillText("first", "By hand.\n") });
});

test("uninstall leaves the project as it was before", async () => {
  const { target, base } = await installed();
  const run = await uninstallSkills(target, []);
  assert.deepEqual(results(run), ["first removed", "second removed"]);
  assert.equal(existsSync(join(base, ".claude")), false);
});

test("uninstall removes what is ours and untouched, and nothing else", async () => {
  const { target, base, skills } = await installed();
  writeFiles(skills, { "hand-made/SKILL.md": skillText("hand-made"), "first/mine.txt": "mine" });
  writeFileSync(join(skills, "second/SKILL.md"), "edited");
  const run = await uninstallSkills(target, []);
  assert.deepEqual(results(run), ["first removed", "second kept"]);
  const { [MANIFEST]: manifest, ...left } = tree(base);
  assert.deepEqual(left, {
    ".claude/skills/hand-made/SKILL.md": skillText("hand-made"),
    ".claude/skills/first/mine.txt": "mine",
    ".claude/skills/second/SKILL.md": "edited",
  });
  assert.deepEqual(Object.keys(JSON.parse(manifest ?? "").skills), ["second"]);
  await uninstallSkills(target, ["second"], { force: true });
  assert.deepEqual(Object.keys(tree(base)).sort(), [
    ".claude/skills/first/mine.txt",
    ".claude/skills/hand-made/SKILL.md",
  ]);
});

test("uninstalling what is not of this pack is a conflict, and touches nothing", async () => {
  const base = newFolder(root);
  writeFiles(base, { ".claude/skills/theirs/SKILL.md": skillText("theirs") });
  const run = await uninstallSkills(claudeTarget(base), ["theirs"], { force: true });
  assert.deepEqual(results(run), ["theirs kept"]);
  assert.deepEqual(Object.keys(tree(base)), [".claude/skills/theirs/SKILL.md"]);
});

test("line ends that a checkout changed are no edit", async () => {
  const { target, sources, skills } = await installed();
  const file = join(skills, "first/SKILL.md");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("\n", "\r\n"));
  assert.deepEqual(results(await installSkills(target, sources)), ["first unchanged", "second unchanged"]);
  await uninstallSkills(target, []);
  assert.equal(existsSync(skills), false);
});

test("the list knows current, stale, modified, missing and foreign", async () => {
  const { target, skills } = await installed();
  const next = skillSource(root, "Newer.\n");
  writeFiles(next, { "third/SKILL.md": skillText("third"), "fourth/SKILL.md": skillText("fourth") });
  const sources = await readSource(next);
  await installSkills(
    target,
    sources.filter(({ name }) => name === "third" || name === "fourth"),
  );
  rmSync(join(skills, "third"), { recursive: true });
  writeFileSync(join(skills, "fourth/SKILL.md"), "edited");
  writeFiles(skills, { "hand-made/SKILL.md": skillText("hand-made") });
  const states = await listTarget(target, sources);
  assert.deepEqual(
    states?.map(({ name, state }) => `${name} ${state}`),
    ["first stale", "fourth modified", "hand-made foreign", "second current", "third missing"],
  );
  assert.equal(await listTarget(claudeTarget(newFolder(root)), sources), null);
});

test("a file that was deleted is put back", async () => {
  const { target, sources, from, skills } = await installed();
  rmSync(join(skills, "first/scripts"), { recursive: true });
  assert.deepEqual(results(await installSkills(target, sources)), ["first updated", "second unchanged"]);
  const { ".mcp-skill-pack.json": _, ...files } = tree(skills);
  assert.deepEqual(files, tree(from));
});

test("a run that was ended half-way is completed by the next, also by one of another version", async () => {
  const { target, skills, sources } = await installed();
  const [first] = await readSource(skillSource(root, "Second version.\n"));
  // What such a run leaves: the manifest with what was to come, one file in place, the rest aside.
  const manifest = JSON.parse(readFileSync(join(skills, ".mcp-skill-pack.json"), "utf8"));
  manifest.skills.first.pending = Object.fromEntries((first?.files ?? []).map(({ path, hash }) => [path, hash]));
  writeFileSync(join(skills, ".mcp-skill-pack.json"), JSON.stringify(manifest));
  writeFileSync(join(skills, "first/SKILL.md"), first?.files.find(({ path }) => path === "SKILL.md")?.bytes ?? "");
  writeFiles(skills, { ".mcp-skill-pack.new/0": "half" });
  const third = skillSource(root, "Third version.\n");
  const run = await installSkills(target, await readSource(third));
  assert.deepEqual(results(run), ["first updated", "second unchanged"]);
  const { ".mcp-skill-pack.json": _, ...files } = tree(skills);
  assert.deepEqual(files, tree(third));
  assert.equal(sources.length, 2);
});

test("runs at the same time give what one run gives", async () => {
  const base = newFolder(root);
  const from = skillSource(root);
  const sources = await readSource(from);
  const runs = await Promise.all(Array.from({ length: 4 }, () => installSkills(claudeTarget(base), sources)));
  assert.equal(runs.flatMap(({ skills }) => skills).filter(({ result }) => result === "installed").length, 2);
  const { [MANIFEST]: _, ...files } = tree(base);
  assert.deepEqual(Object.values(files), Object.values(tree(from)));
});

test("a link instead of a copy is made, known, and removed as a link", async () => {
  const base = newFolder(root);
  const target = claudeTarget(base);
  const from = skillSource(root);
  const sources = await readSource(from);
  assert.deepEqual(results(await installSkills(target, sources, { link: true })), [
    "first installed",
    "second installed",
  ]);
  const skills = join(base, ".claude/skills");
  assert.equal(lstatSync(join(skills, "first")).isSymbolicLink(), true);
  assert.deepEqual(results(await installSkills(target, sources, { link: true })), [
    "first unchanged",
    "second unchanged",
  ]);
  assert.deepEqual(
    (await listTarget(target, sources))?.map(({ state }) => state),
    ["current", "current"],
  );
  await uninstallSkills(target, []);
  assert.equal(existsSync(skills), false);
  assert.equal(existsSync(join(from, "first/SKILL.md")), true);
});

test("a link that the user made in a skill's place is not followed", async () => {
  const base = newFolder(root);
  const elsewhere = newFolder(root, "elsewhere");
  mkdirSync(join(base, ".claude/skills"), { recursive: true });
  symlinkSync(elsewhere, join(base, ".claude/skills/first"), "junction");
  const run = await installSkills(claudeTarget(base), await readSource(skillSource(root)), { force: true });
  assert.deepEqual(results(run), ["first kept", "second installed"]);
  assert.deepEqual(tree(elsewhere), {});
});
