/** Lists kept between runs: what they hold, when they count, and that a damaged one costs nothing. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Server } from "../../../runtime/core/contracts.ts";
import { cacheKey, claimRefresh, readCached, writeCached } from "../../../runtime/inventory/cache.ts";
import { cacheFolder, MAX_AGE_MS } from "../../../runtime/inventory/cache-folder.ts";
import { takeInventory } from "../../../runtime/inventory/inventory.ts";
import type { ServerConfig } from "../../../runtime/inventory/server-config.ts";
import { ROOT, SERVER_RUNTIME } from "../../support/cli.ts";

const root = mkdtempSync(join(tmpdir(), "mcp-skills-cache-"));
after(() => rmSync(root, { recursive: true, force: true }));

let homes = 0;
function newPlace() {
  homes += 1;
  return { cwd: root, home: join(root, `home-${homes}`), env: {}, platform: process.platform };
}

const SECRET = "sk-4f9a-very-secret-value";

function config(fields: Partial<{ args: string[]; env: Record<string, string>; name: string }> = {}): ServerConfig {
  const { args = ["server.js", `--token=${SECRET}`], env = { API_KEY: SECRET }, name = "notes" } = fields;
  const target = { transport: "stdio" as const, command: SERVER_RUNTIME, args, env };
  return { name, state: "enabled", transport: "stdio", target, origins: [{ host: "x", file: "/f", scope: "user" }] };
}

const server: Server = {
  name: "notes",
  state: "ready",
  transport: "stdio",
  version: "1.2",
  tools: [{ server: "notes", name: "list_notes", description: "Lists", inputSchema: { type: "object" } }],
  flags: [{ kind: "odd-name", message: "x" }],
  origins: [{ host: "x", file: "/f", scope: "user" }],
  listedAt: 1_000_000,
};

const folderOf = (place: ReturnType<typeof newPlace>) => join(cacheFolder(place), "tools-1");
const onlyFile = (place: ReturnType<typeof newPlace>) => join(folderOf(place), readdirSync(folderOf(place))[0] ?? "");

test("a list comes back as it was kept, from a file that its owner alone may read, without a secret in it or in its name", async () => {
  const place = newPlace();
  await writeCached(config(), server, place);
  assert.deepEqual(await readCached(config(), place, 1_000_001), server);
  if (process.platform !== "win32") assert.equal(statSync(onlyFile(place)).mode & 0o777, 0o600);
  const everything = onlyFile(place) + readFileSync(onlyFile(place), "utf8");
  for (const hidden of [SECRET, "server.js", "API_KEY", "node"]) assert.ok(!everything.includes(hidden), hidden);
});

test("any change of the entry is another file", async () => {
  const place = newPlace();
  await writeCached(config(), server, place);
  for (const changed of [
    config({ args: ["other.js"] }),
    config({ env: { API_KEY: "x" } }),
    config({ env: {} }),
    config({ name: "n" }),
  ]) {
    assert.equal(await readCached(changed, place, 1_000_001), null);
    assert.notEqual(await cacheKey(changed), await cacheKey(config()));
  }
});

test("a list of more than a day, or from the future, does not count", async () => {
  const place = newPlace();
  await writeCached(config(), server, place);
  assert.notEqual(await readCached(config(), place, 1_000_000 + MAX_AGE_MS), null);
  assert.equal(await readCached(config(), place, 1_000_001 + MAX_AGE_MS), null);
  assert.equal(await readCached(config(), place, 1), null);
});

test("a damaged, foreign or writable file is ignored and replaced", async () => {
  const place = newPlace();
  await writeCached(config(), server, place);
  const file = onlyFile(place);
  const good = readFileSync(file, "utf8");
  for (const bad of [
    "",
    "{",
    "null",
    "[]",
    good.slice(0, -20),
    good.replace('"version":1', '"version":2'),
    good.replace(/"key":"\w/, '"key":"'),
  ]) {
    writeFileSync(file, bad);
    assert.equal(await readCached(config(), place, 1_000_001), null, bad.slice(0, 40));
  }
  await writeCached(config(), server, place);
  assert.notEqual(await readCached(config(), place, 1_000_001), null);
  if (process.platform !== "win32") {
    chmodSync(file, 0o666);
    assert.equal(await readCached(config(), place, 1_000_001), null);
  }
});

test("a server that is not ready is never kept", async () => {
  const place = newPlace();
  await writeCached(config(), { ...server, state: "failed", failure: { kind: "timeout", message: "x" } }, place);
  assert.equal(await readCached(config(), place, 1_000_001), null);
});

test("one process in a minute may refresh in the background", async () => {
  const place = newPlace();
  await writeCached(config(), server, place);
  const now = Date.now();
  assert.equal(claimRefresh(place, now), true);
  assert.equal(claimRefresh(place, now + 1000), false);
  assert.equal(claimRefresh(place, now + 61_000), true);
});

test("the second inventory starts no server, says how old it is, and --refresh asks again", {
  timeout: 60_000,
}, async () => {
  const place = newPlace();
  const args = [join(ROOT, "node_modules/@modelcontextprotocol/server-memory/dist/index.js")];
  const configured = { servers: [config({ args, env: {}, name: "memory" })], problems: [] };
  let asked = 0;
  let clock = 5_000_000;
  const ages: unknown[] = [];
  const take = (refresh = false) =>
    takeInventory(configured, {
      cache: place,
      refresh,
      now: () => clock,
      onStart: () => {
        asked += 1;
      },
      onCached: (cached) => ages.push(cached),
    });
  const first = await take();
  clock += 60_000;
  const second = await take();
  assert.deepEqual(second, first);
  assert.deepEqual([asked, ages], [1, [{ servers: 1, oldestMs: 60_000, stale: false }]]);
  clock += 600_000;
  await take();
  assert.deepEqual([asked, ages[1]], [1, { servers: 1, oldestMs: 660_000, stale: true }]);
  assert.equal((await take(true)).servers[0]?.listedAt, clock);
  assert.equal(asked, 2);
});
