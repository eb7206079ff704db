/**
 * Commands that need no connection work where the MCP SDK does not exist: they run from a copy whose node_modules lacks it.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { modulePath, ROOT, scriptCommand } from "../support/cli.ts";

const copy = mkdtempSync(join(tmpdir(), "mcp-skills-no-sdk-"));
after(() => rmSync(copy, { recursive: true, force: true }));

for (const part of ["runtime", "skills", "package.json"])
  cpSync(join(ROOT, part), join(copy, part), { recursive: true });
mkdirSync(join(copy, "node_modules"));
for (const name of readdirSync(join(ROOT, "node_modules"))) {
  if (!name.startsWith(".") && name !== "@modelcontextprotocol") {
    symlinkSync(join(ROOT, "node_modules", name), join(copy, "node_modules", name));
  }
}
const main = modulePath("runtime/cli/main").replace(ROOT, `${copy}/`);

function run(args: string[], stdin: string): Promise<{ code: number | null; stderr: string }> {
  const [program = "", ...first] = scriptCommand(main);
  return new Promise((done) => {
    const child = spawn(program, [...first, ...args], { cwd: copy, env: { ...process.env, HOME: copy } });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.stdout.resume();
    child.on("close", (code) => done({ code, stderr }));
    child.stdin.on("error", () => {});
    child.stdin.end(stdin);
  });
}

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
    const { code, stderr } = await run(args, stdin ?? "");
    assert.equal(code, 0, stderr);
  });
}
