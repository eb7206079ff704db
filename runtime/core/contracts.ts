/**
 * The schema of every value that passes from one stage of the flow to the next, and only here. Modules that must start
 * fast import the types alone, which cost nothing at run time.
 */
import * as z from "zod/mini";
import "./schema-messages.ts";

// ── tools and inventory ─────────────────────────────────────────────────────────────────────────────────────────────

/** Behaviour hints of MCP specification 2025-11-25 (`ToolAnnotations`). They come from the server and can lie. */
export const AnnotationsSchema = z.looseObject({
  title: z.optional(z.string()),
  readOnlyHint: z.optional(z.boolean()),
  destructiveHint: z.optional(z.boolean()),
  idempotentHint: z.optional(z.boolean()),
  openWorldHint: z.optional(z.boolean()),
});
export type Annotations = z.infer<typeof AnnotationsSchema>;

/** A JSON Schema as the server gave it: data to look at, never resolved or executed. */
export const JsonSchemaSchema = z.record(z.string(), z.unknown());

/** One MCP tool of one server. `name` is the tool's own name, without server or prefix. */
export const ToolSchema = z.object({
  server: z.string(),
  name: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  annotations: z.optional(AnnotationsSchema),
  inputSchema: z.optional(JsonSchemaSchema),
  outputSchema: z.optional(JsonSchemaSchema),
});
export type Tool = z.infer<typeof ToolSchema>;

/** A tool as a harness lists it: `name` is the qualified name, `mcp__<server>__<tool>`. */
export const ListedToolSchema = z.omit(ToolSchema, { server: true });
export type ListedTool = z.infer<typeof ListedToolSchema>;

/** Why a server gave no tools, or a call no result. */
export const FAILURE_KINDS = [
  "config",
  "needs-env",
  "needs-input",
  "needs-approval",
  "not-found",
  "crashed",
  "timeout",
  "auth",
  "rate-limit",
  "permission",
  "network",
  "protocol",
  "refused",
] as const;
export const FailureKindSchema = z.enum(FAILURE_KINDS);
export type FailureKind = z.infer<typeof FailureKindSchema>;

/** A reason: its kind for a program, a sentence for a person, and what to do next where something can be done. */
export const FailureSchema = z.object({
  kind: FailureKindSchema,
  message: z.string(),
  fix: z.optional(z.string()),
});
export type Failure = z.infer<typeof FailureSchema>;

/** Where a configured server was found. */
export const OriginSchema = z.object({
  /** The host whose file it is: `claude-code`, `vscode`, … */
  host: z.string(),
  file: z.string(),
  scope: z.enum(["project", "user", "explicit"]),
});
export type Origin = z.infer<typeof OriginSchema>;

export const TRANSPORTS = ["stdio", "http", "sse"] as const;
export const TransportKindSchema = z.enum(TRANSPORTS);

/** A tool left out, or something odd about a server's list: told, never fatal. */
export const ListingFlagSchema = z.object({
  tool: z.optional(z.string()),
  kind: z.string(),
  message: z.string(),
});
export type ListingFlag = z.infer<typeof ListingFlagSchema>;

/** One server seen: no command, address, header or environment is part of it. */
export const ServerSchema = z.object({
  name: z.string(),
  state: z.enum(["ready", "failed", "disabled"]),
  transport: z.optional(TransportKindSchema),
  /** `serverInfo.version` of a ready server. */
  version: z.optional(z.string()),
  /** Present exactly when the state is `failed`. */
  failure: z.optional(FailureSchema),
  tools: z.array(ToolSchema),
  flags: z._default(z.array(ListingFlagSchema), []),
  origins: z._default(z.array(OriginSchema), []),
  /** Milliseconds since 1970 at which the list was taken. */
  listedAt: z.optional(z.number()),
});
export type Server = z.infer<typeof ServerSchema>;

/** All servers seen, in the order in which they are configured. */
export const InventorySchema = z.object({
  servers: z.array(ServerSchema),
  /** Configuration files and entries that could not be read; they cost only themselves. */
  problems: z._default(
    z.array(
      z.object({
        code: z.string(),
        message: z.string(),
        fix: z.optional(z.string()),
        file: z.optional(z.string()),
        line: z.optional(z.number()),
        column: z.optional(z.number()),
      }),
    ),
    [],
  ),
});
export type Inventory = z.infer<typeof InventorySchema>;

// ── classification ──────────────────────────────────────────────────────────────────────────────────────────────────

export const AccessSchema = z.enum(["read", "write"]);
export type Access = z.infer<typeof AccessSchema>;
export const ServerAccessSchema = z.enum(["read", "write", "mixed"]);
export type ServerAccess = z.infer<typeof ServerAccessSchema>;

