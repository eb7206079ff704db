/** The discovery payload: what was detected, what was used and why not, what was expected and is not there. */
import type { DetectedEntry, Detection, DiscoveryPayload } from "../../runtime/core/contracts.ts";

/** What is known of one detected tool after the run. */
export interface Outcome {
  name: string;
  /** Whether it can be invoked: a ready server, a CLI that a source names. */
  available: boolean;
  /** True only after a successful call. */
  used?: boolean | undefined;
  /** Why it is not available or was not used, or what it was used for. */
  notes?: string | undefined;
}

export interface PayloadInput {
  detection: Detection;
  /** For detected tools, and for configured servers that no source names. Without one, a tool that only prose names is not available. */
  outcomes?: Outcome[] | undefined;
}

export type ResearchTools = (name: string) => string[];

export function buildPayload(input: PayloadInput, intentsOf: ResearchTools): DiscoveryPayload {
  const outcomes = new Map((input.outcomes ?? []).map((outcome) => [outcome.name, outcome]));
  const { mcps, clis } = input.detection;
  const isHarness = (name: string) => mcps.some((mcp) => mcp.name === name && mcp.sources.includes("harness"));
  const outcomeOf = (name: string): Outcome =>
    outcomes.get(name) ?? { name, available: isHarness(name) || clis.some((cli) => cli.name === name) };
  const entries = (detected: Detection["mcps"]): DetectedEntry[] =>
    detected.map(({ name, sources }) => {
      const { available, used, notes } = outcomeOf(name);
      return {
        name,
        source: sources.join(" | "),
        used: used === true,
        notes: notes ?? (used === true ? "called" : available ? "available; not called" : "not configured"),
      };
    });
  const expected = [...new Set([...mcps, ...clis].map(({ name }) => name).concat([...outcomes.keys()]))].map(outcomeOf);
  return {
    mcps_detected: entries(mcps),
    clis_detected: entries(clis),
    research_tools: expected
      .filter(({ available }) => available)
      .map(({ name }) => ({ name, intents: intentsOf(name) }))
      .filter(({ intents }) => intents.length > 0),
    graceful_degradation: !expected.some(({ available }) => available),
    skipped: expected
      .filter(({ available }) => !available)
      .map(({ name, notes }) => `expected: ${name}; available: false (${notes ?? "not configured"})`),
  };
}
