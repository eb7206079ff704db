/** From what is configured to what is there: enabled servers are listed, the others are told with their reason. */
import type { Inventory, Server } from "../core/contracts.ts";
import { cacheKey, FRESH_MS, readCached, sweepCache, writeCached } from "./cache.ts";
import { noteProjectLists } from "./cache-folder.ts";
import type { ListOptions } from "./connect.ts";
import type { Place } from "./host-files.ts";
import type { Configured, ServerConfig } from "./server-config.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import { withinToolLists } from "./tool-lists.ts";

export interface InventoryOptions extends ListOptions {
  /** Where lists are kept between runs; without it none is taken and none is kept. */
  cache?: Place;
  /** List everything anew, and keep it. */
  refresh?: boolean;
  /** Told of the servers that have to be asked, before they are. */
  onStart?: (names: string[]) => void;
  /** Told where lists were taken from the cache; `stale` where they should be listed anew. Ages are in milliseconds. */
  onCached?: (cached: { servers: number; oldestMs: number; stale: boolean }) => void;
}

/** Takes the inventory of all configured servers, in their order. The SDK is loaded only where a server has to start. */
export async function takeInventory(configured: Configured, options: InventoryOptions = {}): Promise<Inventory> {
  const { cache, refresh = false, now = Date.now } = options;
  const configs = configured.servers.map(withoutReservedName);
  const enabled = configs.filter((config) => config.state === "enabled");
  const known = new Map<ServerConfig, Server>();
  if (cache !== undefined && !refresh) await takeCached(enabled, cache, now(), known, options.onCached);
  const missing = enabled.filter((config) => !known.has(config));
  if (missing.length > 0) {
    options.onStart?.(missing.map(({ name }) => name));
    const started = await startProcesses(missing);
    const { listServers } = await import("./connect.ts");
    const servers = await listServers(missing, options, started);
    for (const [at, config] of missing.entries()) {
      const server = servers[at] as Server;
      known.set(config, server);
      if (cache !== undefined) await writeCached(config, server, cache);
    }
    if (cache !== undefined) sweepCache(cache, now());
  }
  if (cache !== undefined) {
    const keys = await Promise.all(enabled.map(async (config) => [config.name, await cacheKey(config)] as const));
    await noteProjectLists(Object.fromEntries(keys), cache);
  }
  return {
    servers: configs
      .filter((config) => config.state !== "shadowed")
      .map((config) => {
        const server = known.get(config);
        return server === undefined ? notListed(config) : withinToolLists(server, config);
      }),
    problems: configured.problems.map((problem) => {
      const { code, message, fix, file, line, column } = problem;
      return JSON.parse(JSON.stringify({ code, message, fix, file, line, column }));
    }),
  };
}

/** A server that is only listed has nothing to finish. */
const LISTED_GRACE_MS = 50;

/** Servers take long to come up and the SDK to load, so they come up while it does. */
async function startProcesses(configs: ServerConfig[]): Promise<ReadonlyMap<ServerConfig, StdioTransport>> {
  const { createStdioTransport } = await import("./stdio-transport.ts");
  const started = new Map<ServerConfig, StdioTransport>();
  for (const config of configs) {
    const { target } = config;
    if (target?.transport === "stdio") started.set(config, createStdioTransport(target, LISTED_GRACE_MS));
  }
  return started;
}

async function takeCached(
  enabled: ServerConfig[],
  cache: Place,
  now: number,
  known: Map<ServerConfig, Server>,
  onCached: InventoryOptions["onCached"],
): Promise<void> {
  let oldestMs = 0;
  const lists = await Promise.all(enabled.map((config) => readCached(config, cache, now)));
  for (const [at, config] of enabled.entries()) {
    const server = lists[at] ?? null;
    if (server === null) continue;
    known.set(config, server);
    oldestMs = Math.max(oldestMs, now - (server.listedAt ?? now));
  }
  if (known.size > 0) onCached?.({ servers: known.size, oldestMs, stale: oldestMs > FRESH_MS });
}

function notListed(config: ServerConfig): Server {
  const { name, origins, transport, reason } = config;
  const common = { name, ...(transport === undefined ? {} : { transport }), tools: [], flags: [], origins };
  if (config.state === "disabled") return { ...common, state: "disabled" };
  const { kind, message, fix } = reason ?? {
    kind: "config" as const,
    message: "The entry cannot be used",
    fix: undefined,
  };
  return { ...common, state: "failed", failure: { kind, message, ...(fix === undefined ? {} : { fix }) } };
}

/** Names that mean something else in a session: the ways a need is routed, and what Claude Code keeps for itself. */
const RESERVED: ReadonlySet<string> = new Set([
  "mcp",
  "skills",
  "native",
  "workspace",
  "Claude Browser",
  "Claude Preview",
]);

/** A server of such a name would pass for something it is not: it is told and not started. */
function withoutReservedName(config: ServerConfig): ServerConfig {
  if (!RESERVED.has(config.name) || config.state !== "enabled") return config;
  const reason = {
    kind: "config" as const,
    message: `The name "${config.name}" is reserved`,
    fix: "Give the server another name",
  };
  return { ...config, state: "invalid", reason };
}
