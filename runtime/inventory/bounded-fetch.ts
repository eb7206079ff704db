/** `fetch` for servers that send without end: no message may be larger than a bound. */
import type { FetchLike } from "@modelcontextprotocol/sdk/shared/transport.js";
import { MAX_LINE_BYTES } from "./frames.ts";

/** The most bytes of one event: the SDK's parser reads an unfinished one over and over, so its cost grows with the square. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/**
 * Gives answers whose body breaks off with a `RangeError` past {@link MAX_LINE_BYTES}, in an event stream past
 * {@link MAX_EVENT_BYTES} for each event. `onTooLarge` is told as well, since whoever reads a stream may take its end for a lost connection.
 */
export function boundedFetch(onTooLarge: (error: Error) => void): FetchLike {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers, body } = response;
    // A redirect is judged by who asked; it has no body to bound.
    if (body === null || status < 200 || (status >= 300 && status < 400)) return response;
    const events = headers.get("content-type")?.includes("text/event-stream") === true;
    const maxBytes = events ? MAX_EVENT_BYTES : MAX_LINE_BYTES;
    let held = 0;
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const end = events ? lastEventEnd(chunk) : -1;
        held = end === -1 ? held + chunk.length : chunk.length - end;
        if (held <= maxBytes) return controller.enqueue(chunk);
        const error = new RangeError(`a message is larger than ${maxBytes} bytes`);
        onTooLarge(error);
        controller.error(error);
      },
    });
    return new Response(body.pipeThrough(bound), { status, statusText, headers });
  };
}

/** Where the last blank line of a chunk starts, or -1. */
function lastEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(bytes.lastIndexOf("\n\n"), bytes.lastIndexOf("\r\n\r\n"), bytes.lastIndexOf("\r\r"));
}
