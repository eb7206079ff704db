/**
 * What a session sent on its streams, for a client that lost one and resumes it (MCP specification 2025-11-25, "Transports",
 * "Resumability and Redelivery"). In memory, and bounded: the oldest messages go first, and a stream whose next message has
 * gone cannot be resumed.
 */
import type { EventStore } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

export interface EventLimits {
  /** The most messages and the most characters that are kept of one session. */
  messages: number;
  characters: number;
}

const DEFAULT_LIMITS: EventLimits = { messages: 1000, characters: 8 * 1024 * 1024 };

interface Event {
  stream: string;
  number: number;
  message: JSONRPCMessage;
  size: number;
}

/** Event ids are `<stream>_<number>`, with one running number for the session. */
export function createEventStore({ messages, characters }: EventLimits = DEFAULT_LIMITS): EventStore {
  const events: Event[] = [];
  /** The number of the last message of each stream that has gone. */
  const gone = new Map<string, number>();
  let size = 0;
  let next = 0;
  return {
    async storeEvent(stream, message) {
      const event = { stream, number: next++, message, size: JSON.stringify(message).length };
      events.push(event);
      size += event.size;
      while (events.length > messages || size > characters) {
        const oldest = events.shift() as Event;
        size -= oldest.size;
        gone.set(oldest.stream, oldest.number);
        // The marks are bounded as well; a stream of which nothing is left is simply not known.
        if (gone.size > messages) gone.delete(gone.keys().next().value as string);
      }
      return `${stream}_${event.number}`;
    },
    async getStreamIdForEventId(id) {
      const place = placeOf(id);
      if (place === undefined) return undefined;
      const missed = gone.get(place.stream);
      if (missed !== undefined && missed > place.number) return undefined;
      return missed === place.number ||
        events.some(({ stream, number }) => stream === place.stream && number === place.number)
        ? place.stream
        : undefined;
    },
    async replayEventsAfter(id, { send }) {
      const place = placeOf(id);
      if (place === undefined) throw new Error("The event is not known");
      for (const { stream, number, message } of [...events]) {
        // A stream's first event only tells its id and holds no message.
        if (stream === place.stream && number > place.number && "jsonrpc" in message) {
          await send(`${stream}_${number}`, message);
        }
      }
      return place.stream;
    },
  };
}

function placeOf(id: string): { stream: string; number: number } | undefined {
  const [, stream, number] = /^(.+)_(\d{1,15})$/.exec(id) ?? [];
  return stream === undefined ? undefined : { stream, number: Number(number) };
}
