/** Shell completion: scripts that the shells accept, and the words offered at each place. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { after, test } from "node:test";
import { runCli } from "../../support/cli.ts";
import { makeHome } from "../../support/fake-home.ts";

const { home, project } = makeHome({
  ".cursor/mcp.json": `{"mcpServers":{"plain":{"command":"x"},"$(touch pwned)":{"command":"x"},"a b":{"command":"x"}}}`,
});
after(() => rmSync(home, { recursive: true, force: true }));

async function offered(...words: string[]): Promise<string[]> {
  const env = { HOME: home, XDG_CONFIG_HOME: "" };
  const { code, stdout } = await runCli(["complete", "--", ...words], { cwd: project, env });
  assert.equal(code, 0);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t")[0] ?? "");
}

test("commands, sub-commands, options, choices, hosts and servers are offered", async () => {
  assert.ok((await offered("")).includes("servers"));
  assert.deepEqual(await offered("serv").then((words) => words.filter((word) => word === "servers")), ["servers"]);
  assert.deepEqual(await offered("skills", "val"), ["validate", ":4"]);
  assert.deepEqual(await offered("servers", "--tr"), ["--trust-project", ":4"]);
  assert.deepEqual(await offered("completion", "z"), ["zsh", ":4"]);
  assert.deepEqual(await offered("servers", "--host", "cur"), ["cursor", ":4"]);
});

test("a file is completed by the shell itself", async () => {
  assert.deepEqual(await offered("servers", "--config", ""), [":0"]);
});

test("a server's name that a shell would read as more than a word is not offered", async () => {
  assert.deepEqual(await offered("servers", "--only", ""), ["plain", ":4"]);
});

test("the scripts are ones that the shells accept", async () => {
  for (const shell of ["bash", "zsh", "fish", "powershell"]) {
    const { code, stdout } = await runCli(["completion", shell]);
    assert.equal(code, 0);
    assert.match(stdout, /mcp-skills/);
    const checked = spawnSync(shell, ["-n"], { input: stdout, encoding: "utf8" });
    // A shell that is not installed here cannot be asked.
    if (checked.error === undefined && shell !== "powershell") assert.equal(checked.status, 0, checked.stderr);
  }
  const unknown = await runCli(["completion", "tcsh"]);
  assert.deepEqual([unknown.code, unknown.stdout], [2, ""]);
});
