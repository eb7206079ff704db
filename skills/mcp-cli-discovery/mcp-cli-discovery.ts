/** mcp-cli-discovery: which MCP servers and CLIs a run has, and an honest report of what came of them. */
import * as z from "zod/mini";
import { DetectionSchema, DiscoveryPayloadSchema, type Handoff, HandoffSchema } from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { detectTools, discoveryHandoff, discoveryPayload, readDelegation } from "./discovery.ts";

export {
  type Candidate,
  type Chosen,
  canonicalName,
  chooseResearchTool,
  DELEGATION_FIELDS,
  type Delegation,
  type DetectionInput,
  detectTools,
  discoveryHandoff,
  discoveryPayload,
  type HandoffInput,
  KNOWN_CLIS,
  type Outcome,
  type PayloadInput,
  readDelegation,
} from "./discovery.ts";

export const detectToolsHandler = defineHandler({
  name: "detect_tools",
  description:
    "Say which MCP servers and CLIs the prompt, copilot-instructions and the harness's tool list name. Nothing is probed. Use it at the start of a run",
  input: z.object({
    prompt: z.optional(z.string()).check(z.describe("The user's prompt")),
    copilotInstructions: z.optional(z.string()).check(z.describe("The text of .github/copilot-instructions.md")),
    harnessTools: z
      .optional(z.array(z.union([z.string(), z.looseObject({ name: z.string() })])))
      .check(z.describe("The tool names that the harness lists")),
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
    expected: z.optional(z.array(z.string())).check(z.describe("The tools counted on; default: all detected ones")),
    outcomes: z.optional(
      z.array(
        z.object({
          name: z.string(),
          available: z.boolean().check(z.describe("Whether it can be invoked")),
          used: z.optional(z.boolean()).check(z.describe("True only after a call that succeeded")),
          notes: z
            .optional(z.string())
            .check(z.describe("What it was used for, or why it was not: auth, rate-limit, …")),
        }),
      ),
    ),
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
    delegation: z.optional(z.string()).check(z.describe("The delegation's text, where an orchestrator sent one")),
    failure: z.optional(z.string()).check(z.describe("Why the work itself failed")),
  }),
  output: HandoffSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ payload, delegation, failure }): Handoff {
    const { missing, fields } = delegation === undefined ? { missing: [], fields: {} } : readDelegation(delegation);
    return discoveryHandoff({ payload, missing, failure, iterationCount: Number(fields.iteration_count ?? 1) });
  },
});
