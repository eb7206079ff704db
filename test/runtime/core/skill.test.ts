/** What people really write into a SKILL.md: each gives a skill, or an error with file, line and fix. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import fc from "fast-check";
import { PackError } from "../../../runtime/core/errors.ts";
import { loadSkill, loadSkills, parseSkill } from "../../../runtime/core/skill.ts";
import { ROOT } from "../../support/cli.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-skills-skill-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const FILE = "/skills/notes/SKILL.md";
const GOOD = "---\nname: notes\ndescription: Keeps notes. Use it for notes.\n---\n\n# Notes\n";

async function refused(text: string): Promise<PackError> {
  const outcome = await parseSkill(text, FILE).catch((error: unknown) => error);
  assert.ok(outcome instanceof PackError, `read as a skill, or threw something else: ${String(outcome)}`);
  assert.equal(outcome.file, FILE);
  assert.equal(typeof outcome.fix, "string");
  return outcome;
}

function front(...lines: string[]): string {
  return ["---", ...lines, "---", "", "# Body", ""].join("\n");
}

// ── what is read ────────────────────────────────────────────────────────────────────────────────────────────────────

const READ: [what: string, text: string, check: (skill: Awaited<ReturnType<typeof parseSkill>>) => void][] = [
  ["a plain file", GOOD, (skill) => assert.equal(skill.body, "\n# Notes\n")],
  ["a byte order mark", `\uFEFF${GOOD}`, (skill) => assert.equal(skill.name, "notes")],
  ["CRLF line ends", GOOD.replaceAll("\n", "\r\n"), (skill) => assert.equal(skill.body, "\n# Notes\n")],
  ["a mark and CRLF", `\uFEFF${GOOD.replaceAll("\n", "\r\n")}`, (skill) => assert.equal(skill.bodyLine, 5)],
  ["no line feed at the end", "---\nname: notes\ndescription: d\n---", (skill) => assert.equal(skill.body, "")],
  [
    "white space behind the closing fence",
    "---\nname: notes\ndescription: d\n---  \nx",
    (skill) => assert.equal(skill.body, "x"),
  ],
  ["--- inside the body", `${GOOD}\n---\n\nname: other\n---\n`, (skill) => assert.match(skill.body, /name: other/)],
  [
    "--- inside a description",
    front("name: notes", "description: Routes --- then asks"),
    (skill) => assert.equal(skill.description, "Routes --- then asks"),
  ],
  [
    "a description over several lines",
    front("name: notes", "description: >-", "  Keeps notes.", "  Use it for notes."),
    (skill) => assert.equal(skill.description, "Keeps notes. Use it for notes."),
  ],
  [
    "a literal description",
    front("name: notes", "description: |", "  Keeps notes.", "  ---", "  Use it."),
    (skill) => assert.equal(skill.description, "Keeps notes.\n---\nUse it.\n"),
  ],
  [
    "numbers, dates and words of YAML where text belongs",
    front(
      "name: notes",
      "description: 2026-01-02",
      "metadata:",
      "  version: 1.10",
      "  count: 0123",
      "  on: yes",
      "  at: 12:30:45",
    ),
    (skill) => {
      assert.equal(skill.description, "2026-01-02");
      assert.deepEqual({ ...skill.metadata }, { version: "1.10", count: "0123", on: "yes", at: "12:30:45" });
    },
  ],
  [
    "handlers in the metadata",
    front("name: notes", "description: d", "metadata:", '  handlers: "a_b  c_d"'),
    (skill) => assert.deepEqual(skill.handlers, ["a_b", "c_d"]),
  ],
  [
    "characters beyond ASCII",
    front("name: notes", "description: Größe — “quoted” 日本語"),
    (skill) => assert.equal(skill.description, "Größe — “quoted” 日本語"),
  ],
];

for (const [what, text, check] of READ) {
  test(`a SKILL.md with ${what} is read without a warning`, async () => {
    const skill = await parseSkill(text, FILE);
    assert.deepEqual(skill.warnings, []);
    check(skill);
  });
}

for (const text of ["Use this when: the user asks: now", "Use it. Trigger words:", 'Say "no": it stops']) {
  test(`an unquoted colon is read whole, with a warning that says how to mend it: ${text}`, async () => {
    const skill = await parseSkill(front("name: notes", `description: ${text}`), FILE);
    assert.equal(skill.description, text);
    assert.deepEqual(
      skill.warnings.map(({ code, file, line }) => ({ code, file, line })),
      [{ code: "unquoted-colon", file: FILE, line: 3 }],
    );
    assert.equal(skill.warnings[0]?.column, `description: ${text}`.indexOf(":", 13) + 1);
    assert.match(skill.warnings[0]?.fix ?? "", /double quotes/);
  });
}

// ── what is refused ─────────────────────────────────────────────────────────────────────────────────────────────────

const REFUSED: [what: string, text: string, code: string, line?: number][] = [
  ["nothing in it", "", "no-frontmatter", 1],
  ["only white space", " \n\n", "no-frontmatter", 1],
  ["no front matter", "# Notes\n", "no-frontmatter", 1],
  ["a line before the front matter", `\n${GOOD}`, "no-frontmatter", 1],
  ["a space before the fence", ` ${GOOD}`, "no-frontmatter", 1],
  ["a JavaScript fence", "---js\n({ name: (globalThis.skillTestRan = true, 'notes') })\n---\n", "no-frontmatter", 1],
  ["a JavaScript fence in capitals", "---JavaScript\n(globalThis.skillTestRan = true)\n---\n", "no-frontmatter", 1],
  ["a JSON fence", '--- json\n{ "name": "notes" }\n---\n', "no-frontmatter", 1],
  ["a TOML fence", '+++\nname = "notes"\n+++\n', "no-frontmatter", 1],
  ["no closing fence", "---\nname: notes\ndescription: d\n\n# Body\n", "unclosed-frontmatter"],
  ["a closing fence that goes on", "---\nname: notes\ndescription: d\n----\nbody\n", "unclosed-frontmatter", 4],
  ["a tab for indentation", front("name: notes", "description: d", "metadata:", "\tversion: 1"), "bad-yaml"],
  ["a key twice", front("name: notes", "name: other", "description: d"), "bad-yaml", 3],
  ["an unclosed quote", front("name: notes", 'description: "d'), "bad-yaml"],
  ["an alias", front("name: &a notes", "description: *a"), "bad-yaml"],
  ["__proto__ as a key", front("name: notes", "description: d", "__proto__:", "  polluted: yes"), "unsafe-key", 4],
  ["__proto__ in the metadata", front("name: notes", "description: d", "metadata:", "  __proto__: x"), "unsafe-key", 5],
  ["constructor as a key", front("name: notes", "description: d", "constructor: x"), "unsafe-key", 4],
  ["__proto__ beside an unquoted colon", front("name: notes", "description: a: b", "__proto__: x"), "unsafe-key", 4],
  [
    "a key twice in the metadata",
    front("name: notes", "description: d", "metadata:", "  a: 1", "  a: 2"),
    "bad-yaml",
    6,
  ],
  ["a value that starts like code", front("name: notes", "description: `x` does"), "bad-yaml", 3],
  ["a value that starts like a tag", front("name: notes", "description: @x does"), "bad-yaml", 3],
  ["words behind a quoted value", front("name: notes", 'description: "x" does'), "bad-yaml", 3],
  ["a list for a key", front("? [a]", ": b", "name: notes", "description: d"), "bad-yaml", 2],
  [
    "a bracket that nests for ever",
    front("name: notes", "description: d", `metadata: ${"[".repeat(20_000)}`),
    "bad-yaml",
  ],
  ["line ends of carriage returns alone", GOOD.replaceAll("\n", "\r"), "no-frontmatter", 1],
  ["an empty front matter", "---\n---\n# Body\n", "bad-field", 1],
  ["only a comment in it", front("# later"), "bad-field", 1],
  ["a colon in the name", front("name: my:notes", "description: d"), "bad-field", 2],
  ["a name that is empty", front("name:", "description: d"), "bad-field", 2],
  ["nothing under metadata", front("name: notes", "description: d", "metadata:"), "bad-field", 4],
  ["a host's own key", front("name: notes", "description: d", "argument-hint: [file]"), "unknown-key", 4],
  ["a letter that is missing", front("name: notes", "descrption: d"), "unknown-key", 3],
  ["600 emoji, which hosts count twice", front("name: notes", `description: ${"😀".repeat(600)}`), "bad-field", 3],
  ["a list for front matter", front("- name", "- description"), "bad-frontmatter"],
  ["a word for front matter", front("hello"), "bad-frontmatter"],
  ["no name", front("description: d"), "bad-field"],
  ["no description", front("name: notes"), "bad-field"],
  ["an empty description", front("name: notes", 'description: "  "'), "bad-field", 3],
  ["a description that is too long", front("name: notes", `description: ${"x".repeat(1025)}`), "bad-field", 3],
  ["a list for a description", front("name: notes", "description: [a, b]"), "bad-field", 3],
  ["another folder's name", front("name: other", "description: d"), "name-mismatch", 2],
  ["capitals in the name", front("name: Notes", "description: d"), "bad-field", 2],
  ["an underscore in the name", front("name: my_notes", "description: d"), "bad-field", 2],
  ["two hyphens in the name", front("name: my--notes", "description: d"), "bad-field", 2],
  ["a key in capitals", front("Name: notes", "description: d"), "unknown-key", 2],
  ["a misspelt key", front("name: notes", "descriptoin: d"), "unknown-key", 3],
  [
    "a nested map in the metadata",
    front("name: notes", "description: d", "metadata:", '  z: "1"', "  a:", "    b: c"),
    "bad-field",
    6,
  ],
  ["a list for allowed-tools", front("name: notes", "description: d", "allowed-tools:", "  - Read"), "bad-field", 4],
];

for (const [what, text, code, line] of REFUSED) {
  test(`a SKILL.md with ${what} is refused: ${code}`, async () => {
    const error = await refused(text);
    assert.equal(error.code, code, error.message);
    assert.equal(typeof error.line, "number");
    if (line !== undefined) assert.equal(error.line, line);
  });
}

test("no front matter is ever evaluated", () => {
  assert.equal((globalThis as Record<string, unknown>).skillTestRan, undefined);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test("a misspelt key suggests the right one", async () => {
  assert.match((await refused(front("name: notes", "descriptoin: d"))).fix ?? "", /"description"/);
  assert.match((await refused(front("Name: notes", "description: d"))).fix ?? "", /"name"/);
  assert.match(
    (await refused(front("name: notes", "description: d", "Allowed_Tools: x"))).fix ?? "",
    /"allowed-tools"/,
  );
  assert.match(
    (await refused(front("name: notes", "description: d", "version: 1"))).fix ?? "",
    /^Move it under metadata/,
  );
});

test("a file that is no UTF-8 is told with the line", async () => {
  const root = join(folder, "encodings");
  skillFolder(root, "late", Buffer.concat([Buffer.from(GOOD), Buffer.from("first\nGr\u00f6\u00dfe\n", "latin1")]));
  skillFolder(root, "no-mark", Buffer.from(GOOD, "utf16le"));
  const { errors } = await loadSkills(root);
  assert.deepEqual(
    errors.map(({ code, line }) => [code, line]),
    [
      ["bad-encoding", 8],
      ["bad-encoding", 1],
    ],
  );
});

test("a pipe in the file's place is told, not waited for; a name in another case is told, not passed over", async () => {
  const root = join(folder, "kinds");
  mkdirSync(join(root, "pipe"), { recursive: true });
  const piped = spawnSync("mkfifo", [join(root, "pipe/SKILL.md")]).status === 0;
  mkdirSync(join(root, "small"));
  writeFileSync(join(root, "small/skill.md"), GOOD);
  const { skills, errors } = await loadSkills(root);
  assert.deepEqual(skills, []);
  const expected = piped ? ["unreadable", "wrong-case"] : ["wrong-case"];
  assert.deepEqual(
    errors.map(({ code }) => code),
    expected,
  );
  assert.match(errors.at(-1)?.fix ?? "", /Rename it to SKILL\.md/);
});

test("any text is a skill or a PackError with file, line and fix", async () => {
  const line = fc.constantFrom(
    "---",
    "name: notes",
    "description: d",
    "metadata:",
    "  a: b",
    "\t",
    "- x",
    ": ",
    "'",
    '"',
    "{",
    "#",
    "",
  );
  const lines = fc.array(fc.oneof(line, fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lines, async (rest) => {
      const outcome = await parseSkill(["---", ...rest].join("\n"), FILE).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) return assert.equal((outcome as { name: string }).name, "notes");
      const { name, file, line: at, fix } = outcome as PackError;
      assert.deepEqual([name, file, typeof at, typeof fix], ["PackError", FILE, "number", "string"]);
    }),
    { numRuns: 200 },
  );
});

test("the same bad text fails the same way each time, and good text is never shared between readers", async () => {
  const bad = front("name: notes", 'description: "d');
  const messages = [await refused(bad), await refused(bad), await refused(bad)].map(({ message }) => message);
  assert.equal(new Set(messages).size, 1);
  const text = front("name: notes", "description: d", "metadata:", '  tag: "a"');
  const first = await parseSkill(text, FILE);
  first.metadata.tag = "changed";
  assert.equal((await parseSkill(text, FILE)).metadata.tag, "a");
});

// ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function skillFolder(root: string, name: string, content: string | Uint8Array): void {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, "SKILL.md"), content);
}

test("bad files of every kind cost only themselves: the good skills of the folder load", async () => {
  const root = join(folder, "many");
  const named = (name: string) => GOOD.replace("name: notes", `name: ${name}`);
  skillFolder(root, "first", named("first"));
  skillFolder(root, "utf16", Buffer.from(`\uFEFF${named("utf16")}`, "utf16le"));
  skillFolder(root, "latin1", Buffer.from(named("latin1").replace("Keeps", "Gr\u00f6\u00dfe"), "latin1"));
  skillFolder(root, "huge", `${named("huge")}${"x".repeat(5 * 1024 * 1024)}`);
  skillFolder(root, "empty", "");
  mkdirSync(join(root, "directory", "SKILL.md"), { recursive: true });
  mkdirSync(join(root, "loop"));
  symlinkSync("SKILL.md", join(root, "loop", "SKILL.md"));
  mkdirSync(join(root, "outside"));
  writeFileSync(join(folder, "secret.md"), named("outside"));
  symlinkSync(join(folder, "secret.md"), join(root, "outside", "SKILL.md"));
  symlinkSync("circle", join(root, "circle"));
  skillFolder(root, "last", named("last"));
  mkdirSync(join(root, "no-skill-in-it"));
  writeFileSync(join(root, "a-file"), "x");

  const { skills, errors } = await loadSkills(root);
  assert.deepEqual(
    skills.map(({ name }) => name),
    ["first", "last"],
  );
  const codes = Object.fromEntries(errors.map((error) => [error.file?.split("many/")[1]?.split("/")[0], error.code]));
  assert.deepEqual(codes, {
    circle: "unreadable",
    directory: "unreadable",
    empty: "no-frontmatter",
    huge: "too-large",
    latin1: "bad-encoding",
    loop: "unreadable",
    outside: "leaves-folder",
    utf16: "bad-encoding",
  });
  for (const error of errors) assert.equal(typeof error.fix, "string", error.message);
});

test("a folder that is not there is an error with the fix", async () => {
  await assert.rejects(loadSkills(join(folder, "gone")), { name: "PackError", code: "unreadable" });
  await assert.rejects(loadSkill(join(folder, "gone")), { name: "PackError", code: "unreadable" });
});

test("a skill may be reached through a link to its whole folder", async () => {
  const root = join(folder, "linked");
  skillFolder(join(folder, "real"), "notes", GOOD);
  mkdirSync(root);
  symlinkSync(join(folder, "real", "notes"), join(root, "notes"));
  assert.equal((await loadSkills(root)).skills.length, 1);
});

const run = promisify(execFile);

for (const name of readdirSync(join(ROOT, "skills"))) {
  test(`the specification's reference validator agrees on ${name}`, async () => {
    const validator = join(ROOT, "node_modules/skills-ref");
    const { bin } = JSON.parse((await import("node:fs")).readFileSync(join(validator, "package.json"), "utf8"));
    const program = join(validator, typeof bin === "string" ? bin : (Object.values<string>(bin)[0] ?? ""));
    await run("node", [program, "validate", join(ROOT, "skills", name)]);
  });
}
