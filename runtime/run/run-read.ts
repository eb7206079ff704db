/** Looking at a run. Reading changes nothing and waits for nobody: every file is whole, whenever it is read. */
import { basename, join, resolve } from "node:path";
import type { Handoff, Results } from "../core/contracts.ts";
import { PackError } from "../core/errors.ts";
import { codeOf, DISK, type Disk, namesIn, statusOf } from "./disk.ts";
import {
  describeReport,
  type Iteration,
  matches,
  numberOf,
  type Places,
  parseBodies,
  placesOf,
  readBodies,
  readState,
} from "./run-state.ts";

/** One persisted report as it is read back: what it expected and what it got. */
export interface RunReport {
  iteration: Iteration;
  handoff?: Handoff;
  payload?: Results;
  /** Why it cannot be trusted: a file is missing, torn, or not what was acknowledged. */
  problem?: string;
}

export interface RunView {
  session: string;
  reports: RunReport[];
  /** Why the run's state cannot be used; the reports are then those that lie whole on the disk. */
  problem?: string;
}

/** Whether a folder holds a run, damaged ones included. */
export function isRun(folder: string, disk: Disk = DISK): boolean {
  const { state, iterations } = placesOf(folder);
  try {
    return [state, iterations].some((path) => statusOf(disk, path) !== undefined);
  } catch {
    // It may not be looked into; reading it tells why.
    return true;
  }
}

/** Reads a run, each report checked against its hashes. A damaged file is a problem, never a report. */
export function readRun(run: string, disk: Disk = DISK): RunView {
  const session = basename(resolve(run));
  const places = placesOf(resolve(run));
  try {
    const state = readState(disk, places.state);
    if (state === null) throw new PackError("bad-state", "it is missing");
    return { session, reports: state.iterations.map((iteration) => readReport(disk, places, iteration)) };
  } catch (error) {
    return { session, problem: reasonOf(error), reports: reportsOnDisk(disk, places) };
  }
}

function readReport(disk: Disk, places: Places, iteration: Iteration): RunReport {
  try {
    const bodies = readBodies(disk, join(places.iterations, String(iteration.number)));
    if (bodies === null) throw new PackError("torn", "a file of it is missing");
    if (!matches(iteration, bodies)) throw new PackError("torn", "it is not what was acknowledged");
    return { iteration, ...parseBodies(bodies) };
  } catch (error) {
    return { iteration, problem: reasonOf(error) };
  }
}

function reportsOnDisk(disk: Disk, { iterations }: Places): RunReport[] {
  const reports: RunReport[] = [];
  for (const name of readable(() => namesIn(disk, iterations)) ?? []) {
    const number = numberOf(name);
    const folder = join(iterations, name);
    const bodies = number === null ? null : readable(() => readBodies(disk, folder));
    if (number === null || bodies === null) continue;
    const report = readable(() => ({
      iteration: describeReport(bodies, number, disk.lstatSync(folder).mtimeMs),
      ...parseBodies(bodies),
    }));
    if (report !== null) reports.push(report);
  }
  return reports.sort((left, right) => left.iteration.number - right.iteration.number);
}

function readable<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof PackError ? error.message : `it cannot be read (${codeOf(error)})`;
}
