/** One call, one decision: per tool, never per server. */
import type { Access, Decision, GateResult, Mode, Permissions } from "../../runtime/core/contracts.ts";
import { splitQualifiedName } from "../../runtime/core/tool.ts";
import { judgeAccess } from "./access.ts";
import type { AccessTables } from "./access-words.ts";
import { irreversibleText } from "./irreversible.ts";

/** What the gate is asked. Everything but the tool may be missing. */
export interface GateRequest {
  /** A qualified name, a listed tool, a `Tool`, or an entry `{ server, tool, access }` of a classification. */
  tool: unknown;
  args?: unknown;
  mode?: Mode | undefined;
  permissions?: Permissions | undefined;
  /** Whether a person can be asked now; without a way to ask, a confirmation is a denial. Default true. */
  canAsk?: boolean | undefined;
}

export function decide(request: GateRequest, tables: AccessTables): GateResult {
  const subject = subjectOf(request.tool, tables);
  if (subject === null) return { decision: "deny", reason: "this is no MCP tool", evidence: [] };
  const rule = (list: string[] | undefined) => list?.find((text) => matches(text, subject));
  const denied = rule(request.permissions?.deny);
  if (denied !== undefined)
    return answer("deny", "a deny rule of the host covers this tool", subject, `rule:${denied}`);
  const lost = irreversibleText(JSON.stringify(request.args ?? null));
  const ask: Decision = request.canAsk === false ? "deny" : "confirm";
  if (lost !== null) return answer(ask, `it cannot be taken back (${lost})`, subject, `irreversible:${lost}`);
  const asked = rule(request.permissions?.ask);
  if (asked !== undefined) return answer(ask, "an ask rule of the host covers this tool", subject, `rule:${asked}`);
  if (subject.access === "read") return answer("allow", "it only reads", subject);
  const allowed = rule(request.permissions?.allow);
  if (allowed !== undefined)
    return answer("allow", "an allow rule of the host covers this write", subject, `rule:${allowed}`);
  if (request.mode === "fully-agentic") return answer("allow", "a reversible write in fully-agentic mode", subject);
  return answer(ask, "it writes", subject);
}

interface Subject {
  server: string;
  tool: string;
  access: Access;
  evidence: string[];
}

function subjectOf(tool: unknown, tables: AccessTables): Subject | null {
  const item = typeof tool === "string" ? { name: tool } : tool;
  if (typeof item !== "object" || item === null) return null;
  const { server, name, tool: own, access, ...rest } = item as Record<string, unknown>;
  const plain = typeof own === "string" ? own : name;
  if (typeof plain !== "string") return null;
  const parsed = typeof server === "string" ? { server, tool: plain } : splitQualifiedName(plain);
  if (parsed === null) return null;
  const verdict = judgeAccess({ server: parsed.server, name: parsed.tool, ...rest }, tables);
  // A classification's verdict rests on the whole definition; a bare entry no longer carries it.
  const told = access === "write" || (access === "read" && verdict.evidence[0] === "default") ? access : verdict.access;
  return { ...parsed, access: told, evidence: verdict.evidence };
}

function matches(rule: string, { server, tool }: Subject): boolean {
  return rule === `mcp__${server}` || rule === `mcp__${server}__*` || rule === `mcp__${server}__${tool}`;
}

function answer(decision: Decision, reason: string, subject: Subject, ...more: string[]): GateResult {
  return { decision, reason, evidence: [...subject.evidence, ...more] };
}
