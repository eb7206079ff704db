/** A pack: SKILL.md and module agree in both directions, and one bad skill never costs the others. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadPack } from "../../runtime/pack.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-skills-pack-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A handler by its mark alone, so that the temporary module needs no import. */
const handler = (name: string) =>
  `export const ${name} = { name: "${name}", [Symbol.for("mcp-skill-pack.handler")]: true };`;

function skill(pack: string, name: string, declared: string, module?: string): void {
  const directory = join(folder, pack, name);
  mkdirSync(join(directory, "scripts"), { recursive: true });
  const metadata = declared === "" ? "" : `metadata:\n  handlers: "${declared}"\n`;
  writeFileSync(join(directory, "SKILL.md"), `---\nname: ${name}\ndescription: d\n${metadata}---\n`);
  if (module !== undefined) writeFileSync(join(directory, "scripts", `${name}.mjs`), module);
}

test("handlers that are declared and exported are registered, in the order of the skills", async () => {
  skill("good", "beta", "b_one", handler("b_one"));
  skill("good", "alpha", "a_one a_two", `${handler("a_two")}\n${handler("a_one")}\nexport const other = 5;`);
  skill("good", "plain", "");
  const pack = await loadPack(join(folder, "good"));
  assert.deepEqual(pack.errors, []);
  assert.deepEqual(
    pack.skills.map(({ name }) => name),
    ["alpha", "beta", "plain"],
  );
  assert.deepEqual(
    pack.handlers.all().map(({ name }) => name),
    ["a_one", "a_two", "b_one"],
  );
});

test("each way of disagreeing is told, and the good skill beside them loads", async () => {
  skill("mixed", "missing", "gone_one", "export {};");
  skill("mixed", "undeclared", "", handler("extra"));
  skill("mixed", "no-file", "some_one");
  skill("mixed", "throws", "some_two", "throw new Error('at import');");
  skill("mixed", "broken", "some_three", "export const = ;");
  skill("mixed", "good", "fine", handler("fine"));
  const pack = await loadPack(join(folder, "mixed"));
  assert.deepEqual(
    pack.skills.map(({ name }) => name),
    ["good"],
  );
  const codes = Object.fromEntries(pack.errors.map((error) => [error.file?.split("/").at(-2), error.code]));
  assert.deepEqual(codes, {
    missing: "handler-mismatch",
    undeclared: "handler-mismatch",
    "no-file": "no-module",
    throws: "bad-module",
    broken: "bad-module",
  });
});

test("an error of a module says why it does not load", async () => {
  skill("why", "throws", "some", "throw new Error('the tables are gone');");
  const { errors } = await loadPack(join(folder, "why"));
  assert.match(errors[0]?.message ?? "", /the tables are gone/);
  assert.equal(typeof errors[0]?.fix, "string");
});

test("a handler that is exported under two names is one handler", async () => {
  skill("alias", "one", "same", `${handler("same")}\nexport { same as other };`);
  const { errors, handlers } = await loadPack(join(folder, "alias"));
  assert.deepEqual(errors, []);
  assert.equal(handlers.all().length, 1);
});

test("two skills that claim one handler's name: the first keeps it, the second is told", async () => {
  skill("twice", "one", "same", handler("same"));
  skill("twice", "two", "fresh same", `${handler("fresh")}\n${handler("same")}`);
  const pack = await loadPack(join(folder, "twice"));
  assert.deepEqual(
    pack.errors.map(({ code }) => code),
    ["duplicate-handler"],
  );
  assert.deepEqual(
    pack.handlers.all().map(({ name }) => name),
    ["same"],
    "a skill is registered whole or not at all",
  );
});
