/** Connecting to one configured server through the official SDK, and listing many at once within bounds. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Failure, ListingFlag, Server } from "../core/contracts.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { failureOf } from "./failure.ts";
import { listTools } from "./list-tools.ts";
import type { ServerConfig, ServerTarget } from "./server-config.ts";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.ts";

export interface ConnectOptions {
  /** Limit for connecting and listing together, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * The SDK's own limit of 60 s must not cut a longer one of ours. It gets no signal either: it never takes its listeners off,
 * and Node warns of a leak after ten pages.
 */
const REQUEST_LIMITS = { timeout: 3_600_000 };

export interface CallOptions {
  /** Default 60,000. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export interface Connection {
  /** The server as it was listed; its state is `ready`. */
  server: Server;
  /** Calls a tool and gives the result as it came. Throws a {@link ServerFailure}. */
  callTool(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<Record<string, unknown>>;
  /** Ends the connection and every process that belongs to it. */
  close(): Promise<void>;
}

/** Thrown where a server cannot be reached or a call fails. */
export class ServerFailure extends Error {
  override readonly name = "ServerFailure";
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
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
    return await connectWithin(config, target, signal);
  } finally {
    deadline.clear();
  }
}

async function connectWithin(
  config: ServerConfig,
  target: ServerTarget,
  signal: AbortSignal,
  again = false,
): Promise<Connection> {
  const opened = await open(target, signal);
  try {
    const { client, stdio } = opened;
    const request = (cursor: string | undefined) => {
      const params = cursor === undefined ? {} : { cursor };
      return race(client.request({ method: "tools/list", params }, AnyResult, REQUEST_LIMITS), opened.signal);
    };
    const hasTools = client.getServerCapabilities()?.tools !== undefined;
    const listing = await listTools(config.name, request).catch(async (error: unknown) => {
      if (!hasTools && (isAnswer(error) || isTimeout(error)))
        return { tools: [], flags: [{ kind: "no-tools", message: "The server offers no tools" }] };
      throw await failed(error, "tools/list", opened, target);
    });
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
      async callTool(name, args, { timeoutMs = 60_000, signal: callSignal } = {}) {
        try {
          const limits = { timeout: timeoutMs, ...(callSignal === undefined ? {} : { signal: callSignal }) };
          return await client.request({ method: "tools/call", params: { name, arguments: args } }, AnyResult, limits);
        } catch (error) {
          throw await failed(error, "tools/call", opened, target);
        }
      },
      close: () => opened.close(),
    };
  } catch (error) {
    await opened.close();
    if (!again && isLostSession(error)) return connectWithin(config, target, signal, true);
    throw error;
  }
}

function noiseFlag(stdio: StdioTransport | undefined): ListingFlag[] {
  const lines = stdio?.noise() ?? 0;
  return lines === 0 ? [] : [{ kind: "noise", message: `Lines on stdout that are no message: ${lines}` }];
}

/** Whether the server itself answered, with an error. */
function isAnswer(error: unknown): boolean {
  return error instanceof McpError && error.code !== ErrorCode.ConnectionClosed;
}

/** A 404 after the start means that the session is gone (MCP specification 2025-11-25, "Session Management"). */
function isLostSession(error: unknown): boolean {
  const { cause } = error as { cause?: unknown };
  return cause instanceof StreamableHTTPError && cause.code === 404;
}

interface Opened {
  client: Client;
  stdio: StdioTransport | undefined;
  /** The limit, or that the server sent too much. */
  signal: AbortSignal;
  close(): Promise<void>;
}

async function open(target: ServerTarget, signal: AbortSignal): Promise<Opened> {
  if (target.transport === "stdio") {
    const stdio = createStdioTransport(target);
    return initialize(stdio, target, signal, stdio);
  }
  const url = new URL(target.url);
  const tooLarge = new AbortController();
  const limit = AbortSignal.any([signal, tooLarge.signal]);
  const options = {
    requestInit: { headers: target.headers },
    fetch: boundedFetch((error) => tooLarge.abort(error)),
  };
  if (target.transport === "sse") return initialize(new SSEClientTransport(url, options), target, limit);
  try {
    return await initialize(new StreamableHTTPClientTransport(url, options) as Transport, target, limit);
  } catch (error) {
    // Servers of before 2025-03-26 answer the first POST with a 4xx (MCP specification, "Backwards Compatibility").
    const { cause } = error as { cause?: unknown };
    const old = cause instanceof StreamableHTTPError && [400, 404, 405, 406].includes(cause.code ?? 0);
    if (!old) throw error;
    return initialize(new SSEClientTransport(url, options), target, limit).catch((second: unknown) => {
      // What the server said first is the reason, unless the old way gets as far as a login or an open stream.
      throw second instanceof ServerFailure && ["auth", "timeout"].includes(second.failure.kind) ? second : error;
    });
  }
}

