/** The place of one server: running or not, started with a call, stopped when idle, started again after a crash. */
import type { ClientCapabilities, LoggingLevel, LoggingMessageNotification } from "@modelcontextprotocol/sdk/types.js";
import type { Tool } from "../core/contracts.ts";
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
  read(uri: string, signal: AbortSignal): Promise<Record<string, unknown>>;
  /** Ends the use; the lease serves no more. */
  release(): void;
}

export interface Slot {
  /** Starts the server where it does not run. Throws a `ServerFailure`, or the reason of an aborted `extra.signal`. */
  lease(user: PoolUser, extra: RequestExtra): Promise<Lease>;
  /** Runs or starts. */
  readonly alive: boolean;
  /** Since when it runs without a call, in milliseconds since 1970; null where it does not run, or has a call. */
  readonly idleSince: number | null;
  /** Whether it serves this session and no other. */
  isFor(user: PoolUser): boolean;
  setLevel(level: LoggingLevel): void;
  rootsChanged(): void;
  /** A session that used it is gone. */
  forget(user: PoolUser): void;
  /** Stops the server; the next call starts it again. */
  stop(): Promise<void>;
  /** Stops it for good, also where it is starting. */
  end(): Promise<void>;
}

export interface SlotOptions {
  config: ServerConfig;
  /** The session that has it for itself; undefined where it is shared. */
  owner: PoolUser | undefined;
  limits: Limits;
  clock: Clock;
  /** Makes room for one more server before a start. Throws a `ServerFailure` where there is none. */
  makeRoom(): void;
  onListed(tools: Tool[]): void;
}

/** The longest pause after crashes, in milliseconds; the first is none, the second one second, each twice the one before. */
const MAX_PAUSE_MS = 60_000;

export function createSlot({ config, owner, limits, clock, makeRoom, onListed }: SlotOptions): Slot {
  const ended = new AbortController();
  const calls = new Set<{ user: PoolUser; extra: RequestExtra }>();
  let starting: Promise<Downstream> | undefined;
  let running: Downstream | undefined;
  /** The only session that has used the running server so far; `several` where there was another. */
  let sole: PoolUser | "several" | undefined;
  /** Starts and runs that failed in a row, and when the next start may be. */
  let failures = 0;
  let notBefore = 0;
  let idleSince = 0;
  let stopTimer = () => {};

  const currentExtra = (of: PoolUser) => [...calls].findLast(({ user }) => user === of)?.extra;
  const mark = (user: PoolUser) => {
    sole = sole === undefined || sole === user ? user : "several";
  };

  function hearer(mine: () => Downstream | undefined): Hearer {
    return {
      capabilities: owner === undefined ? {} : passedCapabilities(owner.capabilities()),
      ask(request, signal) {
        if (owner === undefined) throw new Error("This server is shared and asks nobody");
        return owner.ask(request, signal, currentExtra(owner));
      },
      log(message) {
        // A shared server's message names no session: it goes to the one that alone has used the server, or to nobody.
        const user = owner ?? sole;
        if (user !== undefined && user !== "several") user.log(message, currentExtra(user));
      },
      toolsChanged() {},
      elicitationCompleted: (id) => owner?.elicitationCompleted(id),
      closed() {
        const downstream = mine();
        // Its own children may have outlived it.
        if (downstream !== undefined) drop(downstream);
      },
    };
  }

  /** Counts a crash of the running server, and ends what is left of it. */
  function drop(downstream: Downstream): void {
    if (running !== downstream) return;
    running = undefined;
    stopTimer();
    countFailure();
    void downstream.close();
  }

  function countFailure(): void {
    failures += 1;
    notBefore = clock.now() + (failures < 2 ? 0 : Math.min(MAX_PAUSE_MS, 1000 * 2 ** (failures - 2)));
  }

  async function start(): Promise<Downstream> {
    let mine: Downstream | undefined;
    sole = undefined;
    for (const { user } of calls) mark(user);
    const downstream = await startDownstream(config, {
      hearer: hearer(() => mine),
      limits,
      signal: ended.signal,
      onListed,
    });
    mine = downstream;
    if (ended.signal.aborted) {
      await downstream.close();
      throw gone();
    }
    running = downstream;
    const level = owner?.level();
    if (level !== undefined) downstream.setLevel(level);
    return downstream;
  }

  async function ready(): Promise<Downstream> {
    if (starting !== undefined) return starting;
    if (ended.signal.aborted) throw gone();
    const pause = notBefore - clock.now();
    if (pause > 0) {
      const seconds = Math.ceil(pause / 1000);
      const message = `The server failed ${failures} times in a row; it may start again in ${seconds} s`;
      const fix = "Wait, or look at what it needs: mcp-skills doctor";
      throw new ServerFailure({ kind: "crashed", message, fix });
    }
    makeRoom();
    starting = start();
    try {
      return await starting;
    } catch (error) {
      countFailure();
      throw error;
    } finally {
      starting = undefined;
    }
  }

  async function call(downstream: Downstream, ...given: Parameters<Downstream["call"]>) {
    try {
      const result = await downstream.call(...given);
      failures = 0;
      return result;
    } catch (error) {
      // Over HTTP nothing closes by itself: a session that is lost, or a server that cannot be reached, is dropped here.
      if (isLostSession(error) || (error as Partial<ServerFailure>).failure?.kind === "network") drop(downstream);
      throw error;
    }
  }

  async function stop(): Promise<void> {
    const downstream = running;
    running = undefined;
    stopTimer();
    await downstream?.close();
  }

  return {
    get alive() {
      return running !== undefined || starting !== undefined;
    },
    get idleSince() {
      return running !== undefined && calls.size === 0 ? idleSince : null;
    },
    isFor: (user) => owner === user || (owner === undefined && sole === user),
    async lease(user, extra) {
      const use = { user, extra };
      calls.add(use);
      mark(user);
      stopTimer();
      const release = () => {
        if (!calls.delete(use) || calls.size > 0) return;
        idleSince = clock.now();
        if (running !== undefined) stopTimer = clock.after(limits.idleMs, () => void stop());
      };
      try {
        const downstream = running ?? (await race(ready(), extra.signal));
        return {
          tools: () => downstream.tools(),
          call: (...given) => call(downstream, ...given),
          read: (...given) => downstream.read(...given),
          release,
        };
      } catch (error) {
        release();
        throw error;
      }
    },
    setLevel: (level) => running?.setLevel(level),
    rootsChanged: () => running?.rootsChanged(),
    forget(user) {
      if (sole === user) sole = "several";
    },
    stop,
    async end() {
      ended.abort(gone());
      await Promise.allSettled([starting, stop()]);
    },
  };
}

function gone(): ServerFailure {
  return new ServerFailure({ kind: "refused", message: "The session ended" });
}
