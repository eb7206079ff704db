/** The SDK's transport over a child's stdin and stdout, with bounds and a process group that is ended whole. */
import type { ChildProcess } from "node:child_process";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { type ChildTarget, endChild, keepLastLines, startChild, within } from "./child.ts";
import { createFrameReader } from "./frames.ts";

/** How long to wait for a dead server's last bytes. */
const LAST_WORDS_MS = 200;

export interface StdioTransport extends Transport {
  /** The last lines of the server's stderr. */
  stderrLines(): string[];
  /** How the process ended by itself, once it has; `null` where we ended it. */
  ended(): { code: number | null; signal: string | null } | null;
  /** Resolves when the process has ended, or after so many milliseconds. */
  settled(limitMs: number): Promise<void>;
  /** Why we gave the server up, where we did: it sent more than anyone can take. */
  broken(): Error | undefined;
  /** Lines on stdout that were no message. */
  noise(): number;
}

/**
 * Starts the server at once, before the SDK is there to speak with it: what the server says meanwhile waits for `start`, and so
 * does the reason where it cannot be started. `inputGraceMs`: how long it has to end after the end of its input; default 300.
 */
export function createStdioTransport(target: ChildTarget, inputGraceMs?: number): StdioTransport {
  const frames = createFrameReader();
  let child: ChildProcess | undefined;
  let lines: string[] = [];
  let markEnded: () => void = () => {};
  const whenEnded = new Promise<void>((done) => {
    markEnded = done;
  });
  let ended: { code: number | null; signal: string | null } | null = null;
  let closing: Promise<void> | undefined;
  let pipeBroke = false;
  let broken: Error | undefined;
  let markHeard: () => void = () => {};
  let delivered = new Promise<void>((done) => {
    markHeard = done;
  });

  const transport: StdioTransport = {
    async start() {
      await spawned;
      if (ended !== null) throw new Error("Connection closed");
      markHeard();
    },
    send(message) {
      return new Promise((done, fail) => {
        const stdin = child?.stdin;
        if (stdin === null || stdin === undefined || !stdin.writable) return fail(new Error("Connection closed"));
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? fail(error) : done()));
      });
    },
    close() {
      closing ??= child === undefined ? Promise.resolve() : endChild(child, undefined, inputGraceMs);
      return closing;
    },
    stderrLines: () => lines,
    ended: () => ended,
    async settled(limitMs) {
      await within(whenEnded, limitMs);
    },
    broken: () => broken,
    noise: () => frames.noise(),
  };

  const spawned = new Promise<void>((done, fail) => {
    const started = startChild(target);
    child = started;
    lines = keepLastLines(started.stderr);
    started.once("spawn", done);
    started.once("error", (error) => {
      fail(error);
      markEnded();
      transport.onerror?.(error);
    });
    const closed = new Promise<void>((last) => started.once("close", () => last()));
    started.once("exit", async (code, signal) => {
      if (closing === undefined || (pipeBroke && signal === null)) ended = { code, signal };
      // "close" comes after the last byte of stdout and stderr, so no answer and no reason is lost; it never comes
      // where the server left a child behind that holds them.
      await within(closed, LAST_WORDS_MS);
      markEnded();
      transport.onclose?.();
    });
    started.stdin?.on("error", (error) => {
      pipeBroke = true;
      transport.onerror?.(error);
    });
    started.stdout?.on("data", (chunk: Buffer) => receive(chunk));
  });
  // `start` tells it.
  spawned.catch(() => {});

  /**
   * One message after the other: the SDK takes an answer at once and a notice a little later, and one that came before in the
   * same bytes, such as a call's last progress, would find the call gone.
   */
  function deliver(message: JSONRPCMessage): void {
    delivered = delivered.then(() => transport.onmessage?.(message)).catch((error) => transport.onerror?.(error));
  }

  function receive(chunk: Buffer): void {
    if (broken !== undefined) return;
    try {
      for (const message of frames.push(chunk)) {
        // The SDK's protocol checks what kind of message it is; here it only has to be one.
        deliver(message as JSONRPCMessage);
      }
    } catch (error) {
      broken = error as Error;
      transport.onerror?.(broken);
      void transport.close();
    }
  }

  return transport;
}
