/**
 * What a person waits for often starts with the command parser alone: no schema library, no Markdown parser, no SDK. The
 * commands run from a copy that has no other package.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Server } from "../../runtime/core/contracts.ts";
import { writeCached } from "../../runtime/inventory/cache.ts";
import { readConfigured } from "../../runtime/inventory/configured.ts";
import { makePartialCopy, type PartialCopy } from "../support/partial-copy.ts";

const options = { timeout: 60_000 };
const copy = makePartialCopy((entry) => entry === "citty");
after(() => copy.remove());

const LIGHT: [args: string[], stdin?: string][] = [
  [["--help"]],
  [["servers", "--json"]],
  [["tools", "--json"], "mcp__github__list_issues\n"],
  [["route", "docs", "--json"], "mcp__docs__search\n"],
  [["search", "docs", "--json"], "mcp__docs__search\n"],
];

for (const [args, stdin] of LIGHT) {
  test(`mcp-skills ${args.join(" ")} starts with the command parser alone`, options, async () => {
    const { code, stderr } = await copy.run(args, stdin);
    assert.equal(code, 0, stderr);
  });
}

/** A configuration whose only server is listed in the cache; the program that it names does not exist. */
async function cachedServer({ folder, env }: PartialCopy): Promise<string> {
  const file = join(folder, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers: { notes: { command: "no-such-program" } } }));
  const place = { cwd: folder, home: folder, env, platform: process.platform };
  const { servers } = await readConfigured({ ...place, configs: [file] });
  const tools = [{ server: "notes", name: "list_notes", inputSchema: { type: "object" } }];
  for (const config of servers) {
    const server: Server = { name: config.name, state: "ready", tools, flags: [], origins: [], listedAt: Date.now() };
    await writeCached(config, { ...server, transport: "stdio" }, place);
  }
  return file;
}

test("so do answers from the cache, and they say how old they are", options, async () => {
  const file = await cachedServer(copy);
  for (const args of [["tools"], ["route", "notes"], ["search", "list notes"], ["catalog"]]) {
    const { code, stdout, stderr } = await copy.run([...args, "--json", "--config", file]);
    assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
    assert.match(stdout, /list_notes/, args.join(" "));
    assert.match(stderr, /1 server from the cache, less than a minute old/, args.join(" "));
  }
});

test("discover and load need the token estimator besides, and no more", options, async () => {
  const withEstimator = makePartialCopy((entry) => entry === "citty" || entry === "tokenx");
  try {
    const file = await cachedServer(withEstimator);
    for (const args of [["discover"], ["load", "list notes"]]) {
      const { code, stdout, stderr } = await withEstimator.run([...args, "--json", "--config", file]);
      assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
      assert.match(stdout, /list_notes/, args.join(" "));
    }
  } finally {
    withEstimator.remove();
  }
});
