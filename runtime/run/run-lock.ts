/** One writer at a time in a run, across processes. */
import { join } from "node:path";
import { lock } from "proper-lockfile";
import { PackError } from "../core/errors.ts";

export interface LockOptions {
  /** A lock that was not renewed for so long belongs to a dead process; default 5,000 ms. */
  staleMs?: number;
  /** How long to wait for another writer; default 15,000 ms. */
  waitMs?: number;
}

/** Runs the work with the run's lock held. Throws `locked` where it cannot be had in time,
 * `write-failed` where the folder cannot be written. */
export async function withRunLock<Value>(
  run: string,
  work: () => Promise<Value>,
  { staleMs = 5000, waitMs = 15_000 }: LockOptions = {},
): Promise<Value> {
  const lost: Error[] = [];
  const release = await take(run, staleMs, Date.now() + waitMs, (error) => lost.push(error));
  try {
    const value = await work();
    // Another writer took the lock for dead (this process slept): what was written may be overwritten by it.
    if (lost.length > 0)
      throw new PackError("locked", "The run's lock was lost while writing", { file: run, fix: "Run it again" });
    return value;
  } finally {
    await release().catch(() => {});
  }
}

const STEP_MS = 50;

async function take(
  run: string,
  stale: number,
  until: number,
  onCompromised: (error: Error) => void,
): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await lock(run, { lockfilePath: join(run, ".lock"), stale, onCompromised });
    } catch (cause) {
      const code = (cause as { code?: string }).code ?? "unknown";
      if (code !== "ELOCKED") {
        const fix = "Make the run's folder writable for you";
        throw new PackError("write-failed", `The run cannot be locked (${code})`, { file: run, fix, cause });
      }
      if (Date.now() >= until) {
        const fix = "Wait for the other writer, and run it again";
        throw new PackError("locked", "Another writer holds the run's lock", { file: run, fix, cause });
      }
    }
    await new Promise((done) => setTimeout(done, STEP_MS));
  }
}
