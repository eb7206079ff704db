/** mcp-cli-discovery: which MCP servers and CLIs a run has, and an honest report of what came of them. */
import { z } from "zod";
import {
  type Detection,
  DetectionSchema,
  type DiscoveryPayload,
  DiscoveryPayloadSchema,
  type Handoff,
  HandoffSchema,
} from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { loadSkillTables } from "../../runtime/core/tables.ts";
import { type Candidate, type Chosen, chooseTool } from "./choose.ts";
import { readDelegation } from "./delegation.ts";
import { type DetectionInput, detect } from "./detect.ts";
import { canonicalName as canonicalNameIn } from "./names.ts";
import { buildPayload, type PayloadInput } from "./payload.ts";
import { buildHandoff } from "./report.ts";
import { intentsOf } from "./research.ts";
import { detectionTables, readDiscoveryTables } from "./tables.ts";

export type { Candidate, Chosen } from "./choose.ts";
export { DELEGATION_FIELDS, type Delegation, readDelegation } from "./delegation.ts";
export type { DetectionInput } from "./detect.ts";
export type { Outcome, PayloadInput } from "./payload.ts";
export { buildHandoff as discoveryHandoff, type HandoffInput } from "./report.ts";

const rows = await loadSkillTables(import.meta.url, readDiscoveryTables);
const tables = detectionTables(rows);
const queryArguments = new Set(rows.queryArguments);

/**
 * Merges what the prompt, copilot-instructions and the harness's list name; none wins. Pure: nothing is probed. Never
 * throws: what is missing or of the wrong type names nothing.
 *
 * `detectTools({ prompt: "We have the GitHub MCP; use gh.", harnessTools: ["mcp__github__list_issues"] })` gives
 * `{ mcps: [{ name: "github", sources: ["prompt", "harness"] }], clis: [{ name: "gh", sources: ["prompt"] }] }`.
 */
export function detectTools(input: DetectionInput): Detection {
  return detect(input, tables);
}

/** The one spelling under which the names of a server meet; the empty string where the text names nothing. */
export function canonicalName(name: string): string {
  return canonicalNameIn(name, tables.names);
}

/** The payload of a run from what was detected and what came of each tool; see {@link PayloadInput}. */
export function discoveryPayload(input: PayloadInput): DiscoveryPayload {
  return buildPayload(input, { canonical: canonicalName, intentsOf: (name) => intentsOf(name, rows.intents) });
}

/** The reading tool that a research question is put to, and its arguments; `null` where none serves it. */
export function chooseResearchTool(intent: string, candidates: readonly Candidate[]): Chosen | null {
  return chooseTool(intent, candidates, rows.intents, queryArguments);
}

/** The programs of the table "Known CLIs": only these are ever looked for. */
export const KNOWN_CLIS: ReadonlySet<string> = new Set(rows.clis.map(({ cli }) => cli));

export const detectToolsHandler = defineHandler({
  name: "detect_tools",
  description:
    "Say which MCP servers and CLIs the prompt, copilot-instructions and the harness's tool list name. Nothing is probed. Use it at the start of a run",
  input: z.object({
    prompt: z.string().optional().describe("The user's prompt"),
    copilotInstructions: z.string().optional().describe("The text of .github/copilot-instructions.md"),
    harnessTools: z
      .array(z.union([z.string(), z.looseObject({ name: z.string() })]))
      .optional()
      .describe("The tool names that the harness lists"),
  }),
  output: DetectionSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (input) => detectTools(input),
});

export const discoveryPayloadHandler = defineHandler({
  name: "discovery_payload",
  description:
    "Build a run's discovery payload from what was detected and what came of each tool. Use it at the end of a run, also when there were no tools",
  input: z.object({
    detection: DetectionSchema,
    expected: z.array(z.string()).optional().describe("The tools counted on; default: all detected ones"),
    outcomes: z
      .array(
        z.object({
          name: z.string(),
          available: z.boolean().describe("Whether it can be invoked"),
          used: z.boolean().optional().describe("True only after a call that succeeded"),
          notes: z.string().optional().describe("What it was used for, or why it was not: auth, rate-limit, …"),
        }),
      )
      .optional(),
  }),
  output: DiscoveryPayloadSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (input) => discoveryPayload(input),
});

export const discoveryHandoffHandler = defineHandler({
  name: "discovery_handoff",
  description:
    "Say how a run ended: ok, degraded, error, or blocked with the fields that its delegation lacks. Use it for the handoff after the results fence",
  input: z.object({
    payload: DiscoveryPayloadSchema,
    delegation: z.string().optional().describe("The delegation's text, where an orchestrator sent one"),
    failure: z.string().optional().describe("Why the work itself failed"),
  }),
  output: HandoffSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ payload, delegation, failure }): Handoff {
    const { missing, fields } = delegation === undefined ? { missing: [], fields: {} } : readDelegation(delegation);
    return buildHandoff({ payload, missing, failure, iterationCount: Number(fields.iteration_count ?? 1) });
  },
});
