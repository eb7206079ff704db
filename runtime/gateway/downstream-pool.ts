/**
 * The servers behind the gateway, running or not: started on first use, stopped when idle, started again after a crash with
 * growing pauses.
 *
 * Sessions share a server where that is safe: where nothing that it may ask could concern one of them alone. A server that
 * may ask a client (for a sample, an answer, its roots) cannot say whose call it asks for, and what it learns of one client
 * would serve the others. So a session whose client answers such requests has servers of its own; the sessions of clients
 * that answer none share one of each.
 */
import type { ClientCapabilities, LoggingLevel, LoggingMessageNotification } from "@modelcontextprotocol/sdk/types.js";
import type { Failure, Tool } from "../core/contracts.ts";
import { isLostSession } from "../inventory/connect.ts";
import { race, ServerFailure } from "../inventory/open.ts";
import type { ServerConfig } from "../inventory/server-config.ts";
import { type Downstream, type DownstreamCall, startDownstream } from "./downstream.ts";
import type { RequestExtra } from "./feature.ts";
import type { Clock, Limits } from "./limits.ts";
import { type Hearer, passedCapabilities } from "./server-requests.ts";

/** A session, as the servers behind the gateway reach it. */
export interface PoolUser {
  readonly id: string;
  /** What its client said it can do. */
  capabilities(): ClientCapabilities;
  /** The level that its client set; undefined until it sets one. */
  level(): LoggingLevel | undefined;
  /** Asks its client, as part of a running call where there is one. */
  ask(request: Parameters<Hearer["ask"]>[0], signal: AbortSignal, extra?: RequestExtra): ReturnType<Hearer["ask"]>;
  log(message: LoggingMessageNotification["params"], extra?: RequestExtra): void;
  /** A server of its own lists these tools. */
  listed(server: string, tools: Tool[]): void;
  elicitationCompleted(elicitationId: string): void;
}

/** The use of a running server for one call. */
export interface Lease {
  tools(): Promise<readonly Tool[]>;
  call(tool: string, args: Record<string, unknown>, call: DownstreamCall): Promise<Record<string, unknown>>;
  /** Ends the use; the lease serves no more. */
  release(): void;
}

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

interface Slot {
  config: ServerConfig;
  /** The session that has it for itself. */
  owner: PoolUser | undefined;
  starting: Promise<Downstream> | undefined;
  running: Downstream | undefined;
  calls: Set<{ user: PoolUser; extra: RequestExtra }>;
  /** The only session that has used the running server so far; `several` where there was another. */
  sole: PoolUser | "several" | undefined;
  /** Starts and runs that failed in a row, and when the next start may be. */
  failures: number;
  notBefore: number;
  idleSince: number;
  stopTimer: () => void;
}

/** The longest pause after crashes, in milliseconds; the first is none, the second one second, each twice the one before. */
const MAX_PAUSE_MS = 60_000;

