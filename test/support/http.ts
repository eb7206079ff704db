/** Requests as they stand on the wire, with any Host, Origin or method, which `fetch` would not send. */
import { type IncomingHttpHeaders, request } from "node:http";

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Ends the reading of a stream once what has come so far satisfies it. */
  until?: (text: string) => boolean;
}

export function send(url: string, { method = "POST", headers = {}, body, until }: RawRequest = {}): Promise<RawAnswer> {
  return new Promise((done, fail) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      const finish = () => done({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (until?.(text)) {
          finish();
          sent.destroy();
        }
      });
      response.on("end", finish).on("error", fail);
    });
    sent.on("error", fail);
    sent.end(body);
  });
}

/** The headers that every message needs. */
export const MESSAGE_HEADERS = {
  "Content-Type": "application/json",
  Accept: "application/json, text/event-stream",
};

export function initialize(protocolVersion = "2025-11-25"): string {
  const clientInfo = { name: "test", version: "0" };
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion, capabilities: {}, clientInfo },
  });
}

/** Begins a session and gives the headers of its further messages. */
export async function begin(url: string, protocolVersion = "2025-11-25"): Promise<Record<string, string>> {
  const answer = await send(url, { headers: MESSAGE_HEADERS, body: initialize(protocolVersion) });
  const headers = {
    ...MESSAGE_HEADERS,
    "Mcp-Session-Id": String(answer.headers["mcp-session-id"]),
    "Mcp-Protocol-Version": protocolVersion,
  };
  await send(url, { headers, body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) });
  return headers;
}

/** The messages of a stream of events. */
export function eventsOf(text: string): { id?: string; data: Record<string, unknown> }[] {
  return text
    .split("\n\n")
    .map((event) => new Map(event.split("\n").map((line) => line.split(/: ?(.*)/s).slice(0, 2) as [string, string])))
    .filter((fields) => (fields.get("data") ?? "") !== "")
    .map((fields) => ({
      ...(fields.has("id") && { id: fields.get("id") as string }),
      data: JSON.parse(fields.get("data") as string) as Record<string, unknown>,
    }));
}
