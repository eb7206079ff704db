/**
 * The orchestrator's side of a report: an agent's final message goes in, and the run holds it safely.
 *
 * Under the run: `agents/research-runner/mcp-results.md` and `handoff.md` hold the newest report's two bodies byte for byte,
 * `iterations/<number>/` beside them each report ever persisted, and `state.json` says what is there, with hashes. Everything
 * is written before `state.json`, which is the commit: what it names is on the disk.
 */
import { readdir, readFile, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { DiscoveryPayload, Handoff, Results } from "../core/contracts.ts";
import { parseHandoff } from "../core/handoff.ts";
import { parsePlainJson } from "../core/json-text.ts";
import { checkedResults } from "../core/results-emit.ts";
import { parseResults } from "../core/results-fence.ts";
import { type FileCalls, LEFTOVER, writeAtomic } from "./atomic-file.ts";
import { AGENT_FOLDER, folderOf, refuseLink, sessionOf } from "./run-folder.ts";
import { type LockOptions, withRunLock } from "./run-lock.ts";
import { fingerprint, type Iteration, moveAside, type RunState, readState } from "./run-state.ts";

export interface PersistOptions extends LockOptions {
  now?: () => number;
  calls?: FileCalls;
}

export interface Persisted {
  session: string;
  iteration: Iteration;
  /** False where the newest report is this very one: a repeated call changes nothing. */
  written: boolean;
  /** What was found torn, foreign or left over, and where it was moved. */
  reported: string[];
}

/**
 * Checks that the message holds exactly one results fence and one handoff, and writes both. When it returns, they are on the
 * disk. Throws what `parseResults` throws, `bad-session`, `leaves-run`, `locked` or `write-failed`; in every case what was
 * persisted before is intact.
 */
export async function persistMessage(run: string, message: string, options: PersistOptions = {}): Promise<Persisted> {
  const { handoff, body, handoffBody } = parseResults(message);
  const session = sessionOf(run);
  const folder = await folderOf(run, AGENT_FOLDER);
  return withRunLock(
    resolve(run),
    () => write(resolve(run), folder, session, { handoff, body, handoffBody }, options),
    options,
  );
}

interface Report {
  handoff: Handoff;
  body: string;
  handoffBody: string;
}

async function write(
  run: string,
  folder: string,
  session: string,
  report: Report,
  options: PersistOptions,
): Promise<Persisted> {
  const { now = Date.now, calls } = options;
  const files = {
    results: join(folder, "mcp-results.md"),
    handoff: join(folder, "handoff.md"),
    state: join(run, "state.json"),
  };
  for (const file of Object.values(files)) await refuseLink(file);
  const reported = [...(await sweep(run)), ...(await sweep(folder))];
  const read = await readState(run, session);
  if (read.problem !== undefined)
    reported.push(`state.json: ${read.problem}; moved to ${await moveAside(files.state, now())}`);
  const intact = read.exists && read.problem === undefined;
  // A writer may have been stopped after it moved a torn state aside: what the folders hold still counts.
  const state = intact ? read.state : { ...read.state, iterations: await recover(folder, now) };
  reported.push(...(await setForeignAside(files, state, now())));

  const results = fingerprint(report.body);
  const handoff = fingerprint(report.handoffBody);
  const newest = state.iterations.at(-1);
  if (newest?.results.sha256 === results.sha256 && newest.handoff.sha256 === handoff.sha256) {
    await restore(files, report, calls);
    if (!intact) await writeAtomic(files.state, `${JSON.stringify(state, null, 2)}\n`, calls);
    return { session, iteration: newest, written: false, reported };
  }
  const { status, task, iteration_count } = report.handoff;
  const number = (newest?.number ?? 0) + 1;
  const iteration = { number, iteration_count, status, task, time: new Date(now()).toISOString(), results, handoff };
  const kept = await folderOf(folder, `iterations/${number}`);
  await sweep(kept);
  for (const name of ["mcp-results.md", "handoff.md"]) await refuseLink(join(kept, name));
  await writeAtomic(join(kept, "mcp-results.md"), report.body, calls);
  await writeAtomic(join(kept, "handoff.md"), report.handoffBody, calls);
  await writeAtomic(files.results, report.body, calls);
  await writeAtomic(files.handoff, report.handoffBody, calls);
  const next: RunState = { ...state, iterations: [...state.iterations, iteration] };
  await writeAtomic(files.state, `${JSON.stringify(next, null, 2)}\n`, calls);
  return { session, iteration, written: true, reported };
}

/** Rewrites the newest report's files where one of them is gone. */
async function restore(files: { results: string; handoff: string }, report: Report, calls?: FileCalls): Promise<void> {
  if ((await textOf(files.results)) !== report.body) await writeAtomic(files.results, report.body, calls);
  if ((await textOf(files.handoff)) !== report.handoffBody) await writeAtomic(files.handoff, report.handoffBody, calls);
}

/** Removes temporary files of writers that were killed; the lock is held, so none of them is still at work. */
async function sweep(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => LEFTOVER.test(name));
  for (const name of names) await unlink(join(folder, name)).catch(() => {});
  return names.map((name) => `${name}: left by a writer that was stopped; removed`);
}

