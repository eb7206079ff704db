/** One call, one decision: per tool, never per server. */
import type { Access, Decision, GateResult } from "../../runtime/core/contracts.ts";
import { isUnambiguousServer, qualifiedName, splitQualifiedName } from "../../runtime/core/tool.ts";
import { judgeAccess } from "./access.ts";
import type { AccessTables } from "./access-words.ts";
import { type ApprovableCall, type Approvals, definitionPin } from "./approvals.ts";
import { type IrreversibleTables, irreversibleCall } from "./irreversible.ts";
import { matchRule, type RuleList, rulesOf } from "./permission-rules.ts";
import { judgeStatements } from "./statement-text.ts";
import { splitWords } from "./words.ts";

/** What the gate is asked. Everything but the tool may be missing. */
export interface GateRequest {
  /** A qualified name, a listed tool, a `Tool`, or an entry `{ server, tool, access }` of a classification. */
  tool: unknown;
  args?: unknown;
  /** Default `autonomous-guardrailed`, also for a mode that is none. */
  mode?: unknown;
  /** The host's rules. Nothing that a prompt, an instruction file or a tool's output says belongs here. */
  permissions?: unknown;
  /** Whether a person can be asked now; without a way to ask, a confirmation is a denial. Default true. */
  canAsk?: boolean | undefined;
  /** What the session has seen so far: private data and untrusted content together make every way out a question. */
  session?: { privateData?: boolean | undefined; untrustedContent?: boolean | undefined } | undefined;
  /** What a person has said yes to; a yes to exactly this call is used up by it. The host's own, never out of a message. */
  approvals?: Approvals | undefined;
  /** Whether the server's own hints and description may lower a verdict (default true). */
  believed?: boolean | undefined;
}

export interface GateTables {
  access: AccessTables;
  irreversible: IrreversibleTables;
}

/** Who is called, for the log. */
export interface Subject {
  server: string;
  tool: string;
  access: Access;
  evidence: string[];
  openWorld: boolean;
}

/** Decides; never throws. What it cannot look through counts as irreversible. */
export function decide(request: GateRequest, tables: GateTables): GateResult & { subject: Subject | null } {
  const subject = subjectOf(request, tables.access);
  if (subject === null) return { decision: "deny", reason: "this is no MCP tool", evidence: [], subject };
  const judged = judge(request, subject, tables);
  const evidence = [...subject.evidence, ...judged.evidence];
  if (judged.decision !== "confirm") return { ...judged, evidence, subject };
  if (isApproved(request, subject)) {
    return { decision: "allow", reason: "a person approved exactly this call", evidence, subject };
  }
  // With nobody to ask, the answer is no.
  return request.canAsk === false
    ? { decision: "deny", reason: `${judged.reason}; nobody can be asked`, evidence, subject }
    : { ...judged, evidence, subject };
}

/** The call as approvals know it: the tool's definition is part of it, so that a changed tool is another call. */
export function approvableCall(tool: unknown, { server, tool: name }: Subject, args: unknown): ApprovableCall {
  const pin = typeof tool === "object" && tool !== null ? definitionPin(tool) : undefined;
  return { server, tool: name, args: args ?? {}, pin };
}

function isApproved({ approvals, tool, args }: GateRequest, subject: Subject): boolean {
  try {
    return approvals?.use(approvableCall(tool, subject, args)) === true;
  } catch {
    return false;
  }
}

function judge(request: GateRequest, subject: Subject, tables: GateTables): GateResult {
  const { server, tool } = subject;
  const give = (decision: Decision, reason: string, ...evidence: string[]) => ({ decision, reason, evidence });
  const rule = (list: RuleList) => firstRule(list, request.permissions, server, tool);
  const denied = rule("deny");
  if (denied !== null) return give("deny", `a deny rule of the host ${denied.how} this tool`, `rule:${denied.text}`);
  const lost = safely(() =>
    irreversibleCall({ server, tool, args: request.args, reads: subject.access === "read" }, tables.irreversible),
  );
  if (lost !== null) return give("confirm", `it cannot be taken back (${lost})`, `irreversible:${lost}`);
  const asked = rule("ask");
  if (asked !== null) return give("confirm", `an ask rule of the host ${asked.how} this tool`, `rule:${asked.text}`);
  const writes = subject.access === "write" || statementWrites(request.args, tables.irreversible);
  if (!writes && leaks(request, subject)) {
    return give("confirm", "the session holds private data and untrusted content, and this call goes out", "session");
  }
  if (!writes) return give("allow", "it only reads");
  const allowed = isUnambiguousServer(server) ? rule("allow") : null;
  if (allowed !== null) return give("allow", "an allow rule of the host covers this write", `rule:${allowed.text}`);
  if (request.mode === "fully-agentic") return give("allow", "a reversible write in fully-agentic mode");
  return give("confirm", subject.access === "write" ? "it writes" : "its statement writes");
}

function firstRule(list: RuleList, permissions: unknown, server: string, tool: string) {
  for (const rule of rulesOf(permissions, list)) {
    const verdict = matchRule(list, rule, server, tool);
    if (verdict === "match") return { text: String(rule), how: "covers" };
    if (verdict === "unreadable" && list !== "allow")
      return { text: String(rule).slice(0, 80), how: "cannot be read, and may cover" };
  }
  return null;
}

function safely(judge: () => string | null): string | null {
  try {
    return judge();
  } catch {
    return "arguments that cannot be looked through";
  }
}

/** A longer statement is not looked through, and so not shown to read. In characters. */
const MAX_STATEMENT = 32_768;

/** A reading tool that was handed a statement which changes something. */
function statementWrites(args: unknown, tables: IrreversibleTables): boolean {
  if (typeof args !== "object" || args === null) return false;
  return Object.entries(args).some(
    ([key, value]) =>
      typeof value === "string" &&
      tables.arguments.get("statement")?.has(splitWords(key).join("")) === true &&
      (value.length > MAX_STATEMENT || judgeStatements(value, /sql|statement/i.test(key)) !== "read"),
  );
}

function leaks({ session }: GateRequest, { openWorld }: Subject): boolean {
  return openWorld && session?.privateData === true && session.untrustedContent === true;
}

/** The tool of a known server, also where its name is given qualified. */
function within(server: string, name: string): { server: string; tool: string } {
  const prefix = qualifiedName(server, "");
  return { server, tool: name.startsWith(prefix) && name !== prefix ? name.slice(prefix.length) : name };
}

function subjectOf(request: GateRequest, tables: AccessTables): Subject | null {
  try {
    const item = typeof request.tool === "string" ? { name: request.tool } : request.tool;
    if (typeof item !== "object" || item === null) return null;
    const { server, name, tool, access, title, description, annotations, inputSchema } = item as Record<
      string,
      unknown
    >;
    const own = typeof tool === "string" ? tool : name;
    if (typeof own !== "string" || own === "") return null;
    const parsed = typeof server === "string" && server !== "" ? within(server, own) : splitQualifiedName(own);
    if (parsed === null) return null;
    const definition = { server: parsed.server, name: parsed.tool, title, description, annotations, inputSchema };
    const verdict = judgeAccess(definition, tables, request.believed !== false);
    // A classification's verdict rests on the whole definition, of which a bare entry carries the name only.
    const told = access === "write" || (access === "read" && verdict.evidence[0] === "default");
    return {
      ...parsed,
      access: told ? (access as Access) : verdict.access,
      evidence: told && verdict.evidence[0] === "default" ? ["classification"] : verdict.evidence,
      openWorld: (annotations as { openWorldHint?: unknown } | undefined)?.openWorldHint === true,
    };
  } catch {
    return null;
  }
}
