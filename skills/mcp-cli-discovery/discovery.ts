/**
 * Detection and report as plain functions over the skill's own tables. Commands import this module: the handlers beside it
 * bring the schema library, which costs more than all the rest of a start.
 */
import type { Detection, DiscoveryPayload } from "../../runtime/core/contracts.ts";
import { loadSkillTables } from "../../runtime/core/tables.ts";
import { type Candidate, type Chosen, chooseTool } from "./choose.ts";
import { cliTable } from "./clis.ts";
import { cueTable } from "./cues.ts";
import { type DetectionInput, detect } from "./detect.ts";
import { canonicalName as canonicalNameIn, nameTable } from "./names.ts";
import { buildPayload, type PayloadInput } from "./payload.ts";
import { intentsOf } from "./research.ts";

export type { Candidate, Chosen } from "./choose.ts";
export { DELEGATION_FIELDS, type Delegation, readDelegation } from "./delegation.ts";
export type { DetectionInput } from "./detect.ts";
export type { Outcome, PayloadInput } from "./payload.ts";
export { buildHandoff as discoveryHandoff, type HandoffInput } from "./report.ts";

const rows = await loadSkillTables(import.meta.url, async (markdown) => {
  const { readDiscoveryTables } = await import("./tables.ts");
  return readDiscoveryTables(markdown);
});
const tables = { names: nameTable(rows.names), clis: cliTable(rows.clis), cues: cueTable(rows.cues) };
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
