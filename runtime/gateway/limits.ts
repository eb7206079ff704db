/** Every bound of the gateway, in milliseconds and bytes. */
import { MAX_RESULT_BYTES } from "../core/raw-result.ts";

export interface Limits {
  /** For starting a server and listing its tools; default 10 s. */
  connectMs: number;
  /** Whether a server's own limit from its configuration goes first (default), or the user's word, given just now. */
  ownConnectMs: boolean;
  /** For one call, from the last progress that the server told; default 5 min. */
  callMs: number;
  /** For a person's answer, or the client's to what a server asks; default 10 min. */
  askMs: number;
  /** After how long without a call a server is stopped; default 5 min. */
  idleMs: number;
  /** The largest text or structured content of one result that is passed whole; default 256 KiB. */
  resultBytes: number;
  /** The largest image, sound or file in a result; default 4 MiB. */
  mediaBytes: number;
  /** How many servers run at once, all sessions together; default 64. */
  connections: number;
}

export const DEFAULT_LIMITS: Limits = {
  connectMs: 10_000,
  ownConnectMs: true,
  callMs: 300_000,
  askMs: 600_000,
  idleMs: 300_000,
  resultBytes: MAX_RESULT_BYTES,
  mediaBytes: 4 * 1024 * 1024,
  connections: 64,
};

/** How many tools a client sees at once, the gateway's own included. */
export const DEFAULT_MAX_TOOLS = 8;

/** The clock and timers that the gateway goes by; a test brings its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs once after so many milliseconds, without holding the process; gives what stops it. */
  after(ms: number, run: () => void): () => void;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
