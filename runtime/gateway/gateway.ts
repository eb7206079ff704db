/**
 * The gateway: an MCP server that a host lists once in place of all its servers. What the sessions share, the servers behind
 * it and what they list, lives here; a transport opens a session for each client and connects it.
 */
import type { Inventory, LogRecord, Mode, Permissions } from "../core/contracts.ts";
import type { ServerConfig } from "../inventory/server-config.ts";
import { coreFeature } from "./core-feature.ts";
import { createPool } from "./downstream-pool.ts";
import type { FeatureFactory } from "./feature.ts";
import { INSTRUCTIONS } from "./instructions.ts";
import { type Clock, DEFAULT_LIMITS, DEFAULT_MAX_TOOLS, type Limits, SYSTEM_CLOCK } from "./limits.ts";
import type { SkillSource } from "./resources.ts";
import { type GatewaySession, openSession } from "./session.ts";
import { createShelf } from "./shelf.ts";

export interface GatewayOptions {
  /** The pack's version, for `serverInfo`. */
  version: string;
  /** The servers behind the gateway; those that are not enabled are never started. Default none. */
  servers?: readonly ServerConfig[] | undefined;
  /**
   * What they list, or the work of finding it out, which ends with its signal and is done again, at most once a minute, while
   * a server has failed; default an empty inventory. Until the first is there, requests that need it wait.
   */
  inventory?: Inventory | ((signal: AbortSignal) => Promise<Inventory>) | undefined;
  /** How many tools a client sees at most, the gateway's own four included; default 8. */
  max?: number | undefined;
  /** Full names (`mcp__server__tool`) of tools that are always loaded, as far as there is room. */
  pinned?: readonly string[] | undefined;
  mode?: Mode | undefined;
  /** The host's permission rules. Denied tools are shown to nobody. */
  permissions?: Permissions | undefined;
  limits?: Partial<Limits> | undefined;
  clock?: Clock | undefined;
  /** Names of servers that every session has for itself, and of servers that all sessions share whatever their clients answer. */
  isolate?: readonly string[] | undefined;
  share?: readonly string[] | undefined;
  /** Takes each decision of the gate. A call whose decision cannot be logged does not run. */
  log?: ((record: LogRecord) => void) | undefined;
  /** The skills to serve as resources; default none. */
  skills?: SkillSource | undefined;
  /** What every session offers beside the gateway's own tools, prompts and resources. */
  features?: readonly FeatureFactory[] | undefined;
}

export interface Gateway {
  /** A session for one client, to be connected to a transport. Throws once the gateway is closed. */
  openSession(): GatewaySession;
  /** How many sessions are open. */
  readonly sessions: number;
  /** How many servers behind the gateway run. */
  readonly running: number;
  /** Takes another inventory in place of the one there is; clients hear of it where their tools change. */
  update(inventory: Inventory): void;
  /** Ends every session and every server behind the gateway. */
  close(): Promise<void>;
}

export function createGateway(options: GatewayOptions): Gateway {
  const { version, servers = [], inventory = { servers: [], problems: [] }, permissions, mode } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const clock = options.clock ?? SYSTEM_CLOCK;
  const ended = new AbortController();
  const take = async () => (typeof inventory === "function" ? inventory(ended.signal) : inventory);
  const shelf = createShelf({ take, permissions, clock });
  const pool = createPool({
    servers,
    limits,
    clock,
    isolate: new Set(options.isolate),
    share: new Set(options.share),
    onListed: (server, tools) => shelf.listed(server, tools),
  });
  const core = coreFeature({
    shelf,
    pool,
    max: options.max ?? DEFAULT_MAX_TOOLS,
    pinned: options.pinned ?? [],
    mode,
    permissions,
    limits,
    clock,
    log: options.log ?? (() => {}),
    skills: options.skills ?? (async () => []),
  });
  const features = [core, ...(options.features ?? [])];
  const sessions = new Set<GatewaySession>();
  return {
    get sessions() {
      return sessions.size;
    },
    get running() {
      return pool.running;
    },
    openSession() {
      if (ended.signal.aborted) throw new Error("The gateway is closed");
      const session = openSession({ version, instructions: INSTRUCTIONS, features });
      sessions.add(session);
      void session.closed.then(() => sessions.delete(session));
      return session;
    },
    update: (next) => shelf.replace(next),
    async close() {
      ended.abort();
      await Promise.all([...sessions].map((session) => session.close()));
      await pool.close();
      await shelf.settled();
    },
  };
}
