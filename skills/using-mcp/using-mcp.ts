/** using-mcp: which of the session's MCP tools to use for what, and what each call needs first. */
import { z } from "zod";
import {
  CapabilityEntrySchema,
  type Classification,
  ClassificationJsonSchema,
  type GateResult,
  GateResultSchema,
  type LogRecord,
  ModeSchema,
  PermissionsSchema,
  type Route,
} from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { loadSkillTables } from "../../runtime/core/tables.ts";
import { type Suspicion, suspicionOf as suspicionIn } from "./access-text.ts";
import { compileAccess } from "./access-words.ts";
import { type ApprovableCall, askPerson, createApprovals } from "./approvals.ts";
import { compileCapabilities } from "./capability.ts";
import { classifyTools, type TrustOptions } from "./classify.ts";
import { logRecord } from "./decision-log.ts";
import { approvableCall, decide, type GateRequest } from "./gate.ts";
import { compileIrreversible, irreversibleAction } from "./irreversible.ts";
import { isDenied, joinPermissions, permissionProblems } from "./permission-rules.ts";
import { chooseRoute, resolveCapability } from "./route.ts";
import { readUsingMcpTables } from "./tables.ts";

export { askPerson, createApprovals, isDenied, joinPermissions, logRecord, permissionProblems, resolveCapability };

const rows = await loadSkillTables(import.meta.url, readUsingMcpTables);
const tables = {
  access: compileAccess(rows.access),
  capabilities: compileCapabilities(rows.capabilities),
  irreversible: compileIrreversible(rows.irreversible),
};

/**
 * Access and capability of every listed tool (`mcp__<server>__<tool>`), by server and by capability. Never throws; what
 * is malformed is left out, and what is no array gives empty maps.
 */
export function classifyMcpTools(tools: unknown, options: TrustOptions = {}): Classification {
  return classifyTools(tools, tables, options);
}

/** Why a text that came from a server is suspicious, by the table of suspicious phrases and what cannot be seen; else `null`. */
export function suspicionOf(text: string): Suspicion | null {
  return suspicionIn(text, tables.access);
}

/** `{ via: "named" }` where a named provider is present, else the best tool, else `{ via: "native" }`. Never throws. */
export function routeCapability(map: unknown, capability: unknown, options: { present?: unknown } = {}): Route {
  return chooseRoute(map, capability, options?.present, rows.providers);
}

/**
 * Whether an action `{ type?, command?, description?, args? }` cannot be taken back: data loss, a production deploy, a
 * force push, rotation of secrets, a transfer of money, mass mail. Pure; whatever is no object gives `false`.
 */
export function isIrreversible(action: unknown): boolean {
  return irreversibleAction(action, tables.irreversible) !== null;
}

/**
 * Whether a situation goes to a person: an irreversible action, an exhausted bound, or a judgement call in interactive
 * mode. Pure; missing fields and whatever is no object give `false`.
 */
export function shouldEscalate(context: unknown): boolean {
  if (typeof context !== "object" || context === null) return false;
  const { action, mode, boundExhausted, judgmentGate } = context as Record<string, unknown>;
  return isIrreversible(action) || boundExhausted === true || (mode === "interactive" && judgmentGate === true);
}

/** Decides for one call: `allow`, `confirm` or `deny`, with the reason and what it rests on. */
export function gate(request: GateRequest): GateResult {
  const { decision, reason, evidence } = decide(request, tables);
  return { decision, reason, evidence };
}

/**
 * The call that a person is asked about, for `askPerson` and the `approvals` of `gate`; `null` for what is no MCP tool.
 */
export function callToApprove(request: GateRequest): ApprovableCall | null {
  const { subject } = decide({ tool: request.tool }, tables);
  return subject === null ? null : approvableCall(request.tool, subject, request.args);
}

/** The log record of a route: a write that was chosen still needs its confirmation. */
export function logRoute(capability: string, route: Route, now: number): LogRecord {
  const reasons = { named: "a named provider is present", mcp: "the best tool found", native: "no tool serves it" };
  const decision = route.via === "mcp" && route.access === "write" ? "confirm" : "allow";
  return logRecord({ ...route, capability, decision, reason: reasons[route.via] }, now);
}

/** A tool as a session lists it; a field of a wrong type costs that field, never the list. */
const listedTool = z.looseObject({
  name: z.string().describe("The qualified name, mcp__<server>__<tool>"),
  description: z.unknown().optional(),
  annotations: z.unknown().optional(),
  inputSchema: z.unknown().optional(),
});
const toolList = z.array(listedTool).describe("The session's MCP tools, with qualified names");

export const classify = defineHandler({
  name: "classify_mcp_tools",
  description: "Say of each MCP tool of the session whether it reads or writes, and what it is for",
  input: z.object({
    tools: toolList,
    trust: z.enum(["default", "strict"]).optional().describe("strict believes read hints of trusted servers only"),
    trustedServers: z.array(z.string()).optional(),
  }),
  output: ClassificationJsonSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ tools, ...options }) => {
    const { servers, byCapability } = classifyMcpTools(tools, options);
    return {
      servers: [...servers].map(([server, entry]) => ({
        server,
        access: entry.access,
        capabilities: [...entry.capabilities],
        tools: entry.tools,
      })),
      byCapability: [...byCapability].map(([capability, entries]) => ({ capability, tools: entries })),
    };
  },
});

export const resolve = defineHandler({
  name: "resolve_capability",
  description: "Find the best MCP tool of the session for a capability: reads first",
  input: z.object({ tools: toolList, capability: z.string() }),
  output: z.object({ tool: CapabilityEntrySchema.nullable() }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ tools, capability }) => ({ tool: resolveCapability(classifyMcpTools(tools), capability) }),
});

export const route = defineHandler({
  name: "route_capability",
  description: "Say what serves a capability: a skill that is present, an MCP tool, or the agent's own tools",
  input: z.object({
    tools: toolList,
    capability: z.string(),
    present: z.array(z.string()).default([]).describe("Names of the skills that are present"),
  }),
  // An object schema, as an MCP tool's output must be one; the fields that a way does not have are absent.
  output: z.object({
    via: z.enum(["named", "mcp", "native"]),
    skill: z.string().optional(),
    ...CapabilityEntrySchema.partial().shape,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ tools, capability, present }, context) => {
    const route = routeCapability(classifyMcpTools(tools), capability, { present });
    context.log?.(logRoute(capability, route, context.now?.() ?? 0));
    return route;
  },
});

export const gateCall = defineHandler({
  name: "gate_call",
  description: "Decide whether one MCP call may run, must be confirmed by a person, or is denied",
  input: z.object({
    tool: listedTool,
    args: z.unknown().optional(),
    mode: ModeSchema.optional(),
    permissions: PermissionsSchema.optional(),
    session: z
      .object({ privateData: z.boolean().optional(), untrustedContent: z.boolean().optional() })
      .optional()
      .describe("What the session has seen: both together make every way out a question"),
    canAsk: z.boolean().optional().describe("Whether a person can be asked now (default true)"),
  }),
  output: GateResultSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (input, context) => {
    // Whoever calls a handler may be a model: its word on the tool's access is none.
    const { access: _, server: __, tool: ___, ...listed } = input.tool;
    const { subject, ...result } = decide({ ...input, tool: listed }, tables);
    const { server, tool, access } = subject ?? {};
    const capability = [...classifyMcpTools([listed]).byCapability.keys()][0];
    const choice = { via: "mcp", capability, server, tool, access, args: input.args, ...result } as const;
    context.log?.(logRecord(choice, context.now?.() ?? 0));
    return result;
  },
});
