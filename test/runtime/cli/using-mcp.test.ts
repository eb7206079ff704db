/** The commands `tools`, `route` and `gate` as a person or an agent calls them. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT, runCli } from "../../support/cli.ts";

const LIST = "mcp__github__list_issues\nmcp__github__merge_pull_request\nmcp__gmail__search_emails\nBash\n";

const MEMORY = "node_modules/@modelcontextprotocol/server-memory/dist/index.js";
const runtimeArgs = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];

async function inFolder(use: (folder: string) => Promise<void>, settings?: unknown): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "using-mcp-"));
  try {
    if (settings !== undefined) {
      mkdirSync(join(folder, ".claude"));
      writeFileSync(join(folder, ".claude/settings.json"), JSON.stringify(settings));
    }
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("tools: plain lines in, one line a tool out; the rest is told on stderr", async () => {
  await inFolder(async (cwd) => {
    const { code, stdout, stderr } = await runCli(["tools", "--input", "-"], { cwd, stdin: LIST });
    assert.equal(code, 0);
    assert.deepEqual(stdout.trim().split("\n"), [
      "github\tlist_issues\tread\tissue-tracking\tname",
      "github\tmerge_pull_request\twrite\tcode-hosting\tname",
      "gmail\tsearch_emails\tread\temail\tname",
    ]);
    assert.match(stderr, /1 of the entries is no MCP tool name/);
  });
});

test("tools: filters, JSON and a denied tool that is left out", async () => {
  await inFolder(
    async (cwd) => {
      const args = ["tools", "--input", "-", "--access", "read", "--json"];
      const { code, stdout, stderr } = await runCli(args, {
        cwd,
        stdin: JSON.stringify({ tools: LIST.trim().split("\n") }),
      });
      assert.equal(code, 0);
      assert.deepEqual(
        JSON.parse(stdout).map(({ tool }: { tool: string }) => tool),
        ["search_emails"],
      );
      assert.match(stderr, /1 tools? (?:is|are) denied/);
    },
    { permissions: { deny: ["mcp__github__list_issues"] } },
  );
});

test("tools: a list may be piped in, or named on the command line", async () => {
  await inFolder(async (cwd) => {
    const piped = await runCli(["tools", "--server", "gmail"], { cwd, stdin: LIST });
    assert.deepEqual([piped.code, piped.stdout], [0, "gmail\tsearch_emails\tread\temail\tname\n"]);
    const named = await runCli(["tools", "mcp__a__get_b", "mcp__c__set_d", "--access", "write"], { cwd });
    assert.deepEqual([named.code, named.stdout], [0, "c\tset_d\twrite\tother\tname\n"]);
  });
});

test("tools and route: without a list, the configured servers are asked", async () => {
  await inFolder(async (cwd) => {
    const server = { command: process.execPath, args: [...runtimeArgs, join(ROOT, MEMORY)] };
    writeFileSync(
      join(cwd, "servers.json"),
      JSON.stringify({ mcpServers: { memory: server, gone: { command: "no-such-program" } } }),
    );
    const listed = await runCli(["tools", "--config", "servers.json", "--access", "read", "--json"], { cwd });
    assert.equal(listed.code, 0, listed.stderr);
    const names = JSON.parse(listed.stdout).map(({ tool }: { tool: string }) => tool);
    assert.ok(names.includes("read_graph") && names.includes("search_nodes"), listed.stdout);
    assert.ok(!names.some((name: string) => /^(create|delete|add)_/.test(name)));
    assert.match(listed.stderr, /gone/);
    const route = await runCli(["route", "memory", "--config", "servers.json", "--json"], { cwd });
    assert.deepEqual([JSON.parse(route.stdout).via, JSON.parse(route.stdout).access], ["mcp", "read"]);
  });
});

test("tools: wrong usage exits 2 and says what to do", async () => {
  await inFolder(async (cwd) => {
    const wrong = await runCli(["tools", "--access", "maybe", "mcp__a__b"], { cwd });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /read, write/);
    const broken = await runCli(["tools", "--input", "-"], { cwd, stdin: "[{" });
    assert.equal(broken.code, 2);
    assert.equal(broken.stdout, "");
  });
});

test("route: the best tool, and a record without values", async () => {
  await inFolder(async (cwd) => {
    const log = join(cwd, "decisions.jsonl");
    const { code, stdout } = await runCli(["route", "email", "--input", "-", "--log", log], { cwd, stdin: LIST });
    assert.deepEqual([code, stdout], [0, "mcp\tgmail\tsearch_emails\tread\n"]);
    const silent = await runCli(["route", "payments", "--input", "-", "--json"], { cwd, stdin: LIST });
    assert.deepEqual([silent.code, JSON.parse(silent.stdout)], [0, { via: "native" }]);
    const record = JSON.parse(readFileSync(log, "utf8"));
    assert.deepEqual([record.capability, record.tool, record.decision], ["email", "search_emails", "allow"]);
  });
});

test("gate: the host's own files count, arguments stay out of the log", async () => {
  await inFolder(
    async (cwd) => {
      const log = join(cwd, "decisions.jsonl");
      const call = { tool: "mcp__github__create_issue", args: { title: "a secret" } };
      const { code, stdout } = await runCli(["gate", "--log", log], { cwd, stdin: JSON.stringify(call) });
      assert.deepEqual([code, JSON.parse(stdout).decision], [0, "allow"]);
      const denied = await runCli(["gate"], {
        cwd,
        stdin: JSON.stringify({ tool: { name: "mcp__gmail__search_emails" } }),
      });
      assert.equal(JSON.parse(denied.stdout).decision, "deny");
      const silent = await runCli(["gate", "--no-ask"], { cwd, stdin: JSON.stringify({ tool: "mcp__x__add_y" }) });
      assert.equal(JSON.parse(silent.stdout).decision, "deny");
      const text = readFileSync(log, "utf8");
      assert.ok(!text.includes("secret"));
      assert.deepEqual(JSON.parse(text).argumentsShape, { title: "string(8)" });
    },
    { permissions: { allow: ["mcp__github"], deny: ["mcp__gmail"] } },
  );
});

test("gate: a denial that cannot be read stops it", async () => {
  await inFolder(
    async (cwd) => {
      const { code, stdout, stderr } = await runCli(["gate"], { cwd, stdin: '{"tool":"mcp__a__get_b"}' });
      assert.deepEqual([code, stdout], [2, ""]);
      assert.match(stderr, /deny rule/);
    },
    { permissions: { deny: ["mcp__a__get_b(x)"] } },
  );
});
