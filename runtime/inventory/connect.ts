/** Connecting to one configured server through the official SDK, and listing many at once within bounds. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Progress } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod/mini";
import type { ListingFlag, Server, Tool } from "../core/contracts.ts";
import { failureOf } from "./failure.ts";
import { type Listing, listTools } from "./list-tools.ts";
import {
  type ClientSide,
  failed,
  isAnswer,
  isTimeout,
  type Opened,
  open,
  REQUEST_LIMITS,
  race,
  ServerFailure,
} from "./open.ts";
import type { ServerConfig, ServerTarget } from "./server-config.ts";
import type { StdioTransport } from "./stdio-transport.ts";

export interface ConnectOptions {
  /** Limit for connecting and listing together, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** What the server may ask of us, and who hears it; default nothing and nobody. */
  side?: ClientSide | undefined;
  /** The server's process, where it runs already. */
  started?: StdioTransport | undefined;
}

export interface CallOptions {
  /** Default 60,000; every progress that the server tells starts it anew. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Told of the server's progress; without it the server is not asked for any. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Connection {
  /** The server as it was listed; its state is `ready`. */
  server: Server;
  client: Client;
  /** Lists the tools anew; throws a {@link ServerFailure}. */
  listTools(options: { timeoutMs: number }): Promise<Tool[]>;
  /** Calls a tool and gives the result as it came. Throws a {@link ServerFailure}. */
  callTool(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>>;
  /** Reads a resource and gives the result as it came. Throws a {@link ServerFailure}. */
  readResource(uri: string, options?: CallOptions): Promise<Record<string, unknown>>;
  /** Ends the connection and every process that belongs to it. */
  close(): Promise<void>;
}

/** A result of any shape: what a server answers is judged by us, field by field, and never refused whole. */
const AnyResult = z.looseObject({});

/** Connects and lists the tools; throws a {@link ServerFailure}, with nothing left running. */
export async function connectServer(config: ServerConfig, options: ConnectOptions): Promise<Connection> {
  const { target } = config;
  if (target === undefined)
    throw new ServerFailure({ kind: "config", message: "The server has no usable configuration" });
  const deadline = startDeadline(options.timeoutMs);
  const signal = options.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, options.signal]);
  try {
    return await connectWithin(config, target, signal, options);
  } finally {
    deadline.clear();
  }
}

async function connectWithin(
  config: ServerConfig,
  target: ServerTarget,
  signal: AbortSignal,
  { side, started }: Pick<ConnectOptions, "side" | "started">,
  again = false,
): Promise<Connection> {
  const opened = await open(target, signal, side, started);
  try {
    const { client, stdio } = opened;
    const ask = async (method: string, params: Record<string, unknown>, options: CallOptions) => {
      const { timeoutMs: timeout = 60_000, signal: callSignal, onProgress } = options;
      try {
        const limits = {
          timeout,
          ...(callSignal === undefined ? {} : { signal: callSignal }),
          ...(onProgress === undefined ? {} : { onprogress: onProgress, resetTimeoutOnProgress: true }),
        };
        return await race(client.request({ method, params }, AnyResult, limits), opened.signal);
      } catch (error) {
        throw await failed(error, method, opened, target);
      }
    };
    const listing = await listAll(config.name, target, opened, REQUEST_LIMITS.timeout);
    const version = client.getServerVersion()?.version;
    return {
      server: {
        name: config.name,
        state: "ready",
        transport: target.transport,
        ...(version === undefined ? {} : { version: String(version) }),
        tools: listing.tools,
        flags: [...listing.flags, ...noiseFlag(stdio)],
        origins: config.origins,
      },
      client,
      listTools: async ({ timeoutMs }) => (await listAll(config.name, target, opened, timeoutMs)).tools,
      callTool: (name, args, options = {}) => ask("tools/call", { name, arguments: args }, options),
      readResource: (uri, options = {}) => ask("resources/read", { uri }, options),
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    if (!again && isLostSession(error)) return connectWithin(config, target, signal, { side }, true);
    throw error;
  }
}

/** The whole list over an open session. A server that says it has no tools need not answer. */
async function listAll(name: string, target: ServerTarget, opened: Opened, timeout: number): Promise<Listing> {
  const { client, signal } = opened;
  const request = (cursor: string | undefined) => {
    const params = cursor === undefined ? {} : { cursor };
    return race(client.request({ method: "tools/list", params }, AnyResult, { timeout }), signal);
  };
  const hasTools = client.getServerCapabilities()?.tools !== undefined;
  return listTools(name, request).catch(async (error: unknown) => {
    if (!hasTools && (isAnswer(error) || isTimeout(error)))
      return { tools: [], flags: [{ kind: "no-tools", message: "The server offers no tools" }] };
    throw await failed(error, "tools/list", opened, target);
  });
}

function noiseFlag(stdio: StdioTransport | undefined): ListingFlag[] {
  const lines = stdio?.noise() ?? 0;
  return lines === 0 ? [] : [{ kind: "noise", message: `Lines on stdout that are no message: ${lines}` }];
}

/** A 404 after the start means that the session is gone (MCP specification 2025-11-25, "Session Management"). */
export function isLostSession(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof StreamableHTTPError && cause.code === 404;
}

/** A signal that aborts with a `TimeoutError`. Unlike `AbortSignal.timeout`, it holds no process once it is cleared. */
function startDeadline(limitMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException("The limit was reached", "TimeoutError"));
  const timer = setTimeout(late, Math.ceil(limitMs));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

export interface ListOptions {
  /** Limit for each server, in milliseconds; default 10,000. */
  timeoutMs?: number;
  /** Whether a server's own limit from its configuration goes first (default), or the user's word, given just now. */
  ownLimits?: boolean;
  /** Limit for all together, in milliseconds; default 30,000. */
  totalMs?: number;
  /** Told of each server as soon as it is done. */
  onProgress?: ((server: Server) => void) | undefined;
  now?: () => number;
  /** Ends the listing early: what is not listed by then has failed. */
  signal?: AbortSignal | undefined;
}

/**
 * Lists all servers at once, each closed afterwards; the result is in the order given, failures included. `started` has the
 * processes that run already.
 */
export async function listServers(
  configs: ServerConfig[],
  options: ListOptions = {},
  started: ReadonlyMap<ServerConfig, StdioTransport> = new Map(),
): Promise<Server[]> {
  const { timeoutMs = 10_000, totalMs = 30_000, ownLimits = true, onProgress, now = Date.now } = options;
  const total = startDeadline(totalMs);
  const limit = options.signal === undefined ? total.signal : AbortSignal.any([total.signal, options.signal]);
  try {
    return await Promise.all(
      configs.map(async (config) => {
        const server = await listOne(config, {
          timeoutMs: (ownLimits ? config.timeoutMs : undefined) ?? timeoutMs,
          signal: limit,
          started: started.get(config),
        });
        const listed = { ...server, listedAt: now() };
        onProgress?.(listed);
        return listed;
      }),
    );
  } finally {
    total.clear();
  }
}

async function listOne(config: ServerConfig, options: ConnectOptions): Promise<Server> {
  try {
    const connection = await connectServer(config, options);
    await connection.close();
    return connection.server;
  } catch (error) {
    const failure = error instanceof ServerFailure ? error.failure : failureOf(error, { phase: "start" });
    const transport = config.target?.transport ?? config.transport;
    return {
      name: config.name,
      state: "failed",
      ...(transport === undefined ? {} : { transport }),
      failure,
      tools: [],
      flags: [],
      origins: config.origins,
    };
  }
}
