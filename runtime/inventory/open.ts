/** Opening a session with a target: the transport that fits it, the first handshake, and the reason where it fails. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport, StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type ClientCapabilities, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import type { jsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/types.js";
import type { Failure } from "../core/contracts.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { failureOf } from "./failure.ts";
import type { ServerTarget } from "./server-config.ts";
import { createStdioTransport, type StdioTransport } from "./stdio-transport.ts";

/**
 * The SDK's own limit of 60 s must not cut a longer one of ours. It gets no signal either: it never takes its listeners off,
 * and Node warns of a leak after ten pages.
 */
export const REQUEST_LIMITS = { timeout: 3_600_000 };

/** Thrown where a server cannot be reached or a call fails. */
export class ServerFailure extends Error {
  override readonly name = "ServerFailure";
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** A session whose handshake is done. */
export interface Opened {
  client: Client;
  stdio: StdioTransport | undefined;
  /** The limit, or that the server sent too much. */
  signal: AbortSignal;
  /** Whether the server answered that a sign-in is to be had, and where. */
  offersSignIn(): boolean;
  /** Over HTTP, the server is told that the session ends. */
  close(): Promise<void>;
}

/** Our side of a session, where it does more than ask: what the server may ask of us, and who hears it. */
export interface ClientSide {
  capabilities: ClientCapabilities;
  /** Sets the handlers, before anything is sent. */
  prepare(client: Client): void;
}

/** A side that answers nothing. */
const ASKS_ONLY: ClientSide = { capabilities: {}, prepare() {} };

/** Opens a session, over what is `started` already where that is given; throws a {@link ServerFailure}, with nothing left running. */
export async function open(
  target: ServerTarget,
  signal: AbortSignal,
  side: ClientSide = ASKS_ONLY,
  started?: StdioTransport,
): Promise<Opened> {
  if (target.transport === "stdio") {
    const stdio = started ?? createStdioTransport(target);
    return initialize(stdio, target, signal, side, { stdio });
  }
  const url = new URL(target.url);
  const tooLarge = new AbortController();
  const limit = AbortSignal.any([signal, tooLarge.signal]);
  const fetch = boundedFetch((error) => tooLarge.abort(error));
  let signIn = false;
  const options = {
    requestInit: { headers: target.headers },
    async fetch(...request: Parameters<typeof fetch>) {
      const response = await fetch(...request);
      // RFC 9728, section 5.1: where the metadata of a protected resource is.
      const challenge = response.status === 401 ? response.headers.get("www-authenticate") : null;
      if (challenge !== null && /\bresource_metadata\s*=/i.test(challenge)) signIn = true;
      return response;
    },
  };
  const offersSignIn = () => signIn;
  const openOld = () => initialize(new SSEClientTransport(url, options), target, limit, side, { offersSignIn });
  if (target.transport === "sse") return openOld();
  const transport = new StreamableHTTPClientTransport(url, options);
  const endSession = () => transport.terminateSession();
  try {
    return await initialize(transport as Transport, target, limit, side, { offersSignIn, endSession });
  } catch (error) {
    // Servers of before 2025-03-26 answer the first POST with a 4xx (MCP specification, "Backwards Compatibility").
    const { cause } = error as { cause?: unknown };
    const old = cause instanceof StreamableHTTPError && [400, 404, 405, 406].includes(cause.code ?? 0);
    if (!old) throw error;
    return openOld().catch((second: unknown) => {
      // What the server said first is the reason, unless the old way gets as far as a login or an open stream.
      throw second instanceof ServerFailure && ["auth", "timeout"].includes(second.failure.kind) ? second : error;
    });
  }
}

/** Results are passed on as they came. The SDK would set up a validator for each session, though it asks it only in methods unused here. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** How long a server has to hear that its session ends; where the limit is reached already, less. */
const FAREWELL_MS = 1000;
const LATE_FAREWELL_MS = 200;

async function initialize(
  transport: Transport,
  target: ServerTarget,
  signal: AbortSignal,
  { capabilities, prepare }: ClientSide,
  {
    stdio,
    offersSignIn = () => false,
    endSession,
  }: Partial<Pick<Opened, "stdio" | "offersSignIn">> & {
    endSession?: () => Promise<void>;
  },
): Promise<Opened> {
  const client = new Client(
    { name: "mcp-skill-pack", version: "0.1.0" },
    { capabilities, jsonSchemaValidator: NO_VALIDATOR },
  );
  client.onerror = () => {};
  prepare(client);
  const opened: Opened = {
    client,
    stdio,
    signal,
    offersSignIn,
    async close() {
      if (endSession !== undefined) await within(endSession(), signal.aborted ? LATE_FAREWELL_MS : FAREWELL_MS);
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

/** Waits for the promise, whatever comes of it, and no longer than the limit. */
function within(promise: Promise<unknown>, limitMs: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, limitMs);
    const settled = () => {
      clearTimeout(timer);
      done();
    };
    promise.then(settled, settled);
  });
}

/** Settles with the promise, or with the signal's reason where that comes first: a start may hang before any request. */
export function race<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((done, fail) => {
    const abort = () => fail(signal.reason);
    if (signal.aborted) {
      // Nobody waits for it any more, and what comes of it must not end the process.
      promise.catch(() => {});
      return abort();
    }
    signal.addEventListener("abort", abort, { once: true });
    promise.then(done, fail).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** What went wrong in a phase, with all that is known about it. */
export async function failed(
  seen: unknown,
  phase: string,
  { stdio, offersSignIn }: Opened,
  target: ServerTarget,
): Promise<ServerFailure> {
  const error = stdio?.broken() ?? seen;
  // A broken pipe is often seen before the exit that broke it, and the exit is the reason.
  if (stdio !== undefined && !isTimeout(error) && !isAnswer(error)) await stdio.settled(300);
  const context = {
    phase,
    secrets: secretsOf(target),
    stderr: stdio?.stderrLines() ?? [],
    ended: stdio?.ended() ?? null,
    offersSignIn: offersSignIn(),
  };
  return new ServerFailure(failureOf(error, context), error);
}

export function isTimeout(error: unknown): boolean {
  return (error as { name?: string } | null)?.name === "TimeoutError";
}

/** Everything in a target that may be a secret: all values of its environment and headers, a URL's query and password, long arguments. */
export function secretsOf(target: ServerTarget): string[] {
  if (target.transport === "stdio") return [...Object.values(target.env), ...target.args.flatMap(secretsOfArgument)];
  const { password, searchParams } = new URL(target.url);
  return [...Object.values(target.headers), password, readable(password), ...searchParams.values()];
}

/** The password as it was before encoding; one that no decoder reads stays as it is. */
function readable(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** A long argument that is no path, package or option may be a token; so may what follows `=`. */
function secretsOfArgument(argument: string): string[] {
  const value = argument.slice(argument.indexOf("=") + 1);
  return /^[A-Za-z0-9_+/=-]{16,}$/.test(value) && !value.startsWith("/") && !value.startsWith("-") ? [value] : [];
}

/** Whether the server itself answered, with an error. */
export function isAnswer(error: unknown): boolean {
  return error instanceof McpError && error.code !== ErrorCode.ConnectionClosed;
}
