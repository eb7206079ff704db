/**
 * The orchestrator's side of a report: an agent's final message goes in, and the run holds it safely. Only the orchestrator
 * writes a run.
 */
import { dirname, join } from "node:path";
import { parseResults } from "../core/results-fence.ts";
import {
  bytesOf,
  DISK,
  type Disk,
  discard,
  draftIn,
  makeFolder,
  replaceFile,
  syncFolder,
  writeFailed,
  writeNew,
} from "./disk.ts";
import { recover } from "./recover.ts";
import { refuseLinks, runFolder } from "./run-folder.ts";
import { type Lock, takeLock } from "./run-lock.ts";
import {
  type Bodies,
  describeReport,
  formatState,
  HANDOFF_FILE,
  type Iteration,
  matches,
  placesOf,
  RESULTS_FILE,
  readBodies,
  utf8,
} from "./run-state.ts";

export interface PersistOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /** How long to wait for another writer, in milliseconds; default 15,000. */
  waitMs?: number;
  disk?: Disk;
}

export interface Persisted {
  session: string;
  iteration: Iteration;
  /** False where the newest report is this very one, as after a retry. */
  written: boolean;
  /** What was found torn, foreign or left over, and where it was moved. */
  reported: string[];
}

/**
 * Checks that the message holds exactly one results fence and one handoff, and keeps both bodies byte for byte under the
 * run, which is made where it does not exist. When it returns, they are on the disk; an earlier report is never touched.
 *
 * Throws what `parseResults` throws, `bad-encoding`, `bad-session`, `bad-path` or `leaves-run` for what cannot be kept;
 * `locked` or `write-failed` where it could not be done. In every case what was persisted before is intact.
 */
export async function persistMessage(
  run: string,
  message: string | Uint8Array,
  options: PersistOptions = {},
): Promise<Persisted> {
  const { disk = DISK, now = Date.now, waitMs = 15_000 } = options;
  const { body, handoffBody } = parseResults(message instanceof Uint8Array ? utf8(message, "The message") : message);
  const bodies: Bodies = { results: Buffer.from(body), handoff: Buffer.from(handoffBody) };
  const folder = runFolder(run);
  const places = placesOf(folder);
  const refuseAllLinks = () => {
    for (const path of [places.iterations, places.results, places.handoff, places.state]) refuseLinks(disk, path);
  };
  try {
    refuseAllLinks();
    makeFolder(disk, places.iterations);
    const lock = await takeLock(disk, folder, waitMs);
    try {
      refuseAllLinks();
      const { state, reported } = recover(disk, folder, places, now());
      const { iteration, written } = keep({ disk, lock, folder: places.iterations, bodies, now }, state.iterations);
      const { session } = state;
      const iterations = [...state.iterations.filter(({ number }) => number !== iteration.number), iteration];
      const index = formatState({ version: 1, session, iterations });
      for (const [file, bytes] of [
        [places.state, index],
        [places.results, bodies.results],
        [places.handoff, bodies.handoff],
      ] as const) {
        if (bytesOf(disk, file)?.equals(bytes) !== true) replaceFile(disk, file, bytes);
      }
      // What a killed writer left in its place without flushing the folder is acknowledged now, so it must be on the disk.
      for (const place of [places.iterations, places.agent, dirname(places.agent), folder]) syncFolder(disk, place);
      return { session, iteration, written, reported };
    } finally {
      lock.release();
    }
  } catch (error) {
    throw writeFailed(error, folder);
  }
}

interface Keeping {
  disk: Disk;
  lock: Lock;
  folder: string;
  bodies: Bodies;
  now: () => number;
}

/**
 * Puts the report into a folder of its own by one rename: this is the commit. A folder that is there cannot be renamed
 * over, so even a writer that lost its lock in a long sleep overwrites nothing.
 */
function keep({ disk, lock, folder, bodies, now }: Keeping, known: readonly Iteration[]) {
  const newest = known.at(-1);
  if (newest !== undefined && matches(newest, bodies)) {
    // A retry, unless what was kept has been damaged since.
    const kept = readBodies(disk, join(folder, String(newest.number)));
    if (matches(newest, kept)) return { iteration: newest, written: false };
  }
  const iteration = describeReport(bodies, (newest?.number ?? 0) + 1, now());
  const draft = draftIn(folder);
  try {
    disk.mkdirSync(draft, { mode: 0o700 });
    writeNew(disk, join(draft, RESULTS_FILE), bodies.results);
    writeNew(disk, join(draft, HANDOFF_FILE), bodies.handoff);
    syncFolder(disk, draft);
    lock.assertHeld();
    disk.renameSync(draft, join(folder, String(iteration.number)));
  } catch (error) {
    discard(disk, draft);
    throw error;
  }
  syncFolder(disk, folder);
  return { iteration, written: true };
}
