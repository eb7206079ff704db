/** `state.json`: what a run holds, with hashes, so that nothing torn or foreign passes for a report. */
import { createHash, randomBytes } from "node:crypto";
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { HandoffSchema } from "../core/contracts.ts";

const FileSchema = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.int().min(0) });

const IterationSchema = z.strictObject({
  /** Counts from 1, in the order in which they were persisted. */
  number: z.int().min(1),
  /** The agent's own count, from its handoff. */
  iteration_count: z.int().min(1),
  status: HandoffSchema.shape.status,
  task: z.string(),
  /** ISO 8601, UTC. */
  time: z.string(),
  results: FileSchema,
  handoff: FileSchema,
});
export type Iteration = z.infer<typeof IterationSchema>;

export const RunStateSchema = z.strictObject({
  version: z.literal(1),
  session: z.string(),
  iterations: z.array(IterationSchema),
});
export type RunState = z.infer<typeof RunStateSchema>;

export interface ReadState {
  state: RunState;
  /** Why what stands there cannot be used; absent where it can, or where nothing is. */
  problem?: string;
  /** Whether there is a state file. */
  exists: boolean;
}

/** Reads the state. A file that is torn or of another version is a problem, never an empty state without a word. */
export async function readState(run: string, session: string): Promise<ReadState> {
  const empty: RunState = { version: 1, session, iterations: [] };
  const text = await readFile(join(run, "state.json"), "utf8").catch((error: { code?: string }) => {
    if (error.code === "ENOENT") return null;
    return `unreadable: ${error.code}`;
  });
  if (text === null) return { state: empty, exists: false };
  try {
    const checked = RunStateSchema.safeParse(JSON.parse(text));
    if (checked.success) return { state: checked.data, exists: true };
    return { state: empty, exists: true, problem: "it does not have the shape of a run's state" };
  } catch {
    return { state: empty, exists: true, problem: "it is torn or no JSON" };
  }
}

/** SHA-256 and length of a text as UTF-8. */
export function fingerprint(text: string): z.infer<typeof FileSchema> {
  const bytes = Buffer.from(text, "utf8");
  return { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length };
}

/** Moves a file aside under a name that says so, and gives that name. */
export async function moveAside(file: string, now: number): Promise<string> {
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, "-");
  const aside = `${file}.corrupt-${time}-${randomBytes(2).toString("hex")}`;
  await rename(file, aside);
  return aside;
}
