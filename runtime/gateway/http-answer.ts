/** Answers that are no message of a session: each a JSON-RPC error, whatever went wrong, and never a page or a path. */
import type { ServerResponse } from "node:http";

export interface Refusal {
  status: number;
  /** A JSON-RPC error code; -32000 to -32099 are the transport's own. */
  code: number;
  message: string;
  headers?: Record<string, string>;
}

export const REFUSALS = {
  host: { status: 403, code: -32000, message: "This server is not known under that host name" },
  origin: { status: 403, code: -32000, message: "This origin may not use the server" },
  token: {
    status: 401,
    code: -32000,
    message: "A bearer token is required",
    headers: { "WWW-Authenticate": 'Bearer realm="mcp-skills"' },
  },
  path: { status: 404, code: -32000, message: "There is nothing here: the endpoint is /mcp" },
  method: {
    status: 405,
    code: -32000,
    message: "Only GET, POST and DELETE are answered",
    headers: { Allow: "GET, POST, DELETE" },
  },
  tooLarge: { status: 413, code: -32000, message: "The message is too large", headers: { Connection: "close" } },
  tooSlow: { status: 408, code: -32000, message: "The message took too long", headers: { Connection: "close" } },
  parse: { status: 400, code: -32700, message: "Parse error: the body is not JSON" },
  batch: { status: 400, code: -32600, message: "Batches are not taken in this version of the protocol" },
  noSession: { status: 400, code: -32000, message: "The Mcp-Session-Id header is missing: initialize first" },
  unknownSession: { status: 404, code: -32001, message: "Session not found: initialize again" },
  full: { status: 503, code: -32000, message: "There are too many sessions", headers: { "Retry-After": "10" } },
  internal: { status: 500, code: -32603, message: "Internal error" },
} as const satisfies Record<string, Refusal>;

/** The body of a refusal. */
export function refusalText({ code, message }: Refusal): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
}

/** Answers with a refusal, where nothing has been answered yet. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  if (response.headersSent || response.destroyed) return;
  const body = refusalText(refusal);
  response.writeHead(refusal.status, {
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...refusal.headers,
  });
  response.end(body);
}
