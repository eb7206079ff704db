/** The question that a person is asked about a project's servers. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { PassThrough } from "node:stream";
import { after, test } from "node:test";
import { askForApproval } from "../../../runtime/cli/approval-prompt.ts";
import { readConfigured } from "../../../runtime/inventory/configured.ts";
import { makeHome } from "../../support/fake-home.ts";

const homes: string[] = [];
after(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const ENTRIES = `{"mcpServers":{
  "a":{"command":"npx","args":["pkg","--token","secret-1"],"env":{"KEY":"secret-2"}},
  "b":{"url":"https://example.com/mcp?key=secret-3"},
  "c\\u001b[2J":{"command":"x\\u202e"}}}`;

/** Answers each question with the next line, `null` ends the input; gives the states and everything that was shown. */
async function answer(...answers: (string | null)[]) {
  const { home, project } = makeHome({ "work/app/.mcp.json": ENTRIES });
  homes.push(home);
  const place = { cwd: project, home, env: {}, platform: "linux" };
  const { servers } = await readConfigured(place);
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  output.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    if (!text.includes("[y/N")) return;
    const next = answers.shift() ?? null;
    if (next === null) input.end();
    else input.write(`${next}\n`);
  });
  await askForApproval(servers, place, { input, output });
  const states = (await readConfigured(place)).servers.map(({ state }) => state === "enabled");
  return { states, shown };
}

test("only a clear yes approves, and it is remembered", async () => {
  assert.deepEqual((await answer("y", "", "n")).states, [true, false, false]);
  assert.deepEqual((await answer("maybe", "YES", "y es")).states, [false, true, false]);
});

test("the end of the input is a no to all that is left", async () => {
  assert.deepEqual((await answer("y", null)).states, [true, false, false]);
});

test("a approves this one and the rest", async () => {
  assert.deepEqual((await answer("n", "a")).states, [false, true, true]);
});

test("it shows what would be started, without secrets and without tricks on the terminal", async () => {
  const { shown } = await answer("n", "n", "n");
  assert.match(shown, /npx pkg --token \*\*\* \(sets KEY\)/);
  assert.match(shown, /https:\/\/example\.com\/mcp\?…/);
  assert.match(shown, /\.mcp\.json/);
  assert.doesNotMatch(shown, /secret-|\u202e/);
  assert.match(shown, /c\\u\{1b\}\[2J: x\\u\{202e\}/);
});
