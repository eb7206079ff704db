/**
 * The servers behind the gateway, and who uses which of them.
 *
 * Sessions share a server where that is safe: where nothing that it may ask could concern one of them alone. A server that
 * may ask a client (for a sample, an answer, its roots) cannot say whose call it asks for, and what it learns of one client
 * would serve the others. So a session whose client answers such requests has servers of its own; the sessions of clients
 * that answer none share one of each.
 */
import type { LoggingLevel } from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "../core/contracts.ts";
import { ServerFailure } from "../inventory/open.ts";
import type { ServerConfig } from "../inventory/server-config.ts";
import { createSlot, type Lease, type PoolUser, type Slot } from "./downstream-slot.ts";
import type { RequestExtra } from "./feature.ts";
import type { Clock, Limits } from "./limits.ts";
import { passedCapabilities } from "./server-requests.ts";

export interface DownstreamPool {
  /** Starts the server where it does not run. Throws a `ServerFailure`, or the reason of an aborted `extra.signal`. */
  lease(server: string, user: PoolUser, extra: RequestExtra): Promise<Lease>;
  setLevel(user: PoolUser, level: LoggingLevel): void;
  rootsChanged(user: PoolUser): void;
  /** Ends what a session had for itself. */
  leave(user: PoolUser): Promise<void>;
  /** How many servers run or start. */
  readonly running: number;
  close(): Promise<void>;
}

export interface PoolOptions {
  servers: readonly ServerConfig[];
  limits: Limits;
  clock: Clock;
  /** Servers that every session has for itself, whatever its client answers. */
  isolate: ReadonlySet<string>;
  /** Servers that all sessions share; what they ask reaches no client. */
  share: ReadonlySet<string>;
  /** A shared server lists these tools. */
  onListed(server: string, tools: Tool[]): void;
}

export function createPool({ servers, limits, clock, isolate, share, onListed }: PoolOptions): DownstreamPool {
  const configs = new Map(servers.filter(({ state }) => state === "enabled").map((config) => [config.name, config]));
  const shared = new Map<string, Slot>();
  const owned = new Map<PoolUser, Map<string, Slot>>();
  let closed = false;

  const all = () => [...shared.values(), ...[...owned.values()].flatMap((slots) => [...slots.values()])];
  const alive = () => all().filter((slot) => slot.alive);

  function ownerOf(server: string, user: PoolUser): PoolUser | undefined {
    if (isolate.has(server)) return user;
    const asks = Object.keys(passedCapabilities(user.capabilities())).length > 0;
    return asks && !share.has(server) ? user : undefined;
  }

  function slotFor(config: ServerConfig, user: PoolUser): Slot {
    const { name } = config;
    const owner = ownerOf(name, user);
    const slots = owner === undefined ? shared : (owned.get(owner) ?? new Map<string, Slot>());
    if (owner !== undefined) owned.set(owner, slots);
    const slot =
      slots.get(name) ??
      createSlot({
        config,
        owner,
        limits,
        clock,
        makeRoom,
        onListed: (tools) => (owner === undefined ? onListed(name, tools) : owner.listed(name, tools)),
      });
    slots.set(name, slot);
    return slot;
  }

  /** Stops the server that has been idle longest where there are too many; throws where all of them work. */
  function makeRoom(): void {
    const running = alive();
    if (running.length < limits.connections) return;
    const idle = running.filter((slot) => slot.idleSince !== null);
    const [oldest] = idle.sort((left, right) => (left.idleSince ?? 0) - (right.idleSince ?? 0));
    if (oldest !== undefined) return void oldest.stop();
    const message = `${limits.connections} servers run already, and each has a call to answer`;
    throw new ServerFailure({ kind: "rate-limit", message, fix: "Wait until a call is done" });
  }

  return {
    get running() {
      return alive().length;
    },
    async lease(server, user, extra) {
      // A session that has ended starts nothing any more.
      extra.signal.throwIfAborted();
      const config = configs.get(server);
      if (config !== undefined && !closed) return slotFor(config, user).lease(user, extra);
      throw new ServerFailure({ kind: "config", message: "The server is not there" });
    },
    setLevel(user, level) {
      for (const slot of all()) if (slot.isFor(user)) slot.setLevel(level);
    },
    rootsChanged(user) {
      for (const slot of owned.get(user)?.values() ?? []) slot.rootsChanged();
    },
    async leave(user) {
      const own = [...(owned.get(user)?.values() ?? [])];
      owned.delete(user);
      for (const slot of shared.values()) slot.forget(user);
      await Promise.all(own.map((slot) => slot.end()));
    },
    async close() {
      closed = true;
      await Promise.all(all().map((slot) => slot.end()));
    },
  };
}
