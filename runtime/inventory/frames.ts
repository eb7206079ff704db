/**
 * JSON-RPC messages out of a server's stdout. Servers print banners, glue them before and behind messages, send batches,
 * echo ids as text and end lines as they like; what is a message is taken, what is not is counted.
 */

/** The most bytes that are kept while no line ends. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface FrameReader {
  /** Takes bytes and gives the messages that are complete now. Throws `RangeError` past {@link MAX_LINE_BYTES}. */
  push(chunk: Uint8Array): Record<string, unknown>[];
  /** Lines that held no message so far. */
  noise(): number;
}

export function createFrameReader(maxLineBytes = MAX_LINE_BYTES): FrameReader {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let noise = 0;
  return {
    noise: () => noise,
    push(chunk) {
      const messages: Record<string, unknown>[] = [];
      let from = 0;
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
        const line = Buffer.concat([...chunks, chunk.subarray(from, at)]).toString("utf8");
        chunks = [];
        held = 0;
        from = at + 1;
        const found = readLine(line);
        if (found === null) noise += line.trim() === "" ? 0 : 1;
        else messages.push(...found);
      }
      chunks.push(chunk.slice(from));
      held += chunk.length - from;
      if (held > maxLineBytes) throw new RangeError(`a message is larger than ${maxLineBytes} bytes`);
      return messages;
    },
  };
}

/** A line is one message or one batch; where it is neither, the messages that stand in it among something else. */
function readLine(line: string): Record<string, unknown>[] | null {
  const text = line.replace(/^\uFEFF/, "").trim();
  const whole = parseMessages(text);
  if (whole !== null) return whole;
  const found: Record<string, unknown>[] = [];
  let from = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const start = startOfMessage(text, from);
    if (start === -1) break;
    const end = endOfObject(text, start);
    const messages = end === -1 ? null : parseMessages(text.slice(start, end));
    found.push(...(messages ?? []));
    from = messages === null ? start + 1 : end;
  }
  return found.length === 0 ? null : found;
}

/** How often one line is searched for messages: each search may read to its end. */
const MAX_TRIES = 16;

function startOfMessage(text: string, from: number): number {
  const at = text.slice(from).search(/\{\s*"(?:jsonrpc|id|result|method)"\s*:/);
  return at === -1 ? -1 : from + at;
}

/** The place behind the brace that closes the object, or -1. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return at + 1;
  }
  return -1;
}

function parseMessages(text: string): Record<string, unknown>[] | null {
  if (!text.startsWith("{") && !text.startsWith("[")) return null;
  try {
    const value: unknown = JSON.parse(text);
    const messages = (Array.isArray(value) ? value : [value]).filter(isMessage).map(mended);
    return messages.length === 0 ? null : messages;
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && (value as Record<string, unknown>).jsonrpc === "2.0";
}

/** Our ids are numbers, and some servers answer with the same number as text; some write `"error": null` beside a result. */
function mended(message: Record<string, unknown>): Record<string, unknown> {
  if (message.method !== undefined) return message;
  const { id, error, ...rest } = message;
  const known = typeof id === "string" && /^\d{1,15}$/.test(id) ? Number(id) : id;
  return { ...rest, id: known, ...(error === undefined || error === null ? {} : { error }) };
}
