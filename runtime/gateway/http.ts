/** The gateway over Streamable HTTP (MCP specification 2025-11-25): one endpoint, `/mcp`, with a session for each client. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { PackError, printable } from "../core/errors.ts";
import { within } from "../inventory/child.ts";
import type { Gateway } from "./gateway.ts";
import { REFUSALS, refusalText, refuse } from "./http-answer.ts";
import { type BodyLimits, readJson } from "./http-body.ts";
import { carriesToken, createGuard, type Guard, isLoopback } from "./http-guard.ts";
import { createHttpSessions, type HttpSessions, type SessionLimits } from "./http-sessions.ts";

export interface HttpOptions {
  /** 0 for any that is free. */
  port: number;
  /** The address to listen on; default 127.0.0.1. Any that is not loopback needs a token. */
  address?: string | undefined;
  /** What clients have to show as `Authorization: Bearer …`. */
  token?: string | undefined;
  /** Further host names under which clients reach this server. */
  hosts?: readonly string[] | undefined;
  limits?: Partial<HttpLimits> | undefined;
}

export interface HttpLimits extends SessionLimits {
  /** The largest message, in bytes. */
  bodyBytes: number;
  /** How long a client may take to send a message, in milliseconds. */
  bodyMs: number;
}

const DEFAULT_LIMITS: HttpLimits = {
  sessions: 1000,
  sessionIdleMs: 30 * 60_000,
  keepAliveMs: 15_000,
  bodyBytes: 4 * 1024 * 1024,
  bodyMs: 30_000,
};

/** How long what was asked before the end may still be answered, in milliseconds. */
const LAST_ANSWERS_MS = 1000;

/** A token that can be guessed is none. */
const SHORTEST_TOKEN = 16;

export interface HttpGateway {
  url: string;
  /** How many sessions clients hold. */
  readonly sessions: number;
  /** Lets what was asked be answered for a second, then ends every stream, session and connection; the gateway is the caller's to close. */
  close(): Promise<void>;
}

/** Throws `usage` for an address off loopback without a token, `cannot-listen` where the port is taken. */
export async function serveHttp(gateway: Pick<Gateway, "openSession">, options: HttpOptions): Promise<HttpGateway> {
  const { port, address = "127.0.0.1", token } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  checkAccess({ address, token });
  const sessions = createHttpSessions(() => gateway.openSession(), limits);
  const body = { bytes: limits.bodyBytes, timeMs: limits.bodyMs };
  let guard: Guard | undefined;
  const server = createServer((request, response) => {
    const refusal = guard === undefined ? REFUSALS.host : refusalOf(request, guard, token);
    if (refusal !== undefined) refuse(response, refusal);
    else answer(request, response, sessions, body).catch(() => refuse(response, REFUSALS.internal));
  });
  server.headersTimeout = 10_000;
  server.requestTimeout = limits.bodyMs;
  server.on("clientError", (_error, socket) => {
    if (!socket.writable) return;
    const text = refusalText(REFUSALS.parse);
    socket.end(
      `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
    );
  });
  await listen(server, port, address).catch(async (error: NodeJS.ErrnoException) => {
    await sessions.close();
    throw new PackError("cannot-listen", `Port ${port} of ${printable(address)} cannot be used (${error.code})`, {
      fix: "Choose another port, or 0 for any that is free",
      cause: error,
    });
  });
  const bound = (server.address() as AddressInfo).port;
  guard = createGuard({ address, port: bound, hosts: options.hosts });
  return {
    url: `http://${address.includes(":") ? `[${address}]` : address}:${bound}/mcp`,
    get sessions() {
      return sessions.size;
    },
    async close() {
      const closed = new Promise((done) => server.close(done));
      await within(sessions.quiet(), LAST_ANSWERS_MS);
      await sessions.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Throws `usage` for an address off loopback without a token, and for a token that is none. */
export function checkAccess({ address = "127.0.0.1", token }: Pick<HttpOptions, "address" | "token">): void {
  if (token === undefined && !isLoopback(address)) {
    throw new PackError("usage", `${printable(address)} is reached from other machines, and there is no token`, {
      fix: "Set MCP_SKILLS_TOKEN to a secret of at least 16 characters, or listen on 127.0.0.1",
    });
  }
  if (token !== undefined && (token.length < SHORTEST_TOKEN || !/^[\x21-\x7e]+$/.test(token))) {
    throw new PackError("usage", `The token is shorter than ${SHORTEST_TOKEN} characters or no plain ASCII`, {
      fix: "Use a longer one without spaces, such as 32 random hexadecimal digits",
    });
  }
}

function refusalOf({ headers, url = "", method = "" }: IncomingMessage, guard: Guard, token: string | undefined) {
  if (!guard.allowsHost(headers.host)) return REFUSALS.host;
  if (!guard.allowsOrigin(headers.origin)) return REFUSALS.origin;
  if (token !== undefined && !carriesToken(headers.authorization, token)) return REFUSALS.token;
  if (url.replace(/\?.*$/s, "") !== "/mcp") return REFUSALS.path;
  return ["GET", "POST", "DELETE"].includes(method) ? undefined : REFUSALS.method;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: HttpSessions,
  limits: BodyLimits,
): Promise<void> {
  const id = request.headers["mcp-session-id"];
  const session = typeof id === "string" ? sessions.get(id) : undefined;
  if (id !== undefined && session === undefined) return refuse(response, REFUSALS.unknownSession);
  if (request.method !== "POST") {
    return session === undefined ? refuse(response, REFUSALS.noSession) : session.handle(request, response);
  }
  const read = await readJson(request, limits);
  if ("refusal" in read) return refuse(response, read.refusal);
  // Batches left the protocol with 2025-06-18; only a session that agreed on an older version may send one.
  if (Array.isArray(read.value) && !((session?.version ?? "9") < "2025-06-18")) return refuse(response, REFUSALS.batch);
  if (session !== undefined) return session.handle(request, response, read.value);
  if (!isInitialize(read.value)) return refuse(response, REFUSALS.noSession);
  const opened = await sessions.open();
  return opened === null ? refuse(response, REFUSALS.full) : opened.handle(request, response, read.value);
}

function isInitialize(value: unknown): boolean {
  return typeof value === "object" && value !== null && (value as { method?: unknown }).method === "initialize";
}

function listen(server: ReturnType<typeof createServer>, port: number, address: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen(port, address, () => {
      server.off("error", fail);
      done();
    });
  });
}
