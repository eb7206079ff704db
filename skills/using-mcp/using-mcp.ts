/** using-mcp: which of the session's MCP tools to use for what, and what each call needs first. */
import { z } from "zod";
import {
  CapabilityEntrySchema,
  type Classification,
  ClassificationJsonSchema,
  GateResultSchema,
  ListedToolSchema,
  ModeSchema,
  PermissionsSchema,
  type Route,
  RouteSchema,
} from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { loadSkillTables } from "../../runtime/core/tables.ts";
import { compileAccess } from "./access-words.ts";
import { compileCapabilities } from "./capability.ts";
import { classifyTools, type TrustOptions } from "./classify.ts";
import { decide, type GateRequest } from "./gate.ts";
import { isIrreversible } from "./irreversible.ts";
import { chooseRoute, resolveCapability } from "./route.ts";
import { readUsingMcpTables } from "./tables.ts";

export { isIrreversible, resolveCapability };

const rows = await loadSkillTables(import.meta.url, readUsingMcpTables);
const tables = { access: compileAccess(rows.access), capabilities: compileCapabilities(rows.capabilities) };

/**
 * Access and capability of every listed tool (`mcp__<server>__<tool>`), by server and by capability. Never throws; what
 * is malformed is left out, and what is no array gives empty maps.
 */
export function classifyMcpTools(tools: unknown, options: TrustOptions = {}): Classification {
  return classifyTools(tools, tables, options);
}

/** `{ via: "named" }` where a named provider is present, else the best tool, else `{ via: "native" }`. Never throws. */
export function routeCapability(map: unknown, capability: unknown, options: { present?: unknown } = {}): Route {
  return chooseRoute(map, capability, options?.present, rows.providers);
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
export function gate(request: GateRequest): z.infer<typeof GateResultSchema> {
  return decide(request, tables.access);
}

const toolList = z.array(ListedToolSchema).describe("The session's MCP tools, with qualified names");

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
  run: ({ tools, capability, present }) =>
    RouteSchema.parse(routeCapability(classifyMcpTools(tools), capability, { present })),
});

export const gateCall = defineHandler({
  name: "gate_call",
  description: "Decide whether one MCP call may run, must be confirmed by a person, or is denied",
  input: z.object({
    tool: z.looseObject({ name: z.string().describe("The qualified name") }),
    args: z.unknown().optional(),
    mode: ModeSchema.optional(),
    permissions: PermissionsSchema.optional(),
    canAsk: z.boolean().optional().describe("Whether a person can be asked now (default true)"),
  }),
  output: GateResultSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: (input) => gate(input),
});
