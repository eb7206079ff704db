/** Servers over HTTP that misbehave, one at each path of one listener; the protocol is spoken by hand. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface FaultServer {
  /** The address of a mode: `http://127.0.0.1:…/<mode>`. */
  url(mode: string): string;
  /** Each request as `METHOD /path`, in order. */
  seen: string[];
  /** All values that came in the header `x-secret`, with the path. */
  secrets: string[];
  close(): Promise<void>;
}

interface Call {
  mode: string;
  method: string;
  id: unknown;
  request: IncomingMessage;
  response: ServerResponse;
  origin: string;
}

const TOOLS = ["first", "second"].map((name) => ({ name, inputSchema: { type: "object" } }));
const RESULTS: Record<string, unknown> = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "fault", version: "1" },
  },
  "tools/list": { tools: TOOLS },
  "tools/call": { content: [{ type: "text", text: "done" }] },
};

/** Answers in the right way; every fault is a difference to this. */
function answer({ id, method, response }: Call, type = "application/json"): void {
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  response.writeHead(200, { "content-type": type }).end(textOf(id, method));
}

function textOf(id: unknown, method: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: RESULTS[method] ?? {} });
}

function status(code: number, body = "", headers: Record<string, string> = {}) {
  return ({ response }: Call) => void response.writeHead(code, { "content-type": "text/plain", ...headers }).end(body);
}

/** How each mode answers a POST; one that is not here answers right. */
const POSTS: Record<string, (call: Call) => void> = {
  "needs-login": status(401, "who are you"),
  "needs-oauth": (call) =>
    status(401, "", {
      "www-authenticate": `Bearer resource_metadata="${call.origin}/.well-known/oauth-protected-resource"`,
    })(call),
  forbidden: status(403, "not yours"),
  "too-many": status(429, "slow down"),
  "no-page": status(404, "no such page"),
  broken: status(500, "Forbidden words do not make it a 403"),
  html: status(200, "<!doctype html><title>Welcome</title>", { "content-type": "text/html" }),
  "html-as-json": status(200, "<!doctype html>", { "content-type": "application/json" }),
  "wrong-type": (call) => answer(call, "application/octet-stream"),
  "type-with-charset": (call) => answer(call, "Application/JSON; charset=utf-8"),
  "accepted-only": status(202),
  hang: () => {},
  reset: ({ request }) => void request.socket.destroy(),
  "redirect-same": ({ response, origin }) => void response.writeHead(307, { location: `${origin}/ok` }).end(),
  "redirect-other": ({ response, origin }) =>
    void response.writeHead(307, { location: `${origin.replace("127.0.0.1", "localhost")}/ok` }).end(),
  "redirect-loop": ({ response, origin }) =>
    void response.writeHead(307, { location: `${origin}/redirect-loop` }).end(),
  "old-404": status(404),
  "old-405": status(405),
  "old-hang": status(405),
  "old-elsewhere": status(405),
  "old-login": status(405),
  "needs-token": (call) =>
    call.request.headers.authorization === "Bearer from-the-environment" ? answer(call) : status(401)(call),
  batch: ({ id, method, response }) => {
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" }).end(`[${textOf(id, method)}]`);
  },
  "session-lost": (call) => {
    sessions(call, call.request.headers["mcp-session-id"] === "2 of session-lost");
  },
  /** The first session is lost when a tool is called, every later one lives. */
  "session-lost-in-call": (call) => lostInCall(call, "1 of session-lost-in-call"),
  "session-gone-in-call": (call) => lostInCall(call, String(call.request.headers["mcp-session-id"])),
  "hears-end": (call) => sessions(call, true),
  "hears-no-end": (call) => sessions(call, true),
  "session-gone": (call) => {
    sessions(call, false);
  },
  "slow-stream": (call) => events(call, (text) => inPieces(call.response, text)),
  "endless-stream": (call) => events(call, () => {}),
  "huge-answer": (call) => (call.method === "tools/list" ? flood(call, "application/json", "") : answer(call)),
  "huge-event": (call) => (call.method === "tools/list" ? flood(call, "text/event-stream", "data: ") : answer(call)),
};

