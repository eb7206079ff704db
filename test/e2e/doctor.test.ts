/** doctor on real servers, and what a project's servers need before anything of them starts. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ROOT, runCli, SERVER_RUNTIME } from "../support/cli.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-skills-doctor-")));
after(() => rmSync(folder, { recursive: true, force: true }));

const MEMORY = join(ROOT, "node_modules/@modelcontextprotocol/server-memory/dist/index.js");

function projectWith(name: string, config: unknown) {
  const project = join(folder, name);
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".mcp.json"), JSON.stringify(config));
  const home = join(folder, `${name}-home`);
  mkdirSync(home, { recursive: true });
  const env = { HOME: home, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", XDG_CACHE_HOME: "" };
  return { project, run: (...args: string[]) => runCli(args, { cwd: project, env }) };
}

test("doctor tells what is configured where, what it costs, what fails and what to do", {
  timeout: 60_000,
}, async () => {
  const { run } = projectWith("mixed", {
    mcpServers: {
      memory: { command: SERVER_RUNTIME, args: [MEMORY], env: { MEMORY_FILE_PATH: join(folder, "memory.json") } },
      twin: { command: SERVER_RUNTIME, args: [MEMORY], disabled: true },
      gone: { command: "mcp-skills-no-such-program" },
      a__b: { command: "${MCP_SKILLS_NOT_SET}" },
    },
  });
  const { code, stdout } = await run("doctor", "--json", "--trust-project");
  assert.equal(code, 0);
  const { files, servers, findings } = JSON.parse(stdout);
  assert.deepEqual(files[0].servers, ["memory", "twin", "gone", "a__b"]);
  const memory = servers.find(({ name }: { name: string }) => name === "memory");
  assert.deepEqual([memory.state, memory.tools], ["ready", 9]);
  assert.ok(memory.tokens > 100);
  const told = findings.map(({ level, kind, server }: Record<string, string>) => `${level} ${kind} ${server}`);
  assert.deepEqual(told, ["error failed gone", "warning not-started a__b", "warning ambiguous-name a__b"]);
  for (const { fix } of findings) assert.ok(fix);
  const plain = await run("doctor", "--strict", "--quiet");
  assert.match(plain.stdout, /1 of 4 configured servers are ready/);
  assert.deepEqual([plain.code, plain.stderr], [1, ""]);
  assert.equal((await run("doctor", "--strict", "--only", "memory")).code, 0);
});

test("nothing of a cloned repository is started before the user's word; one word is enough", {
  timeout: 60_000,
}, async () => {
  const { project, run } = projectWith("cloned", {
    mcpServers: { evil: { command: "touch", args: ["started"] } },
  });
  const witness = join(project, "started");
  for (const command of ["servers", "doctor"]) assert.equal((await run(command)).code, 0);
  assert.equal(existsSync(witness), false);
  await run("doctor", "--trust-project");
  assert.equal(existsSync(witness), true);
  rmSync(witness);
  await run("doctor");
  assert.equal(existsSync(witness), true);
});
