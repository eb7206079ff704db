/**
 * What lies in a run:
 *
 *     state.json                                     the index of the reports, with hashes
 *     agents/research-runner/mcp-results.md          the newest report's two bodies, byte for byte
 *     agents/research-runner/handoff.md
 *     agents/research-runner/iterations/<number>/    the same two files of every report; never changed once they are there
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import "../core/schema-messages.ts";
import { type Handoff, HandoffSchema, type Results } from "../core/contracts.ts";
import { PackError } from "../core/errors.ts";
import { issuesOf } from "../core/handler.ts";
import { parseHandoff } from "../core/handoff.ts";
import { parsePlainJson } from "../core/json-text.ts";
import { checkedResults } from "../core/results-emit.ts";
import { bytesOf, type Disk, statusOf } from "./disk.ts";

export const RESULTS_FILE = "mcp-results.md";
export const HANDOFF_FILE = "handoff.md";

/** The places of a run, as absolute paths. */
export function placesOf(run: string) {
  const agent = join(run, "agents", "research-runner");
  return {
    state: join(run, "state.json"),
    agent,
    results: join(agent, RESULTS_FILE),
    handoff: join(agent, HANDOFF_FILE),
    iterations: join(agent, "iterations"),
  };
}
export type Places = ReturnType<typeof placesOf>;

const FileSchema = z.strictObject({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: z.int().check(z.minimum(0)),
});

const IterationSchema = z.strictObject({
  /** Counts from 1, in the order in which they were persisted. */
  number: z.int().check(z.minimum(1)),
  /** The agent's own count, from its handoff. */
  iteration_count: z.int().check(z.minimum(1)),
  status: HandoffSchema.shape.status,
  task: z.string(),
  /** ISO 8601, UTC. */
  time: z.string(),
  results: FileSchema,
  handoff: FileSchema,
});
export type Iteration = z.infer<typeof IterationSchema>;

const RunStateSchema = z.strictObject({
  version: z.literal(1),
  session: z.string(),
  iterations: z.array(IterationSchema),
});
export type RunState = z.infer<typeof RunStateSchema>;

/** The number of an iteration's folder, or null for any other name. */
export function numberOf(name: string): number | null {
  return /^[1-9][0-9]{0,8}$/.test(name) ? Number(name) : null;
}

/** The two bodies of one message, as bytes. */
export interface Bodies {
  results: Uint8Array;
  handoff: Uint8Array;
}

export function readBodies(disk: Disk, folder: string): Bodies | null {
  const results = bytesOf(disk, join(folder, RESULTS_FILE));
  const handoff = bytesOf(disk, join(folder, HANDOFF_FILE));
  return results === null || handoff === null ? null : { results, handoff };
}

/** Reads both bodies back into what they say. Throws a `PackError` where they are torn or no such bodies. */
export function parseBodies({ results, handoff }: Bodies): { payload: Results; handoff: Handoff } {
  return {
    payload: checkedResults(parsePlainJson(utf8(results, RESULTS_FILE), RESULTS_FILE)),
    handoff: parseHandoff(utf8(handoff, HANDOFF_FILE)),
  };
}

export function utf8(bytes: Uint8Array, what: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new PackError("bad-encoding", `${what} is not valid UTF-8`, { fix: "Hand it in as UTF-8", cause });
  }
}

/** A report's entry in the index. Throws as {@link parseBodies} does. */
export function describeReport(bodies: Bodies, number: number, time: number): Iteration {
  const { status, task, iteration_count } = parseBodies(bodies).handoff;
  const described = (bytes: Uint8Array) => ({ sha256: sha256(bytes), bytes: bytes.length });
  const [results, handoff] = [described(bodies.results), described(bodies.handoff)];
  return { number, iteration_count, status, task, time: new Date(time).toISOString(), results, handoff };
}

/** Whether two bodies are those that an entry was made of. */
export function matches(entry: Iteration | undefined, bodies: Bodies | null): boolean {
  if (entry === undefined || bodies === null) return false;
  return sha256(bodies.results) === entry.results.sha256 && sha256(bodies.handoff) === entry.handoff.sha256;
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function formatState(state: RunState): Uint8Array {
  return Buffer.from(`${JSON.stringify(state, null, 2)}\n`);
}

/** Null where there is no `state.json`; throws `bad-state` where it is torn, of another version, or no regular file. */
export function readState(disk: Disk, file: string): RunState | null {
  if (statusOf(disk, file) === undefined) return null;
  const bytes = bytesOf(disk, file);
  const bad = (why: string, cause?: unknown) =>
    new PackError("bad-state", why, { file, fix: "The next report that is persisted makes it anew", cause });
  if (bytes === null) throw bad("it is no regular file");
  let value: unknown;
  try {
    value = parsePlainJson(utf8(bytes, "state.json"), "state.json");
  } catch (cause) {
    throw bad("it is torn or no JSON", cause);
  }
  const checked = RunStateSchema.safeParse(value);
  if (!checked.success) throw bad(`it does not have the shape of a run's state: ${issuesOf(checked.error)}`);
  return checked.data;
}