/** How many sessions each mode has begun. */
const begun = new Map<string, number>();

function sessions(call: Call, alive: boolean): void {
  if (call.method === "initialize") {
    const count = (begun.get(call.mode) ?? 0) + 1;
    begun.set(call.mode, count);
    call.response.setHeader("mcp-session-id", `${count} of ${call.mode}`);
  }
  if (call.method === "tools/list" && !alive) status(404, "session not found")(call);
  else answer(call);
}

function lostInCall(call: Call, lost: string): void {
  if (call.method === "tools/call" && call.request.headers["mcp-session-id"] === lost) {
    status(404, "session not found")(call);
  } else sessions(call, true);
}

/** Opens an event stream with noise in it; `send` gets the answer's text, for all but `tools/list` it is sent at once. */
function events(call: Call, send: (text: string) => void): void {
  if (call.id === undefined || call.method !== "tools/list") {
    answer(call);
    return;
  }
  call.response.writeHead(200, { "content-type": "text/event-stream" });
  call.response.write(": still there\n\nevent: other\ndata: {}\n\ndata: no json\n\n");
  send(`data: ${textOf(call.id, call.method)}\n\n`);
}

function inPieces(response: ServerResponse, text: string): void {
  if (text === "") return void response.end();
  response.write(text.slice(0, 25));
  setTimeout(inPieces, 10, response, text.slice(25));
}

/** 100 MB, or as much as the client takes. */
function flood({ id, response }: Call, type: string, head: string): void {
  const piece = Buffer.alloc(1 << 20, "x");
  response.writeHead(200, { "content-type": type });
  response.write(`${head}{"jsonrpc":"2.0","id":${id},"result":{"tools":[],"a":"`);
  const step = (left: number): void => {
    if (response.destroyed) return;
    if (left === 0) return void response.end('"}}\n\n');
    response.write(piece, () => step(left - 1));
  };
  step(100);
}

/** The servers of before 2025-03-26: a GET opens the stream, which names where to POST. */
function oldServer(call: Call, streams: Map<string, ServerResponse>): boolean {
  const { mode, request, response, id, method, origin } = call;
  if (!mode.startsWith("old-")) return false;
  if (request.method === "GET") {
    if (mode === "old-login") {
      status(401)(call);
      return true;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    const endpoint = mode === "old-elsewhere" ? "http://localhost:9/post" : `${origin}/${mode}?post`;
    if (mode !== "old-hang") response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    streams.set(mode, response);
    return true;
  }
  if (!request.url?.endsWith("?post")) return false;
  response.writeHead(202).end();
  if (id !== undefined) streams.get(mode)?.write(`event: message\ndata: ${textOf(id, method)}\n\n`);
  return true;
}

export async function startFaultServer(): Promise<FaultServer> {
  const seen: string[] = [];
  const secrets: string[] = [];
  const streams = new Map<string, ServerResponse>();
  const server = createServer(async (request, response) => {
    const path = request.url ?? "/";
    const host = request.headers.host ?? "";
    seen.push(`${request.method} ${host.split(":")[0]}${path}`);
    if (typeof request.headers["x-secret"] === "string") secrets.push(`${host.split(":")[0]}${path}`);
    let body = "";
    try {
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
    } catch {
      return;
    }
    const { id, method = "" } = body === "" ? {} : JSON.parse(body);
    const mode = new URL(path, "http://x").pathname.slice(1);
    const call: Call = { mode, method, id, request, response, origin: `http://${host}` };
    if (oldServer(call, streams)) return;
    if (request.method === "DELETE") {
      if (mode !== "hears-no-end") response.writeHead(mode === "session-gone" ? 405 : 200).end();
      return;
    }
    if (request.method === "GET") return status(mode === "get-404" ? 404 : 405)(call);
    (POSTS[mode] ?? answer)(call);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: (mode) => `http://127.0.0.1:${port}/${mode}`,
    seen,
    secrets,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