/** A current file that is none of the state's reports is foreign or torn: it is kept aside and told. */
async function setForeignAside(
  files: { results: string; handoff: string },
  state: RunState,
  now: number,
): Promise<string[]> {
  const told: string[] = [];
  for (const kind of ["results", "handoff"] as const) {
    const text = await textOf(files[kind]);
    if (text === null) continue;
    const { sha256 } = fingerprint(text);
    if (state.iterations.some((iteration) => iteration[kind].sha256 === sha256)) continue;
    told.push(`${files[kind]}: not a report that was acknowledged; moved to ${await moveAside(files[kind], now)}`);
  }
  return told;
}

/** The iterations that are whole on the disk: what a lost state can be rebuilt from. */
async function recover(folder: string, now: () => number): Promise<Iteration[]> {
  const names = await readdir(join(folder, "iterations")).catch(() => []);
  const numbers = names.filter((name) => /^[1-9]\d*$/.test(name)).map(Number);
  const iterations: Iteration[] = [];
  for (const number of numbers.sort((left, right) => left - right)) {
    const report = await readReport(join(folder, "iterations", String(number)));
    if ("problem" in report) continue;
    const { status, task, iteration_count } = report.handoff;
    const hashes = { results: fingerprint(report.body), handoff: fingerprint(report.handoffBody) };
    iterations.push({ number, iteration_count, status, task, time: new Date(now()).toISOString(), ...hashes });
  }
  return iterations;
}

async function textOf(file: string): Promise<string | null> {
  return readFile(file, "utf8").catch(() => null);
}

type ReadReport = (Report & { payload: Results }) | { problem: string };

async function readReport(folder: string): Promise<ReadReport> {
  const body = await textOf(join(folder, "mcp-results.md"));
  const handoffBody = await textOf(join(folder, "handoff.md"));
  if (body === null || handoffBody === null) return { problem: "a file of it is missing" };
  try {
    const payload = checkedResults(parsePlainJson(body, "mcp-results.md"));
    return { payload, handoff: parseHandoff(handoffBody), body, handoffBody };
  } catch {
    return { problem: "it cannot be read" };
  }
}

/** One persisted report as it is read back: what it expected and what it got. */
export interface RunReport {
  iteration: Iteration;
  handoff?: Handoff;
  payload?: DiscoveryPayload & Pick<Results, "query">;
  /** Why it cannot be trusted: a file is missing, torn, or not what was acknowledged. */
  problem?: string;
}

export interface RunView {
  session: string;
  reports: RunReport[];
  /** Why the run's state cannot be read. */
  problem?: string;
}

/** Reads a run without changing it. A file that does not carry its hash is a problem, never a report. */
export async function readRun(run: string): Promise<RunView> {
  const session = sessionOf(run);
  const { state, problem } = await readState(resolve(run), session);
  const reports = await Promise.all(
    state.iterations.map(async (iteration): Promise<RunReport> => {
      const report = await readReport(join(resolve(run), AGENT_FOLDER, "iterations", String(iteration.number)));
      if ("problem" in report) return { iteration, problem: report.problem };
      const same =
        fingerprint(report.body).sha256 === iteration.results.sha256 &&
        fingerprint(report.handoffBody).sha256 === iteration.handoff.sha256;
      if (!same) return { iteration, problem: "it is not what was acknowledged" };
      return { iteration, handoff: report.handoff, payload: report.payload };
    }),
  );
  return { session, reports, ...(problem === undefined ? {} : { problem }) };
}
