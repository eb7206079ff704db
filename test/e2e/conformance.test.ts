/**
 * The official conformance suite, over real HTTP: against the gateway's factory and transport with the suite's fixtures put in,
 * against the gateway as people start it, and with the inventory's client as the client under test.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createGateway } from "../../runtime/gateway/gateway.ts";
import { serveHttp } from "../../runtime/gateway/http.ts";
import { ROOT, SERVER_RUNTIME } from "../support/cli.ts";
import { conformanceFeature } from "../support/conformance-feature.ts";
import { serveOverHttp } from "../support/serve.ts";

/** The suite needs Node 22 or later, which is not there for certain; under Bun it runs wherever the check does. */
const skip = "Bun" in globalThis ? false : "the suite runs under Bun";

const home = mkdtempSync(join(tmpdir(), "mcp-skills-conformance-"));
after(() => rmSync(home, { recursive: true, force: true }));

const ACTIVE = 30;

function suite(...args: string[]): Promise<{ code: number | null; output: string }> {
  const entry = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  const child = spawn(process.execPath, [entry, ...args], { cwd: home, env: { ...process.env, HOME: home } });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  return new Promise((done) => child.once("close", (code) => done({ code, output })));
}

const scenarios = (output: string, mark: string) => output.split("\n").filter((line) => line.startsWith(`${mark} `));

test("every active scenario passes over the gateway's factory and transport with the suite's fixtures", {
  skip,
}, async () => {
  const gateway = createGateway({ version: "0", features: [conformanceFeature] });
  const http = await serveHttp(gateway, { port: 0 });
  try {
    const { code, output } = await suite("server", "--url", http.url, "--suite", "active");
    assert.equal(code, 0, output);
    assert.equal(scenarios(output, "✓").length, ACTIVE, output);
  } finally {
    await http.close();
    await gateway.close();
  }
});

test("the gateway as it is started fails only where the suite asks for its own fixtures", { skip }, async () => {
  const config = join(home, "mcp.json");
  const everything = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { everything: { command: SERVER_RUNTIME, args: [everything] } } }),
  );
  const serving = serveOverHttp(home, config);
  const baseline = join(ROOT, "test/fixtures/conformance/expected-failures.yml");
  const { code, output } = await suite(
    ...["server", "--url", await serving.url, "--suite", "active", "--expected-failures", baseline],
  );
  assert.equal(await serving.end(), 0);
  assert.equal(code, 0, output);
  assert.equal(scenarios(output, "✓").length + scenarios(output, "✗").length, ACTIVE, output);
});

for (const scenario of ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"]) {
  test(`the inventory's client passes ${scenario}`, { skip }, async () => {
    const client = join(ROOT, "test/support/conformance-client.ts");
    const command = `"${process.execPath}" "${client}"`;
    const { code, output } = await suite("client", "--command", command, "--scenario", scenario);
    assert.equal(code, 0, output);
    assert.match(output, /OVERALL: PASSED/);
  });
}
