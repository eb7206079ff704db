/** using-mcp: which of the session's MCP tools to use for what, and what each call needs first. */
import * as z from "zod/mini";
import {
  CapabilityEntrySchema,
  ClassificationJsonSchema,
  GateResultSchema,
  ModeSchema,
  PermissionsSchema,
} from "../../runtime/core/contracts.ts";
import { defineHandler } from "../../runtime/core/handler.ts";
import { decide } from "./gate.ts";
import { classifyMcpTools, logRecord, logRoute, resolveCapability, routeCapability, tables } from "./judgements.ts";

export {
  askPerson,
  callToApprove,
  classifyMcpTools,
  createApprovals,
  gate,
  isDenied,
  isIrreversible,
  joinPermissions,
  logRecord,
  logRoute,
  permissionProblems,
  resolveCapability,
  routeCapability,
  shouldEscalate,
  suspicionOf,
} from "./judgements.ts";

/** A tool as a session lists it; a field of a wrong type costs that field, never the list. */
const listedTool = z.looseObject({
  name: z.string().check(z.describe("The qualified name, mcp__<server>__<tool>")),
  description: z.optional(z.unknown()),
  annotations: z.optional(z.unknown()),
  inputSchema: z.optional(z.unknown()),
});
const toolList = z.array(listedTool).check(z.describe("The session's MCP tools, with qualified names"));

export const classify = defineHandler({
  name: "classify_mcp_tools",
  description: "Say of each MCP tool of the session whether it reads or writes, and what it is for",
  input: z.object({
    tools: toolList,
    trust: z
      .optional(z.enum(["default", "strict"]))
      .check(z.describe("strict believes read hints of trusted servers only")),
    trustedServers: z.optional(z.array(z.string())),
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
  output: z.object({ tool: z.nullable(CapabilityEntrySchema) }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run: ({ tools, capability }) => ({ tool: resolveCapability(classifyMcpTools(tools), capability) }),
});

export const route = defineHandler({
  name: "route_capability",
  description: "Say what serves a capability: a skill that is present, an MCP tool, or the agent's own tools",
  input: z.object({
    tools: toolList,
    capability: z.string(),
    present: z._default(z.array(z.string()), []).check(z.describe("Names of the skills that are present")),
  }),
  // An object schema, as an MCP tool's output must be one; the fields that a way does not have are absent.
  output: z.object({
    via: z.enum(["named", "mcp", "native"]),
    skill: z.optional(z.string()),
    ...z.partial(CapabilityEntrySchema).shape,
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
    args: z.optional(z.unknown()),
    mode: z.optional(ModeSchema),
    permissions: z.optional(PermissionsSchema),
    session: z
      .optional(z.object({ privateData: z.optional(z.boolean()), untrustedContent: z.optional(z.boolean()) }))
      .check(z.describe("What the session has seen: both together make every way out a question")),
    canAsk: z.optional(z.boolean()).check(z.describe("Whether a person can be asked now (default true)")),
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
