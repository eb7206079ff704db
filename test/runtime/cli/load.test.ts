/** The commands `search` and `load`, over lists and over the configured servers' cached ones. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Server } from "../../../runtime/core/contracts.ts";
import { writeCached } from "../../../runtime/inventory/cache.ts";
import { readConfigured } from "../../../runtime/inventory/configured.ts";
import { runCli } from "../../support/cli.ts";

const cwd = mkdtempSync(join(tmpdir(), "load-cli-"));
after(() => rmSync(cwd, { recursive: true }));

const LIST = [
  "mcp__ci__find_flaky_tests\tFind flaky tests of the last builds",
  ...Array.from({ length: 12 }, (_, at) => `mcp__ci__find_test_${at}\tFind the test of a suite`),
  "mcp__tracker__create_issue\tFile an issue",
  "mcp__chat__post_message\tPost a message to a channel",
  "mcp__chat__drop_channel\tDelete a channel",
].join("\n");
writeFileSync(join(cwd, "list.txt"), LIST);
mkdirSync(join(cwd, ".claude"));
writeFileSync(
  join(cwd, ".claude/settings.json"),
  JSON.stringify({ permissions: { deny: ["mcp__chat__drop_channel"] } }),
);

const REQUEST = "find the flaky test, then file an issue and tell the channel";

const run = (...args: string[]) => runCli([...args, "--input", "list.txt"], { cwd });

test("search: one line a tool with its access and the words by which it matched; what is denied is left out", async () => {
  const { code, stdout, stderr } = await run("search", "message a channel");
  assert.equal(code, 0, stderr);
  assert.equal(stdout, "chat\tpost_message\twrite\tmessage, channel\n");
  assert.match(stderr, /1 tools are denied/);
});

test("search --json: names, scores and descriptions, at most as many as asked for; nothing found is no error", async () => {
  const { stdout } = await run("search", "flaky tests", "--limit", "2", "--json");
  const [first, ...more] = JSON.parse(stdout);
  assert.equal(more.length, 1);
  assert.deepEqual(
    [first.name, first.access, first.matched, typeof first.score],
    ["mcp__ci__find_flaky_tests", "read", ["flaky", "tests"], "number"],
  );
  const none = await run("search", "zzz");
  assert.deepEqual([none.code, none.stdout], [0, ""]);
  assert.match(none.stderr, /None of 15 tools matches/);
});

test("load: a tool for each part, why each, what is saved and what stays deferred", async () => {
  const { code, stdout, stderr } = await run("load", REQUEST);
  assert.equal(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.length, 8);
  assert.ok(lines.includes("tracker\tcreate_issue\twrite\tmatches file, issue"), stdout);
  assert.ok(lines.includes("chat\tpost_message\twrite\tmatches channel"), stdout);
  assert.match(stderr, /About \d+ tokens of declarations in place of \d+: \d+ saved/);
  assert.match(stderr, /Deferred: mcp__ci__find_test_\d+, /);
});

test("load --json: pins first, every deferred tool, pins that took no place, and the tokens", async () => {
  const pins = ["--pin", "mcp__ci__find_test_3", "--pin=mcp__gone__x", "--pin", "mcp__chat__drop_channel"];
  const { stdout } = await run("load", ...pins, "--max", "2", REQUEST, "--json");
  const { loaded, deferred, unplaced, tokens, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, { intent: REQUEST });
  assert.deepEqual([loaded.length, loaded[0].name, loaded[0].by], [2, "mcp__ci__find_test_3", "pin"]);
  assert.equal(deferred.length, 13);
  assert.deepEqual(
    unplaced.map(({ name, reason }: Record<string, string>) => [name, reason]),
    [
      ["mcp__gone__x", "not-installed"],
      ["mcp__chat__drop_channel", "not-installed"],
    ],
  );
  assert.equal(tokens.saved, tokens.all - tokens.loaded);
  assert.ok(tokens.loaded > 0 && tokens.saved > 0);
});

test("load --max: eight is the most, and a number that is none is wrong usage", async () => {
  const many = await run("load", REQUEST, "--max", "100");
  assert.equal(many.stdout.trimEnd().split("\n").length, 8);
  assert.match(many.stderr, /8 is the most/);
  for (const [option, value] of [
    ["load", "--max", "some"],
    ["search", "--limit", "0"],
  ].map(([command, name, number]) => [command, `${name}=${number}`])) {
    const { code, stderr } = await run(option as string, "x", value as string);
    assert.equal(code, 2);
    assert.match(stderr, /whole number/);
  }
});

test("load --profile: its tools first, then the best of the rest; one edited row changes that; a bad one is told", async () => {
  const profile = join(cwd, "mine.md");
  const write = (domain: string, hot = "find_test_5") =>
    writeFileSync(
      profile,
      [
        `## Always hot\n\n| tool | what |\n|---|---|\n| ${hot} | often used |\n`,
        "## On demand\n\n| domain | tools |\n|---|---|\n| talk | post_message, not_there |\n| meta | find_test_6 |\n",
        `## Routing rules\n\n| domain | keywords |\n|---|---|\n| ${domain} | channel |\n| meta | * |\n`,
      ].join("\n"),
    );
  const load = () => run("load", "tell the channel", "--profile", "mine.md", "--json");
  write("talk");
  const talk = JSON.parse((await load()).stdout);
  assert.equal(talk.domain, "talk");
  assert.deepEqual(
    talk.loaded.map(({ tool, by }: Record<string, string>) => [tool, by]),
    [
      ["find_test_5", "always-hot"],
      ["post_message", "domain"],
    ],
  );
  assert.deepEqual(talk.unplaced, [{ name: "not_there", asked: "profile", reason: "not-installed" }]);
  write("meta");
  assert.equal(JSON.parse((await load()).stdout).loaded[1].tool, "find_test_6");
  write("talk", "post_message");
  const wrong = await load();
  assert.deepEqual([wrong.code, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /mine\.md:11:10: .*"post_message" stands twice/);
});

test("search and load answer from the cache, without starting a server", async () => {
  const file = join(cwd, "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { notes: { command: "no-such-program" } } }));
  const env = { XDG_CACHE_HOME: join(cwd, "cache"), MCP_SKILLS_NO_BACKGROUND: "1" };
  const place = { cwd, home: cwd, env, platform: process.platform };
  const { servers } = await readConfigured({ ...place, configs: [file] });
  for (const config of servers) {
    const tools = [{ server: config.name, name: "list_notes", inputSchema: { type: "object" } }];
    const server: Server = { name: config.name, state: "ready", tools, flags: [], origins: [], listedAt: Date.now() };
    writeCached(config, { ...server, transport: "stdio" }, place);
  }
  const found = await runCli(["search", "list", "the", "notes", "--config", file], { cwd, env });
  assert.equal(found.stdout, "notes\tlist_notes\tread\tlist, notes\n", found.stderr);
  const loaded = await runCli(["load", "--config", file, "--", "list the notes"], { cwd, env });
  assert.equal(loaded.stdout, "notes\tlist_notes\tread\tmatches list, notes\n", loaded.stderr);
});
