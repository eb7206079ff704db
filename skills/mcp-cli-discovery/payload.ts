/** The discovery payload: what was detected, what was used and why not, what was expected and is not there. */
import type { Detected, DetectedEntry, Detection, DiscoveryPayload } from "../../runtime/core/contracts.ts";
import { printable } from "../../runtime/core/errors.ts";

/** What a run knows of one tool: a configured server that was listed or failed, a CLI that was verified, a call made. */
export interface Outcome {
  /** A server's or a program's name in any spelling. */
  name: string;
  /** Whether it can be invoked: the server is ready, the program was found. */
  available: boolean;
  /** True only after a call that succeeded; it makes the tool available. Default false. */
  used?: boolean | undefined;
  /** What it was used for; else why not: the failure's kind first (`auth`, `rate-limit`, `permission`, `timeout`, …). */
  notes?: string | undefined;
}

export interface PayloadInput {
  detection: Detection;
  /**
   * The tools that the run counted on. Default, and where it is empty: everything detected and everything with an outcome.
   */
  expected?: readonly string[] | undefined;
  /**
   * At most one a tool; of several for one name a used one counts, else an available one, else the first. Where a tool has
   * none, an MCP server is available if the harness lists it, and a CLI if a source names it: what a prompt or a file
   * claims never makes an MCP server callable.
   */
  outcomes?: readonly Outcome[] | undefined;
}

export interface PayloadNames {
  canonical(name: string): string;
  intentsOf(name: string): string[];
}

/** The longest text of `notes` and of a reason, in UTF-16 code units. */
const MAX_NOTES = 300;

/**
 * Feed it with a plain discovery (outcomes from the inventory, nothing used) or with a query (the called tool's outcome
 * among them). `graceful_degradation` is true exactly when none of the expected tools is available, none expected included.
 */
export function buildPayload(input: PayloadInput, names: PayloadNames): DiscoveryPayload {
  const { mcps, clis } = input.detection;
  const outcomes = mergedOutcomes(input.outcomes ?? [], names);
  const detected = new Map<string, { listed: boolean }>();
  for (const { name } of clis) detected.set(name, { listed: true });
  for (const { name, sources } of mcps) detected.set(name, { listed: sources.includes("harness") });
  const outcomeOf = (name: string): Outcome => outcomes.get(name) ?? untold(name, detected.get(name));
  const entries = (tools: readonly Detected[]): DetectedEntry[] =>
    tools.map(({ name, sources }) => {
      const { used, notes = "" } = outcomeOf(name);
      return { name, source: sources.join(" | "), used: used === true, notes: printable(notes, MAX_NOTES) };
    });
  const given = (input.expected ?? []).map((name) => names.canonical(name) || name);
  const expected = given.length > 0 ? [...new Set(given)] : [...new Set([...detected.keys(), ...outcomes.keys()])];
  const known = [...new Set([...mcps, ...clis].map(({ name }) => name).concat(expected))];
  return {
    mcps_detected: entries(mcps),
    clis_detected: entries(clis),
    research_tools: known
      .filter((name) => outcomeOf(name).available)
      .map((name) => ({ name, intents: names.intentsOf(name) }))
      .filter(({ intents }) => intents.length > 0),
    graceful_degradation: !expected.some((name) => outcomeOf(name).available),
    skipped: known
      .filter((name) => expected.includes(name) && !outcomeOf(name).available)
      .map((name) => skippedLine(name, outcomeOf(name).notes)),
  };
}

/** `expected: <name>; available: false (<reason>)`. */
function skippedLine(name: string, reason = "not available"): string {
  return `expected: ${printable(name, 128)}; available: false (${printable(reason, MAX_NOTES)})`;
}

function untold(name: string, detected: { listed: boolean } | undefined): Outcome {
  if (detected === undefined) return { name, available: false, notes: "not configured" };
  return detected.listed
    ? { name, available: true, notes: "not called" }
    : { name, available: false, notes: "not in the harness's tool list" };
}

function mergedOutcomes(outcomes: readonly Outcome[], names: PayloadNames): Map<string, Outcome> {
  const merged = new Map<string, Outcome>();
  const rank = ({ used, available }: Outcome) => (used === true ? 2 : available ? 1 : 0);
  for (const outcome of outcomes) {
    const name = names.canonical(outcome.name) || outcome.name;
    const { used = false, notes } = outcome;
    const available = outcome.available || used;
    const told: Outcome = { name, available, used, notes: notes || plainNotes(available, used) };
    const earlier = merged.get(name);
    if (earlier === undefined || rank(told) > rank(earlier)) merged.set(name, told);
  }
  return merged;
}

function plainNotes(available: boolean, used: boolean): string {
  if (used) return "called";
  return available ? "not called" : "not available";
}
