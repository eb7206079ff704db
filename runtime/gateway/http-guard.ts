/**
 * Who may speak to the gateway over HTTP. A page in the user's browser can reach a server on loopback, under a name of its own
 * if it rebinds DNS; so both the Host and the Origin are checked, and whoever is not on this machine shows a token (MCP
 * specification 2025-11-25, "Transports", "Security Warning").
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { isIPv6 } from "node:net";

/** Names of this machine that lead nowhere else. */
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Whether an address to listen on is reached from this machine only. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}

export interface GuardOptions {
  /** The address that is listened on. */
  address: string;
  port: number;
  /** Further names under which clients reach it. */
  hosts?: readonly string[] | undefined;
}

export interface Guard {
  /** Whether a Host header names this server: one of its names with its port, which 80 may leave out. */
  allowsHost(header: string | undefined): boolean;
  /** Whether an Origin header is absent, as it is outside browsers, or one of this server's names, on any port. */
  allowsOrigin(header: string | undefined): boolean;
}

export function createGuard({ address, port, hosts = [] }: GuardOptions): Guard {
  const own = isIPv6(address) ? `[${address}]` : address;
  const names = new Set([...LOOPBACK, own, ...hosts].map((name) => name.toLowerCase()));
  return {
    allowsHost(header) {
      const [, name = "", given] = /^(\[[0-9a-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/i.exec(header ?? "") ?? [];
      return names.has(name.toLowerCase()) && Number(given ?? 80) === port;
    },
    allowsOrigin(header) {
      if (header === undefined) return true;
      const [, name = ""] = /^https?:\/\/(\[[0-9a-f:.]+\]|[^:/[\]@\s]+)(?::\d{1,5})?$/i.exec(header) ?? [];
      return names.has(name.toLowerCase());
    },
  };
}

/** Whether an Authorization header carries the token, compared in a time that does not depend on how much of it is right. */
export function carriesToken(header: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +([\x21-\x7e]+)$/i.exec(header ?? "") ?? [];
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given ?? ""), digest(token)) && given !== undefined;
}
