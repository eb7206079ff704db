/** A client that speaks to `mcp-skills serve --handlers` over stdio, through the official SDK. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { loadPack } from "../../runtime/pack.ts";
import { cliCommand, ROOT } from "../support/cli.ts";

test("serve --handlers lists every handler of the pack with both schemas, runs one, and ends with its client", {
  timeout: 60_000,
}, async () => {
  const [command = "", ...args] = [...cliCommand(), "serve", "--handlers"];
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, cwd: ROOT, stderr: "ignore" }));
  const { tools } = await client.listTools();
  const { handlers } = await loadPack(`${ROOT}skills`);
  for (const handler of handlers.all()) {
    const tool = tools.find(({ name }) => name === handler.name);
    assert.ok(tool?.outputSchema, `${handler.name} is served with an output schema`);
    assert.equal(tool.annotations?.readOnlyHint, handler.annotations.readOnlyHint);
  }
  const result = await client.callTool({
    name: "classify_mcp_tools",
    arguments: { tools: [{ name: "mcp__github__delete_repo" }] },
  });
  assert.match(JSON.stringify(result.structuredContent), /"access":"write"/);
  const wrong = await client.callTool({ name: "classify_mcp_tools", arguments: { tools: 5 } });
  assert.equal(wrong.isError, true);
  await client.close();
});
