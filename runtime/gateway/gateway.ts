/**
 * The gateway: an MCP server that a host lists once in place of all its servers. What the sessions share, the servers behind
 * it and what they list, lives here; a transport opens a session for each client and connects it.
 */
import type { FeatureFactory } from "./feature.ts";
import { type GatewaySession, openSession } from "./session.ts";

export interface GatewayOptions {
  /** The pack's version, for `serverInfo`. */
  version: string;
  /** What every session offers beside the gateway's own tools, prompts and resources. */
  features?: readonly FeatureFactory[] | undefined;
}

export interface Gateway {
  /** A session for one client, to be connected to a transport. Throws once the gateway is closed. */
  openSession(): GatewaySession;
  /** How many sessions are open. */
  readonly sessions: number;
  /** Ends every session and every server behind the gateway. */
  close(): Promise<void>;
}

export function createGateway({ version, features = [] }: GatewayOptions): Gateway {
  const sessions = new Set<GatewaySession>();
  let closed = false;
  return {
    get sessions() {
      return sessions.size;
    },
    openSession() {
      if (closed) throw new Error("The gateway is closed");
      const session = openSession({ version, features });
      sessions.add(session);
      void session.closed.then(() => sessions.delete(session));
      return session;
    },
    async close() {
      closed = true;
      await Promise.all([...sessions].map((session) => session.close()));
    },
  };
}
