/** The gate's word on one call of one session, logged where it is a no, and how a person could make it a yes. */
import { definitionPin } from "../../skills/using-mcp/approvals.ts";
import { gate, logRecord } from "../../skills/using-mcp/judgements.ts";
import type { GateResult, Tool } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { qualifiedName } from "../core/tool.ts";
import { canAsk } from "./ask.ts";
import type { Book } from "./book.ts";
import type { SessionState } from "./session-state.ts";

export interface GatedCall {
  server: string;
  tool: string;
  args: Record<string, unknown>;
  /** Whether the client saw the tool's output schema, and will hold the result against it. */
  promised: boolean;
}

export interface Verdict {
  /** `allow`, or `confirm` where a person can be asked; what else the gate said is refused. */
  decision: GateResult;
  /** Why the call does not run; null where it may, or may be asked about. */
  refused: string | null;
}

/** The gate's word, and where it is a no already, the reason. */
export function decide(session: SessionState, book: Book, tool: Tool, call: GatedCall): Verdict {
  const { mode, permissions } = session;
  const decision = gate({ tool, args: call.args, mode, permissions });
  const refuse = (why: string) => {
    logDecision(session, book, call, { ...decision, decision: "deny", reason: why });
    return { decision, refused: why };
  };
  if (decision.decision === "deny") return refuse(decision.reason);
  if (decision.decision === "allow" || canAsk(session.capabilities())) return { decision, refused: null };
  return refuse(
    `${decision.reason}, and this client has no way to ask a person (no elicitation). ${wayOut(decision, tool)}`,
  );
}

/** How a person can allow what could not be asked. */
function wayOut({ evidence }: GateResult, { server, name }: Tool): string {
  if (evidence.some((word) => word.startsWith("irreversible:"))) {
    return "No rule and no mode lets it run unasked: use a client that supports elicitation";
  }
  const rule = evidence.find((word) => word.startsWith("rule:"));
  if (rule !== undefined)
    return `Remove the ask rule ${printable(rule.slice("rule:".length), 200)}, or use a client that supports elicitation`;
  const allow = printable(qualifiedName(server, name), 300);
  return `A person can allow it: the permission rule "${allow}" under permissions.allow in .claude/settings.json, or serve --mode fully-agentic`;
}

/** One record, by the shape of the arguments. Throws what the log throws: what cannot be logged does not run. */
export function logDecision({ clock, decided }: SessionState, book: Book, call: GatedCall, decision: GateResult): void {
  const { server, tool, args } = call;
  const judged = book
    .classified()
    .servers.get(server)
    ?.tools.find((one) => one.tool === tool);
  const { decision: word, reason } = decision;
  const choice = { via: "mcp", server, tool, args, decision: word, reason } as const;
  decided(logRecord({ ...choice, capability: judged?.capability, access: judged?.access }, clock.now()));
}

const pins = new WeakMap<Tool, string>();

/** Whether two definitions are the same in everything that a person approves. */
export function sameDefinition(left: Tool, right: Tool): boolean {
  return left === right || pinOf(left) === pinOf(right);
}

function pinOf(tool: Tool): string {
  const pin = pins.get(tool) ?? definitionPin(tool);
  pins.set(tool, pin);
  return pin;
}