async function initialize(
  transport: Transport,
  target: ServerTarget,
  signal: AbortSignal,
  stdio?: StdioTransport,
): Promise<Opened> {
  const client = new Client({ name: "mcp-skill-pack", version: "0.1.0" }, { capabilities: {} });
  client.onerror = () => {};
  const opened: Opened = {
    client,
    stdio,
    signal,
    async close() {
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
    },
  };
  try {
    await race(client.connect(transport, REQUEST_LIMITS), signal);
    return opened;
  } catch (error) {
    const failure = await failed(error, "initialize", opened, target);
    await opened.close();
    throw failure;
  }
}

/** A signal that aborts with a `TimeoutError`. Unlike `AbortSignal.timeout`, it holds no process once it is cleared. */
function startDeadline(limitMs: number): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const late = () => controller.abort(new DOMException("The limit was reached", "TimeoutError"));
  const timer = setTimeout(late, Math.ceil(limitMs));
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

/** Settles with the promise, or with the signal's reason where that comes first: a start may hang before any request. */
function race<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((done, fail) => {
    const abort = () => fail(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener("abort", abort));
  });
}

async function failed(seen: unknown, phase: string, { stdio }: Opened, target: ServerTarget): Promise<ServerFailure> {
  const error = stdio?.broken() ?? seen;
  // A broken pipe is often seen before the exit that broke it, and the exit is the reason.
  if (stdio !== undefined && !isTimeout(error) && !isAnswer(error)) await stdio.settled(300);
  const context = {
    phase,
    secrets: secretsOf(target),
    stderr: stdio?.stderrLines() ?? [],
    ended: stdio?.ended() ?? null,
  };
  return new ServerFailure(failureOf(error, context), error);
}

function isTimeout(error: unknown): boolean {
  return (error as { name?: string } | null)?.name === "TimeoutError";
}

/** Everything in a target that may be a secret: all values of its environment and headers, a URL's query and password, long arguments. */
function secretsOf(target: ServerTarget): string[] {
  if (target.transport === "stdio") return [...Object.values(target.env), ...target.args.flatMap(secretsOfArgument)];
  const { password, searchParams } = new URL(target.url);
  return [...Object.values(target.headers), decodeURIComponent(password), ...searchParams.values()];
}

/** A long argument that is no path, package or option may be a token; so may what follows `=`. */
function secretsOfArgument(argument: string): string[] {
  const value = argument.slice(argument.indexOf("=") + 1);
  return /^[A-Za-z0-9_+/=-]{16,}$/.test(value) && !value.startsWith("/") && !value.startsWith("-") ? [value] : [];
}

export interface ListOptions {
  /** Limit for each server, in milliseconds; default 10,000. A server's own limit from its configuration goes first. */
  timeoutMs?: number;
  /** Limit for all together, in milliseconds; default 30,000. */
  totalMs?: number;
  /** Told of each server as soon as it is done. */
  onProgress?: ((server: Server) => void) | undefined;
  now?: () => number;
}

/** Lists all servers at once, each closed afterwards; the result is in the order given, failures included. */
export async function listServers(configs: ServerConfig[], options: ListOptions = {}): Promise<Server[]> {
  const { timeoutMs = 10_000, totalMs = 30_000, onProgress, now = Date.now } = options;
  const total = startDeadline(totalMs);
  try {
    return await Promise.all(
      configs.map(async (config) => {
        const server = await listOne(config, config.timeoutMs ?? timeoutMs, total.signal);
        const listed = { ...server, listedAt: now() };
        onProgress?.(listed);
        return listed;
      }),
    );
  } finally {
    total.clear();
  }
}

async function listOne(config: ServerConfig, timeoutMs: number, signal: AbortSignal): Promise<Server> {
  try {
    const connection = await connectServer(config, { timeoutMs, signal });
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
