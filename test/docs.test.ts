/** The README speaks of what there is: every command, every skill, and no link that leads nowhere. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { COMMANDS } from "../runtime/cli/commands.ts";
import { ROOT } from "./support/cli.ts";

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
