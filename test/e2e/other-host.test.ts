/** A host that nobody here wrote, mcporter, finds and calls a tool of a server behind the gateway, over stdio and over HTTP. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { cliCommand, ROOT, SERVER_RUNTIME } from "../support/cli.ts";
import { processesOf } from "../support/processes.ts";
import { serveOverHttp } from "../support/serve.ts";

/** The host needs Node 24; under Bun it runs wherever the check does. The gateway is the same process on each runtime. */
const skip = "Bun" in globalThis ? false : "mcporter runs under Bun";

const home = mkdtempSync(join(tmpdir(), "mcp-skills-host-"));
after(() => rmSync(home, { recursive: true, force: true }));

const own = join(home, "mcp.json");
const everything = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
writeFileSync(own, JSON.stringify({ mcpServers: { everything: { command: SERVER_RUNTIME, args: [everything] } } }));

function mcporter(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const entry = join(ROOT, "node_modules/mcporter/dist/cli.js");
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache"), NO_COLOR: "1" };
  const child = spawn(process.execPath, [entry, ...args], { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
  const heard = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (part: string) => {
      heard[name] += part;
    });
  return new Promise((done) => child.once("close", (code) => done({ code, ...heard })));
}

async function findAndCall(host: string): Promise<void> {
  const json = ["--config", host, "--output", "json"];
  const listed = await mcporter("list", "--config", host, "--json", "pack");
  assert.equal(listed.code, 0, listed.stderr);
  const { tools } = JSON.parse(listed.stdout) as { tools: { name: string }[] };
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["agi_mcp_discover", "find_tools", "call_tool", "capability_map"],
  );

  const found = await mcporter("call", ...json, "pack.find_tools", "query=echo a message");
  assert.equal(found.code, 0, found.stderr);
  assert.match(found.stdout, /mcp__everything__echo/);

  const args = JSON.stringify({ name: "mcp__everything__echo", arguments: { message: "through the gateway" } });
  const called = await mcporter("call", ...json, "pack.call_tool", "--args", args);
  assert.equal(called.code, 0, called.stderr);
  assert.match(called.stdout, /Echo: through the gateway/);

  // It cannot be asked, so what writes is refused, with the reason in its own output.
  const write = JSON.stringify({ name: "mcp__everything__toggle-simulated-logging", arguments: {} });
  const refused = await mcporter("call", ...json, "pack.call_tool", "--args", write);
  assert.match(refused.stdout + refused.stderr, /--mode/);
}

test("mcporter lists, finds and calls over stdio, and what it started ends with it", { skip }, async () => {
  const [command, ...first] = cliCommand();
  const host = join(home, "stdio.json");
  writeFileSync(
    host,
    JSON.stringify({ mcpServers: { pack: { command, args: [...first, "serve", "--config", own] } } }),
  );
  await findAndCall(host);
  assert.deepEqual(processesOf(home), []);
});

test("mcporter lists, finds and calls over HTTP", { skip }, async () => {
  const serving = serveOverHttp(home, own);
  const host = join(home, "http.json");
  writeFileSync(host, JSON.stringify({ mcpServers: { pack: { url: await serving.url } } }));
  await findAndCall(host);
  assert.equal(await serving.end(), 0);
  assert.deepEqual(processesOf(home), []);
});