export function createPool({ servers, limits, clock, isolate, share, onListed }: PoolOptions): DownstreamPool {
  const configs = new Map(servers.filter(({ state }) => state === "enabled").map((config) => [config.name, config]));
  const slots = new Map<string, Slot>();
  const ended = new AbortController();

  const isAlive = ({ running, starting }: Slot) => running !== undefined || starting !== undefined;
  const alive = () => [...slots.values()].filter(isAlive);

  function slotFor(config: ServerConfig, user: PoolUser): Slot {
    const { name } = config;
    const asks = Object.keys(passedCapabilities(user.capabilities())).length > 0;
    const owner = isolate.has(name) || (asks && !share.has(name)) ? user : undefined;
    const key = JSON.stringify([owner?.id ?? null, name]);
    const slot = slots.get(key) ?? {
      config,
      owner,
      starting: undefined,
      running: undefined,
      calls: new Set(),
      sole: undefined,
      failures: 0,
      notBefore: 0,
      idleSince: 0,
      stopTimer: () => {},
    };
    slots.set(key, slot);
    return slot;
  }

  function hearerOf(slot: Slot, mine: () => Downstream | undefined): Hearer {
    const { owner } = slot;
    const currentExtra = () => [...slot.calls].at(-1)?.extra;
    return {
      capabilities: owner === undefined ? {} : passedCapabilities(owner.capabilities()),
      ask(request, signal) {
        if (owner === undefined) throw new Error("This server is shared and asks nobody");
        return owner.ask(request, signal, currentExtra());
      },
      log(message) {
        // A shared server's message names no session: it goes to the one that alone has used the server, or to nobody.
        const user = owner ?? slot.sole;
        if (user !== undefined && user !== "several") user.log(message, currentExtra());
      },
      toolsChanged() {},
      elicitationCompleted: (id) => owner?.elicitationCompleted(id),
      closed() {
        const downstream = mine();
        if (downstream === undefined || slot.running !== downstream) return;
        fail(slot);
        // Its own children may have outlived it.
        void downstream.close();
      },
    };
  }

  /** Counts a crash; the server starts again with the next call, after the pause. */
  function fail(slot: Slot): void {
    slot.running = undefined;
    slot.failures += 1;
    const pause = slot.failures < 2 ? 0 : Math.min(MAX_PAUSE_MS, 1000 * 2 ** (slot.failures - 2));
    slot.notBefore = clock.now() + pause;
    slot.stopTimer();
  }

  async function stop(slot: Slot): Promise<void> {
    const { running } = slot;
    slot.running = undefined;
    slot.stopTimer();
    await running?.close();
  }

  function refuse(failure: Failure): never {
    throw new ServerFailure(failure);
  }

  async function start(slot: Slot): Promise<Downstream> {
    const { config, owner } = slot;
    let mine: Downstream | undefined;
    slot.sole = undefined;
    const downstream = await startDownstream(config, {
      hearer: hearerOf(slot, () => mine),
      limits,
      signal: ended.signal,
      onListed: (tools) => (owner === undefined ? onListed(config.name, tools) : owner.listed(config.name, tools)),
    });
    mine = downstream;
    if (ended.signal.aborted || ![...slots.values()].includes(slot)) {
      await downstream.close();
      refuse({ kind: "refused", message: "The session ended while the server started" });
    }
    slot.running = downstream;
    const level = owner?.level();
    if (level !== undefined) downstream.setLevel(level);
    return downstream;
  }

  async function ready(slot: Slot): Promise<Downstream> {
    if (slot.running !== undefined) return slot.running;
    if (slot.starting !== undefined) return slot.starting;
    const pause = slot.notBefore - clock.now();
    if (pause > 0) {
      const seconds = Math.ceil(pause / 1000);
      const message = `The server failed ${slot.failures} times in a row; it may start again in ${seconds} s`;
      refuse({ kind: "crashed", message, fix: "Wait, or look at what it needs: mcp-skills doctor" });
    }
    if (alive().length >= limits.connections) makeRoom();
    slot.starting = start(slot);
    try {
      return await slot.starting;
    } catch (error) {
      fail(slot);
      throw error;
    } finally {
      slot.starting = undefined;
    }
  }

  /** Stops the server that has been idle longest; throws where all of them work. */
  function makeRoom(): void {
    const idle = alive().filter(({ calls, running }) => calls.size === 0 && running !== undefined);
    const [oldest] = idle.sort((left, right) => left.idleSince - right.idleSince);
    if (oldest !== undefined) return void stop(oldest);
    const message = `${limits.connections} servers run already, and each has a call to answer`;
    refuse({ kind: "rate-limit", message, fix: "Wait until a call is done" });
  }

  return {
    get running() {
      return alive().length;
    },

    async lease(server, user, extra) {
      const config = configs.get(server);
      if (config === undefined || ended.signal.aborted) refuse({ kind: "config", message: "The server is not there" });
      const slot = slotFor(config, user);
      const use = { user, extra };
      slot.calls.add(use);
      slot.stopTimer();
      const release = () => {
        if (!slot.calls.delete(use) || slot.calls.size > 0) return;
        slot.idleSince = clock.now();
        if (slot.running !== undefined) slot.stopTimer = clock.after(limits.idleMs, () => void stop(slot));
      };
      try {
        const downstream = await race(ready(slot), extra.signal);
        slot.sole = slot.sole === undefined || slot.sole === user ? user : "several";
        return {
          tools: () => downstream.tools(),
          release,
          async call(tool, args, call) {
            try {
              const result = await downstream.call(tool, args, call);
              slot.failures = 0;
              return result;
            } catch (error) {
              const broken = isLostSession(error) || (error as Partial<ServerFailure>).failure?.kind === "network";
              if (broken && slot.running === downstream) {
                fail(slot);
                void downstream.close();
              }
              throw error;
            }
          },
        };
      } catch (error) {
        release();
        throw error;
      }
    },

    setLevel(user, level) {
      for (const { owner, sole, running } of slots.values()) {
        if (owner === user || (owner === undefined && sole === user)) running?.setLevel(level);
      }
    },

    rootsChanged(user) {
      for (const { owner, running } of slots.values()) if (owner === user) running?.rootsChanged();
    },

    async leave(user) {
      const own = [...slots].filter(([, { owner }]) => owner === user);
      for (const [key] of own) slots.delete(key);
      for (const slot of slots.values()) if (slot.sole === user) slot.sole = "several";
      await Promise.all(own.map(([, slot]) => stop(slot)));
    },

    async close() {
      ended.abort(new ServerFailure({ kind: "refused", message: "The gateway is closing" }));
      const all = [...slots.values()];
      slots.clear();
      await Promise.all(all.map(async (slot) => Promise.allSettled([slot.starting, stop(slot)])));
    },
  };
}
