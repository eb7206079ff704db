/** Setting a run right under its lock, before anything is added: after crashes, torn disks and strangers' files. */
import { basename, join } from "node:path";
import { PackError } from "../core/errors.ts";
import { bytesOf, type Disk, DRAFT_PREFIX, moveAside, namesIn, statusOf } from "./disk.ts";
import { sweepLocks } from "./run-lock.ts";
import {
  describeReport,
  type Iteration,
  matches,
  numberOf,
  type Places,
  type RunState,
  readBodies,
  readState,
  sha256,
} from "./run-state.ts";

export interface Recovered {
  state: RunState;
  /** What was found torn, foreign or left over, and where it was moved. */
  reported: string[];
}

/**
 * Sweeps what dead writers left, moves aside what is torn or unknown, and gives the run's state with every report that
 * lies whole on the disk: one that a writer put there and could not enter in the index any more is taken up.
 */
export function recover(disk: Disk, run: string, places: Places, now: number): Recovered {
  const reported = [run, places.agent, places.iterations].flatMap((folder) => sweepDrafts(disk, folder));
  sweepLocks(disk, run);
  const aside = (path: string, reason: string) => {
    reported.push(`${basename(path)}: ${reason}; moved to ${moveAside(disk, path, now)}`);
  };
  const known = knownState(disk, places.state, aside)?.iterations ?? [];
  const iterations = takeUp(disk, places.iterations, known, aside);
  for (const kind of ["results", "handoff"] as const) {
    const path = places[kind];
    if (statusOf(disk, path) === undefined) continue;
    const bytes = bytesOf(disk, path);
    const hash = bytes === null ? null : sha256(bytes);
    if (!iterations.some((entry) => entry[kind].sha256 === hash)) aside(path, "not a report that was acknowledged");
  }
  return { state: { version: 1, session: basename(run), iterations }, reported };
}

function sweepDrafts(disk: Disk, folder: string): string[] {
  const drafts = namesIn(disk, folder).filter((name) => name.startsWith(DRAFT_PREFIX));
  for (const name of drafts) disk.rmSync(join(folder, name), { recursive: true, force: true });
  return drafts.map((name) => `${name}: left by a writer that was stopped; removed`);
}

type Aside = (path: string, reason: string) => void;

function knownState(disk: Disk, file: string, aside: Aside): RunState | null {
  try {
    return readState(disk, file);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    aside(file, error.message);
    return null;
  }
}

/** The known reports, and those on the disk that the index does not hold. */
function takeUp(disk: Disk, folder: string, known: readonly Iteration[], aside: Aside): Iteration[] {
  const iterations = new Map(known.map((entry) => [entry.number, entry]));
  for (const name of namesIn(disk, folder)) {
    if (name.includes(".corrupt-")) continue;
    const path = join(folder, name);
    const number = numberOf(name);
    const bodies = readBodies(disk, path);
    const entry = number === null ? undefined : iterations.get(number);
    if (matches(entry, bodies)) continue;
    if (number === null) aside(path, "not a report");
    else if (entry !== undefined) aside(path, "not what was acknowledged");
    else {
      try {
        if (bodies === null) throw new PackError("torn", "a file of it is missing");
        iterations.set(number, describeReport(bodies, number, disk.lstatSync(path).mtimeMs));
      } catch (error) {
        if (!(error instanceof PackError)) throw error;
        aside(path, `it cannot be read: ${error.message}`);
      }
    }
  }
  return [...iterations.values()].sort((left, right) => left.number - right.number);
}
