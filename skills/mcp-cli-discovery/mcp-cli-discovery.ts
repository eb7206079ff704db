/** mcp-cli-discovery: which MCP servers and CLIs a run has, and an honest report of what came of them. */
import { z } from "zod";
import {
  type Detection,
  DetectionSchema,
  type DiscoveryPayload,
  DiscoveryPayloadSchema,
} from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { listCell, loadSkillTables, tableRows } from "../../runtime/core/tables.ts";
import { canonicalName, type DetectionInput, detect } from "./detect.ts";
import { buildPayload, type PayloadInput } from "./payload.ts";

const text = z.string().min(1, "is empty");

const tables = await loadSkillTables(import.meta.url, (markdown) => ({
  clis: tableRows(markdown, "Known CLIs", z.object({ cli: text, what: text })).map(({ cli }) => cli),
  intents: tableRows(markdown, "Research intents", z.object({ tools: text, intents: text })).map((row) => ({
    tools: listCell(row.tools),
    intents: listCell(row.intents),
  })),
}));

/** Merges what the prompt, copilot-instructions and the harness name. Pure; nothing is probed; never throws. */
export function detectTools(input: DetectionInput): Detection {
  return detect(input, tables.clis);
}

/** The payload of a run from what was detected and what came of it. */
export function discoveryPayload(input: PayloadInput): DiscoveryPayload {
  return buildPayload(input, (name) =>
    tables.intents.filter((row) => row.tools.includes(canonicalName(name))).flatMap((row) => row.intents),
  );
}

export const detectHandler = defineHandler({
  name: "detect_tools",
  description:
    "Say which MCP servers and CLIs the prompt, copilot-instructions and the harness name, without probing anything",
  input: z.object({
    prompt: z.string().optional(),
    copilotInstructions: z.string().optional(),
    harnessTools: z.array(z.union([z.string(), z.looseObject({ name: z.string() })])).optional(),
  }),
  output: DetectionSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (input) => detectTools(input),
});

export const payloadHandler = defineHandler({
  name: "discovery_payload",
  description: "Build the discovery payload of a run from what was detected and what came of each tool",
  input: z.object({
    detection: DetectionSchema,
    outcomes: z
      .array(
        z.object({
          name: z.string(),
          available: z.boolean(),
          used: z.boolean().optional(),
          notes: z.string().optional(),
        }),
      )
      .optional(),
  }),
  output: DiscoveryPayloadSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (input) => discoveryPayload(input),
});
