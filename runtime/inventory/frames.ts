/**
 * JSON-RPC messages out of a server's stdout. Servers print banners, glue them to the first message, send batches, echo ids
 * as text and end lines as they like; what is a message is taken, what is not is counted.
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

function readLine(line: string): Record<string, unknown>[] | null {
  const text = line.replace(/^\uFEFF/, "").trim();
  if (text === "") return null;
  return parseMessages(text) ?? parseMessages(text.slice(Math.max(0, startOfMessage(text))));
}

/** Where a message starts behind noise on the same line. */
function startOfMessage(text: string): number {
  return text.search(/\{\s*"(?:jsonrpc|id|result|method)"\s*:/);
}

function parseMessages(text: string): Record<string, unknown>[] | null {
  if (!text.startsWith("{") && !text.startsWith("[")) return null;
  try {
    const value: unknown = JSON.parse(text);
    const messages = (Array.isArray(value) ? value : [value]).filter(isMessage).map(withNumericId);
    return messages.length === 0 ? null : messages;
  } catch {
    return null;
  }
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && (value as Record<string, unknown>).jsonrpc === "2.0";
}

/** Our ids are numbers; some servers answer with the same number as text. */
function withNumericId(message: Record<string, unknown>): Record<string, unknown> {
  const answers = message.method === undefined && typeof message.id === "string" && /^\d+$/.test(message.id);
  return answers ? { ...message, id: Number(message.id) } : message;
}
