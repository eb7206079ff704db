/**
 * The skill's judgements as plain functions over its own tables. Commands that only judge import this module: the handlers
 * beside it bring the schema library, which costs more than all the rest of a start.
 */
import type { Classification, GateResult, LogRecord, Route } from "../../runtime/core/contracts.ts";
import { loadSkillTables } from "../../runtime/core/tables.ts";
import { type Suspicion, suspicionOf as suspicionIn } from "./access-text.ts";
import { compileAccess } from "./access-words.ts";
import { type ApprovableCall, askPerson, createApprovals } from "./approvals.ts";
import { type CapabilityTables, compileCapabilities } from "./capability.ts";
import { classifyTools, type TrustOptions } from "./classify.ts";
import { logRecord } from "./decision-log.ts";
import { approvableCall, decide, type GateRequest } from "./gate.ts";
import { compileIrreversible, type IrreversibleTables, irreversibleAction } from "./irreversible.ts";
import { isDenied, joinPermissions, permissionProblems } from "./permission-rules.ts";
import { chooseRoute, resolveCapability } from "./route.ts";

export { askPerson, createApprovals, isDenied, joinPermissions, logRecord, permissionProblems, resolveCapability };

const rows = await loadSkillTables(import.meta.url, async (markdown) => {
  const { readUsingMcpTables } = await import("./tables.ts");
  return readUsingMcpTables(markdown);
});

let capabilities: CapabilityTables | undefined;
let irreversible: IrreversibleTables | undefined;

/** The tables as the functions of this skill take them. */
export const tables = {
  access: compileAccess(rows.access),
  /** Built when tools are classified: a single call is judged without. */
  get capabilities() {
    capabilities ??= compileCapabilities(rows.capabilities);
    return capabilities;
  },
  /** Built when a call is judged: lists and routes do without. */
  get irreversible() {
    irreversible ??= compileIrreversible(rows.irreversible);
    return irreversible;
  },
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
