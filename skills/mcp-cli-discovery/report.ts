/** How a run ended, as the handoff says it. */
import type { DiscoveryPayload, Handoff } from "../../runtime/core/contracts.ts";
import { printable } from "../../runtime/core/errors.ts";

export interface HandoffInput {
  payload: DiscoveryPayload;
  /** Fields that the delegation lacks: the task could not be begun. */
  missing?: readonly string[] | undefined;
  /** Why the work itself failed, in one sentence; an unavailable tool is no such failure. */
  failure?: string | undefined;
  /** Default 1. */
  iterationCount?: number | undefined;
}

const MAX_NAMES = 20;

/**
 * `blocked` where the delegation lacks fields, `error` where the work failed, `degraded` where an expected tool is not
 * there or none could be invoked, else `ok`. The notes are one line: what is available, used, skipped.
 */
export function buildHandoff({ payload, missing = [], failure, iterationCount = 1 }: HandoffInput): Handoff {
  const entries = [...payload.mcps_detected, ...payload.clis_detected];
  const skipped = payload.skipped.map((line) => /^expected: (.*); available: false \(/.exec(line)?.[1] ?? line);
  const gone = new Set(skipped);
  const available = entries.map(({ name }) => name).filter((name) => !gone.has(printable(name, 128)));
  const used = entries.filter((entry) => entry.used).map(({ name }) => name);
  const notes = [
    missing.length > 0 ? `missing: ${listed(missing)}` : "",
    failure === undefined ? "" : `error: ${printable(failure, 300)}`,
    `available: ${listed(available)}`,
    `used: ${listed(used)}`,
    `skipped: ${listed(skipped)}`,
  ];
  return {
    status: statusOf(payload, missing, failure),
    task: "mcp-query",
    notes: notes.filter((note) => note !== "").join("; "),
    iteration_count: iterationCount,
  };
}

function statusOf(
  { graceful_degradation, skipped }: DiscoveryPayload,
  missing: readonly string[],
  failure: string | undefined,
): Handoff["status"] {
  if (missing.length > 0) return "blocked";
  if (failure !== undefined) return "error";
  return graceful_degradation || skipped.length > 0 ? "degraded" : "ok";
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, MAX_NAMES).map((name) => printable(name, 128));
  return names.length > MAX_NAMES ? `${shown.join(", ")} and ${names.length - MAX_NAMES} more` : shown.join(", ");
}
