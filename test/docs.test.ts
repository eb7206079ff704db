/** The README speaks of what there is: every command, every skill, and no link that leads nowhere. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../runtime/cli/commands.ts";
import { referencePage } from "../runtime/handler-reference.ts";
import { loadPack } from "../runtime/pack.ts";
import { ROOT, runCli } from "./support/cli.ts";

// The copy in which Node runs the tests holds no README; the repository two folders up does.
const home = existsSync(join(ROOT, "README.md")) ? ROOT : join(ROOT, "../..");
const readme = readFileSync(join(home, "README.md"), "utf8");

test("the README names every command", () => {
  const table = readme.slice(readme.indexOf("## Use"));
  // `complete` answers a shell and is no command of a person's.
  const missing = Object.keys(COMMANDS).filter(
    (name) => !table.includes(`\`mcp-skills ${name}`) && name !== "complete",
  );
  assert.deepEqual(missing, []);
});

test("the README names every skill", () => {
  for (const skill of readdirSync(join(ROOT, "skills"))) assert.ok(readme.includes(`skills/${skill}/SKILL.md`), skill);
});

test("every relative link of the README leads to a file", () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] ?? "");
  assert.ok(links.length > 5);
  for (const link of links) assert.ok(existsSync(join(home, link)), link);
});

test("the reference page is what the handlers' definitions say; bun run docs renews it", async () => {
  const page = readFileSync(join(home, "docs/handlers.md"), "utf8");
  assert.equal(page, referencePage(await loadPack(join(ROOT, "skills"))));
});

test("run HANDLER --help tells the handler's fields", async () => {
  const { code, stdout } = await runCli(["run", "gate_call", "--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /^gate_call: /);
  assert.match(stdout, /Input:\n {2}tool /);
});
