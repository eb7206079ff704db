/**
 * Commands that need no connection work where the MCP SDK does not exist: they run from a copy whose node_modules lacks it.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { makePartialCopy } from "../support/partial-copy.ts";

const copy = makePartialCopy((entry) => entry !== "@modelcontextprotocol");
after(() => copy.remove());

const OFFLINE: [args: string[], stdin?: string][] = [
  [["--help"]],
  [["skills", "list"]],
  [["skills", "validate"]],
  [["servers"]],
  [["runs", "."]],
  [["gate"], '{ "tool": "mcp__github__list_issues", "args": {} }'],
  [["tools"], "mcp__github__list_issues\n"],
  [["run", "classify_mcp_tools"], '{ "tools": [] }'],
  [["discover"]],
];

for (const [args, stdin] of OFFLINE) {
  test(`mcp-skills ${args.join(" ")} does not load the SDK`, { timeout: 60_000 }, async () => {
    const { code, stderr } = await copy.run(args, stdin);
    assert.equal(code, 0, stderr);
  });
}