/** What a verdict rests on. */
export const EvidenceSchema = z.enum(["annotation", "name", "schema", "description", "default"]);
export type Evidence = z.infer<typeof EvidenceSchema>;

/** The domain a tool is for; the names stand in the table of using-mcp's SKILL.md, with `other` for the rest. */
export const CapabilitySchema = z.string().check(z.regex(/^[a-z][a-z0-9-]*$/));
export type Capability = z.infer<typeof CapabilitySchema>;

export interface ClassifiedTool {
  /** The tool's own name. */
  tool: string;
  access: Access;
  capability: Capability;
  /** Strongest first; never empty. */
  evidence: Evidence[];
}

export interface CapabilityEntry {
  server: string;
  tool: string;
  access: Access;
}

export interface Classification {
  servers: Map<string, { tools: ClassifiedTool[]; capabilities: Set<Capability>; access: ServerAccess }>;
  byCapability: Map<Capability, CapabilityEntry[]>;
}

export const CapabilityEntrySchema = z.object({ server: z.string(), tool: z.string(), access: AccessSchema });

/** A {@link Classification} as JSON: the maps as arrays, in the same order. */
export const ClassificationJsonSchema = z.object({
  servers: z.array(
    z.object({
      server: z.string(),
      access: ServerAccessSchema,
      capabilities: z.array(CapabilitySchema),
      tools: z.array(
        z.object({
          tool: z.string(),
          access: AccessSchema,
          capability: CapabilitySchema,
          evidence: z.array(EvidenceSchema),
        }),
      ),
    }),
  ),
  byCapability: z.array(z.object({ capability: CapabilitySchema, tools: z.array(CapabilityEntrySchema) })),
});
export type ClassificationJson = z.infer<typeof ClassificationJsonSchema>;

// ── route and gate ──────────────────────────────────────────────────────────────────────────────────────────────────

export const RouteSchema = z.discriminatedUnion("via", [
  z.object({ via: z.literal("named"), skill: z.string() }),
  z.object({ via: z.literal("mcp"), server: z.string(), tool: z.string(), access: AccessSchema }),
  z.object({ via: z.literal("native") }),
]);
export type Route = z.infer<typeof RouteSchema>;

export const ModeSchema = z.enum(["interactive", "autonomous-guardrailed", "fully-agentic"]);
export type Mode = z.infer<typeof ModeSchema>;

/** The host's own permission rules: `mcp__server`, `mcp__server__tool`, `mcp__server__*`. Deny beats ask beats allow. */
export const PermissionsSchema = z.object({
  allow: z.optional(z.array(z.string())),
  ask: z.optional(z.array(z.string())),
  deny: z.optional(z.array(z.string())),
});
export type Permissions = z.infer<typeof PermissionsSchema>;

export const DecisionSchema = z.enum(["allow", "confirm", "deny"]);
export type Decision = z.infer<typeof DecisionSchema>;

export const GateResultSchema = z.object({
  decision: DecisionSchema,
  /** One sentence for a person. */
  reason: z.string(),
  evidence: z.array(z.string()),
});
export type GateResult = z.infer<typeof GateResultSchema>;

/** One choice, as it is logged. Arguments appear by shape only, never by value. */
export const LogRecordSchema = z.object({
  /** ISO 8601, UTC. */
  time: z.string(),
  capability: z.nullable(z.string()),
  via: z.enum(["named", "mcp", "native"]),
  server: z.nullable(z.string()),
  tool: z.nullable(z.string()),
  access: z.nullable(AccessSchema),
  decision: DecisionSchema,
  reason: z.string(),
  argumentsShape: z.optional(z.unknown()),
});
export type LogRecord = z.infer<typeof LogRecordSchema>;

// ── detection, payload, handoff ─────────────────────────────────────────────────────────────────────────────────────

export const DETECTION_SOURCES = ["prompt", "copilot-instructions", "harness"] as const;
export const DetectionSourceSchema = z.enum(DETECTION_SOURCES);
export type DetectionSource = z.infer<typeof DetectionSourceSchema>;

/** A tool that at least one source names. */
export const DetectedSchema = z.object({
  name: z.string(),
  /** In the order prompt, copilot-instructions, harness. */
  sources: z.array(DetectionSourceSchema),
});
export type Detected = z.infer<typeof DetectedSchema>;

export const DetectionSchema = z.object({ mcps: z.array(DetectedSchema), clis: z.array(DetectedSchema) });
export type Detection = z.infer<typeof DetectionSchema>;

