/** What an installer is attacked with: every row is refused before the first byte is written, or leaves others' files alone. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { installSkills, uninstallSkills } from "../../../runtime/install/install.ts";
import { checkPaths, problemOfName } from "../../../runtime/install/names.ts";
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
const code = (wanted: string) => (error: unknown) => {
  assert.equal((error as { code?: string }).code, wanted, String(error));
  return true;
};

test("front matter that is a program is refused and never run", async () => {
  const from = newFolder(root);
  const text = "---js\n{ name: 'x', description: (() => { globalThis.ran = true; return 'x'; })() }\n---\nbody\n";
  writeFiles(from, { "x/SKILL.md": text });
  await assert.rejects(readSource(from), code("no-frontmatter"));
  assert.equal("ran" in globalThis, false);
});

test("a module beside the text is copied and never loaded", async () => {
  const from = skillSource(root);
  writeFileSync(join(from, "first/scripts/first.mjs"), "globalThis.ran = true; throw new Error('ran');\n");
  await installSkills(claudeTarget(newFolder(root)), await readSource(from));
  assert.equal("ran" in globalThis, false);
});

test("a link in a skill is refused, wherever it leads", async () => {
  for (const to of ["/etc/hostname", "SKILL.md", ".", "nowhere"]) {
    const from = skillSource(root);
    symlinkSync(to, join(from, "first/references/link"));
    await assert.rejects(readSource(from), code("not-a-file"), to);
  }
});

test("what is neither file nor folder is refused", { skip: process.platform === "win32" }, async () => {
  const from = skillSource(root);
  execFileSync("mkfifo", [join(from, "first/pipe")]);
  await assert.rejects(readSource(from), code("not-a-file"));
});

test("names that a file system would take for another are refused", async () => {
  for (const name of ["aux", "NUL.txt", "com1", "a?b", "a\\b", "a:b", "ends.", "ends ", "a\u202eb", "..", ""]) {
    assert.notEqual(problemOfName(name), null, name);
  }
  for (const name of ["SKILL.md", ".hidden", "con-sole.md", "a b", "ä.md", "common.mjs"])
    assert.equal(problemOfName(name), null, name);
  if (process.platform === "win32") return;
  for (const name of ["aux.md", "tail.", "q?.md"]) {
    const from = skillSource(root);
    writeFileSync(join(from, "first", name), "");
    await assert.rejects(readSource(from), code("unsafe-name"), name);
  }
});

test("two names that are one file elsewhere are refused", async () => {
  for (const [left, right] of [
    ["SKILL.md", "skill.md"],
    ["a/x", "A/y"],
    ["\u00e9.md", "e\u0301.md"],
  ]) {
    assert.throws(() => checkPaths([left ?? "", right ?? ""], "skill"), code("unsafe-name"));
  }
  checkPaths(["a/x", "a/y", "b/x"], "skill");
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 4 }), (segments) => {
      const path = segments.join("/");
      if (segments.includes("..") || path.startsWith("/")) assert.throws(() => checkPaths([path], "skill"));
    }),
  );
});

test("secrets, installed packages and a clone's history are not part of a skill", async () => {
  const from = skillSource(root);
  writeFiles(from, {
    "second/.env": "KEY=1",
    "second/.env.local": "KEY=2",
    "second/node_modules/x/y.js": "",
    "second/.git/HEAD": "",
  });
  writeFiles(from, { "second/_kept.md": "kept", "second/README.md": "kept" });
  const second = (await readSource(from, ["second"]))[0];
  assert.deepEqual(
    second?.files.map(({ path }) => path),
    ["README.md", "SKILL.md", "_kept.md"],
  );
});

test("a target that is a link out of the project is refused", async () => {
  const sources = await readSource(skillSource(root));
  const elsewhere = newFolder(root, "ssh");
  for (const place of [".claude", ".claude/skills"]) {
    const base = newFolder(root);
    if (place.includes("/")) mkdirSync(join(base, ".claude"));
    symlinkSync(elsewhere, join(base, place), "junction");
    await assert.rejects(installSkills(claudeTarget(base), sources, { force: true }), code("leaves-target"), place);
    await assert.rejects(uninstallSkills(claudeTarget(base), [], { force: true }), code("leaves-target"), place);
    assert.deepEqual(tree(elsewhere), {});
  }
});

test("a target that is a link to another folder of the project is used", async () => {
  const base = newFolder(root);
  mkdirSync(join(base, ".agents/skills"), { recursive: true });
  mkdirSync(join(base, ".claude"));
  symlinkSync("../.agents/skills", join(base, ".claude/skills"), "junction");
  const sources = await readSource(skillSource(root));
  await installSkills(claudeTarget(base), sources);
  assert.equal(existsSync(join(base, ".agents/skills/first/SKILL.md")), true);
  await uninstallSkills(claudeTarget(base), []);
  assert.equal(existsSync(join(base, ".agents/skills/first")), false);
});

test("a link inside an installed skill is not written through", async () => {
  const base = newFolder(root);
  const target = claudeTarget(base);
  const sources = await readSource(skillSource(root));
  const elsewhere = newFolder(root, "elsewhere");
  writeFiles(elsewhere, { "first.mjs": "theirs", "SKILL.md": "theirs" });
  const skill = join(base, ".claude/skills/first");
  mkdirSync(skill, { recursive: true });
  symlinkSync(elsewhere, join(skill, "scripts"), "junction");
  const run = await installSkills(target, sources, { force: true });
  assert.match(run.skills[0]?.conflict ?? "", /scripts is a link/);
  symlinkSync(join(elsewhere, "SKILL.md"), join(skill, "SKILL.md"));
  await installSkills(target, sources, { force: true });
  assert.deepEqual(tree(elsewhere), { "SKILL.md": "theirs", "first.mjs": "theirs" });
});

test("a file with a second name elsewhere is replaced here only", async () => {
  const base = newFolder(root);
  const elsewhere = join(newFolder(root, "elsewhere"), "theirs");
  writeFileSync(elsewhere, "theirs");
  mkdirSync(join(base, ".claude/skills/first"), { recursive: true });
  linkSync(elsewhere, join(base, ".claude/skills/first/SKILL.md"));
  const sources = await readSource(skillSource(root));
  assert.equal((await installSkills(claudeTarget(base), sources)).skills[0]?.result, "kept");
  await installSkills(claudeTarget(base), sources, { force: true });
  assert.equal(readFileSync(elsewhere, "utf8"), "theirs");
});

test("a manifest that names a path outside its skill removes nothing", async () => {
  const base = newFolder(root);
  const hash = "0".repeat(64);
  for (const skills of [
    { "../../x": { files: { a: hash } } },
    { x: { files: { "../../victim": hash } } },
    { x: { files: { "/etc/x": hash } } },
  ]) {
    writeFiles(base, {
      victim: "theirs",
      ".claude/skills/.mcp-skill-pack.json": JSON.stringify({ version: 1, skills, made: [] }),
    });
    await assert.rejects(uninstallSkills(claudeTarget(base), [], { force: true }), code("bad-manifest"));
  }
  writeFiles(base, {
    ".claude/skills/.mcp-skill-pack.json": JSON.stringify({ version: 1, skills: {}, made: ["../.."] }),
  });
  await assert.rejects(uninstallSkills(claudeTarget(base), []), code("bad-manifest"));
  assert.equal(readFileSync(join(base, "victim"), "utf8"), "theirs");
});

test("a skill of the wrong name or without front matter is refused whole", async () => {
  const from = newFolder(root);
  writeFiles(from, { "x/SKILL.md": skillText("y") });
  await assert.rejects(readSource(from), code("name-mismatch"));
  await assert.rejects(readSource(skillSource(root), ["absent"]), code("usage"));
  await assert.rejects(readSource(newFolder(root)), code("no-skills"));
});
