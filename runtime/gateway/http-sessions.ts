/** The sessions that clients hold over HTTP: by id, bounded in number, and ended where a client no longer comes. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createEventStore } from "./event-store.ts";
import type { GatewaySession } from "./session.ts";

export interface HttpSession {
  /** The version of the protocol that was agreed on. */
  readonly version: string | undefined;
  /** Hands a request to the session; resolves when its answer has ended. */
  handle(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
}

export interface HttpSessions {
  get(id: string): HttpSession | undefined;
  /** A session for a client that initializes; `null` where there are too many, all of them in use. */
  open(): Promise<HttpSession | null>;
  readonly size: number;
  /** Resolves when every message that came has been answered; streams that clients hold open do not count. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionLimits {
  /** How many sessions there are at most; the one that was idle longest makes room. */
  sessions: number;
  /** A session without a request and without an open stream ends after so long, in milliseconds. */
  sessionIdleMs: number;
  /** How often an open stream that says nothing gets a comment, in milliseconds; 0 for never. */
  keepAliveMs: number;
}

interface Entry extends HttpSession {
  id: string | undefined;
  /** Requests and streams that are open. */
  open: number;
  lastUse: number;
  close(): Promise<void>;
}

export function createHttpSessions(openSession: () => GatewaySession, limits: SessionLimits): HttpSessions {
  const entries = new Set<Entry>();
  const byId = new Map<string, Entry>();
  let messages = 0;
  let settle = () => {};
  const sweep = setInterval(
    () => {
      const due = performance.now() - limits.sessionIdleMs;
      for (const entry of entries) if (entry.open === 0 && entry.lastUse <= due) void entry.close();
    },
    Math.max(10, Math.min(60_000, limits.sessionIdleMs / 4)),
  );
  sweep.unref?.();

  function add(): Entry {
    const session = openSession();
    let version: string | undefined;
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      keepAliveMs: limits.keepAliveMs,
      onsessioninitialized: (id) => {
        entry.id = id;
        byId.set(id, entry);
      },
    });
    const entry: Entry = {
      id: undefined,
      open: 0,
      lastUse: performance.now(),
      get version() {
        return version;
      },
      async handle(request, response, body) {
        entry.open++;
        if (request.method === "POST") messages++;
        const ended = new Promise<void>((done) => {
          response.once("close", done);
        });
        try {
          await transport.handleRequest(request, response, body);
          if (!response.writableFinished && !response.destroyed) await ended;
        } finally {
          entry.open--;
          if (request.method === "POST" && --messages === 0) settle();
          entry.lastUse = performance.now();
        }
        // A client that could not initialize has nothing to come back to.
        if (entry.id === undefined) await entry.close();
      },
      async close() {
        entries.delete(entry);
        if (entry.id !== undefined) byId.delete(entry.id);
        await session.close();
      },
    };
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      const result = "result" in message ? message.result : undefined;
      if (version === undefined && typeof result?.protocolVersion === "string") version = result.protocolVersion;
      await send(message, options);
    };
    entries.add(entry);
    void session.closed.then(() => entry.close());
    ready.set(entry, session.server.connect(transport as Transport));
    return entry;
  }
  const ready = new WeakMap<Entry, Promise<void>>();

  return {
    get size() {
      return entries.size;
    },
    get: (id) => byId.get(id),
    async open() {
      if (entries.size >= limits.sessions) {
        const [idlest] = [...entries].filter(({ open }) => open === 0).sort((a, b) => a.lastUse - b.lastUse);
        if (idlest === undefined) return null;
        await idlest.close();
      }
      const entry = add();
      await ready.get(entry);
      return entry;
    },
    quiet: () =>
      new Promise((done) => {
        settle = done;
        if (messages === 0) done();
      }),
    async close() {
      clearInterval(sweep);
      await Promise.all([...entries].map((entry) => entry.close()));
    },
  };
}