export const DetectedEntrySchema = z.strictObject({
  name: z.string(),
  /** The sources joined with ` | `. */
  source: z.string(),
  /** True only after a successful call. */
  used: z.boolean(),
  /** Why it was not used, or what it was used for. */
  notes: z.string(),
});
export type DetectedEntry = z.infer<typeof DetectedEntrySchema>;

export const DiscoveryPayloadSchema = z.strictObject({
  mcps_detected: z.array(DetectedEntrySchema),
  clis_detected: z.array(DetectedEntrySchema),
  /** Names of the detected tools that serve a research intent, with what for. */
  research_tools: z.array(z.strictObject({ name: z.string(), intents: z.array(z.string()) })),
  /** True exactly when no expected tool could be invoked and the run went on. */
  graceful_degradation: z.boolean(),
  /** `expected: <name>; available: false (<reason>)`, one an expected tool that is not there. */
  skipped: z.array(z.string()),
});
export type DiscoveryPayload = z.infer<typeof DiscoveryPayloadSchema>;

export const QuerySchema = z.strictObject({
  intent: z.string(),
  /** `server/tool`, or null where none was called. */
  tool: z.nullable(z.string()),
  available: z.boolean(),
  /** What the tool answered, whole; null where none was called. */
  raw_result: z.json(),
});
export type Query = z.infer<typeof QuerySchema>;

/** The body of the results fence: the payload's five fields at its top level and the query beside them. */
export const ResultsSchema = z.extend(DiscoveryPayloadSchema, { query: QuerySchema });
export type Results = z.infer<typeof ResultsSchema>;

export const HandoffSchema = z.strictObject({
  status: z.enum(["ok", "blocked", "error", "degraded"]),
  task: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)),
  /** One line: available, used, skipped. */
  notes: z.string(),
  iteration_count: z.int().check(z.minimum(1)),
});
export type Handoff = z.infer<typeof HandoffSchema>;

// ── loading, selection, activation ──────────────────────────────────────────────────────────────────────────────────

/** What the loader chose and what it left. */
export const LoadedSchema = z.object({
  /** In order of preference: pinned first, then the profile's where there is one, then the best of the rest. */
  tools: z.array(ToolSchema),
  /** Why each of `tools` was chosen, in the same order; `matched` are the request's words that it has. */
  chosen: z.array(
    z.object({
      name: z.string(),
      by: z.enum(["pin", "always-hot", "domain", "search"]),
      matched: z.array(z.string()),
    }),
  ),
  /** Qualified names of what stays deferred, in inventory order. */
  deferred: z.array(z.string()),
  /** Pins and names of a profile that took no place of their own, in the order given; a bundle's rest is not told. */
  unplaced: z.array(
    z.object({
      name: z.string(),
      asked: z.enum(["pin", "profile"]),
      /** `ambiguous`: several tools have that name; `repeated`: an earlier pin named the same tool. */
      reason: z.enum(["not-installed", "ambiguous", "repeated", "over-cap"]),
    }),
  ),
  /** The profile's domain of the intent, where there is a profile. */
  domain: z.optional(z.string()),
});
export type Loaded = z.infer<typeof LoadedSchema>;

/** One entry of the composer's menu: no address, credential, schema or description is part of it. */
export const CatalogueEntrySchema = z.strictObject({
  kind: z.literal("mcp"),
  /** `/mcp:<URI-encoded-server-id>[:<URI-encoded-tool-name>]` */
  command: z.string(),
  mcpServerId: z.string(),
  /** The full host tool name, for tool entries. */
  mcpToolName: z.optional(z.string()),
  title: z.string(),
});
export type CatalogueEntry = z.infer<typeof CatalogueEntrySchema>;

/**
 * What stood behind an entry when a person took it from the menu: the host keeps it until the message is sent. `pins` has one
 * digest of its definition for each tool, by full host tool name.
 */
export const MenuPickSchema = z.object({ command: z.string(), pins: z.record(z.string(), z.string()) });
export type MenuPick = z.infer<typeof MenuPickSchema>;

export const REJECTION_CODES = [
  "unknown-server",
  "unknown-tool",
  "not-ready",
  "not-allowed-in-mode",
  "changed",
  "empty-task",
  "malformed",
  "native-session",
] as const;

export const SubmissionSchema = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    /** The text as typed. */
    command: z.string(),
    /** A short one for the model; empty where nothing was selected. */
    instruction: z.string(),
    mcpServerIds: z.array(z.string()),
    mcpToolNames: z.optional(z.array(z.string())),
  }),
  z.object({ ok: z.literal(false), code: z.enum(REJECTION_CODES), message: z.string() }),
]);
export type Submission = z.infer<typeof SubmissionSchema>;
