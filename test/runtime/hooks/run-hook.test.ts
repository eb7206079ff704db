/** The hook as its host starts it: a process that reads JSON, and on any fault asks rather than allows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli } from "../../support/cli.ts";

const hook = (event: string, stdin: string | Uint8Array, env: Record<string, string> = {}) =>
  runCli(["hook", event], { stdin, env });

const asked = (stdout: string) => JSON.parse(stdout).hookSpecificOutput?.permissionDecision;

test("what the host sent and cannot be read is asked about, with the reason on stderr", async () => {
  for (const stdin of ["", "no json", "[]", new Uint8Array([0xff, 0xfe, 0]), '{"tool_name":"mcp__a__b c"}', "{}"]) {
    const { code, stdout, stderr } = await hook("pre-tool-use", stdin);
    assert.equal(code, 0, stderr);
    assert.equal(asked(stdout), "ask", String(stdin));
    assert.match(stderr, /^mcp-skills hook pre-tool-use: ./);
  }
});

test("a huge call is judged, and a decision that cannot be logged is no permission", async () => {
  const call = JSON.stringify({ tool_name: "mcp__notes__list_notes", tool_input: { text: "x".repeat(8_000_000) } });
  const { stdout } = await hook("pre-tool-use", call);
  assert.match(asked(stdout), /^(?:allow|ask)$/);
  const unlogged = await hook("pre-tool-use", '{"tool_name":"mcp__notes__list_notes"}', {
    MCP_SKILLS_LOG: "/dev/null/decisions.jsonl",
  });
  assert.equal(asked(unlogged.stdout), "ask");
  assert.match(unlogged.stderr, /ENOTDIR|EEXIST/);
});

test("nothing is said of a tool or a prompt that is none of the hook's", async () => {
  for (const [event, stdin] of [
    ["pre-tool-use", '{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}'],
    ["user-prompt-submit", '{"prompt":"what is the weather?"}'],
    ["session-start", "{}"],
  ] as const) {
    assert.deepEqual(await hook(event, stdin), { code: 0, stdout: "", stderr: "" });
  }
});

test("a selection is blocked where it cannot be checked, or where no server is known", async () => {
  const broken = await hook("user-prompt-submit", "/mcp:notes");
  assert.equal(JSON.parse(broken.stdout).decision, "block");
  const unknown = await hook("user-prompt-submit", '{"prompt":"/mcp:notes do it"}');
  assert.match(JSON.parse(unknown.stdout).reason, /run mcp-skills tools/);
});

test("a hook that was set up wrongly stops the call: exit code 2, as Claude Code takes it", async () => {
  for (const args of [["pre-tool-us"], [], ["pre-tool-use", "--mod", "x"], ["pre-tool-use", "--mode"]]) {
    const { code, stderr } = await runCli(["hook", ...args], { stdin: "{}" });
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, /./);
  }
});
