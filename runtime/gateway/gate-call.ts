/**
 * One call through the gate. What may run unasked is decided here, in code, over the tool as its server defines it now: a
 * read runs and is logged, a write asks the person behind the client, and what was approved is run exactly as it was shown.
 */
import { type CallToolResult, ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { askPerson, callToApprove, createApprovals, gate } from "../../skills/using-mcp/judgements.ts";
import type { GateResult, Tool } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import { assertPlainJson } from "../core/json-text.ts";
import { qualifiedName } from "../core/tool.ts";
import { isLostSession } from "../inventory/connect.ts";
import { ServerFailure } from "../inventory/open.ts";
import { askClient, questionText } from "./ask.ts";
import type { Book } from "./book.ts";
import type { Lease } from "./downstream-slot.ts";
import type { RequestExtra } from "./feature.ts";
import { decide, type GatedCall, logDecision, sameDefinition, type Verdict } from "./gate-decision.ts";
import { refusal, refusalOf } from "./refusal.ts";
import { cappedResult } from "./result-cap.ts";
import type { SessionState } from "./session-state.ts";
import { accessOf } from "./tool-summary.ts";

type Approvals = ReturnType<typeof createApprovals>;

/**
 * Decides, asks where it must, calls where it may. What did not run says why, in a result; the one thing it throws is a server's
 * demand that the person opens an address first, for a client that can.
 */
export async function gatedCall(session: SessionState, call: GatedCall, extra: RequestExtra): Promise<CallToolResult> {
  const { server, tool } = call;
  const name = printable(qualifiedName(server, tool), 300);
  try {
    assertPlainJson(call.args, "The arguments");
    const { book } = await session.tools.now();
    const known = book.find(server, tool);
    if (known === undefined && !mayBeThere(book, call)) return refusal(`${name}: ${whyMissing(book, call)}`);
    // Decided before anything starts: what may not run need not be there.
    const early = known === undefined ? null : { tool: known, ...decide(session, book, known, call) };
    if (early !== null && early.refused !== null) return refusal(`${name}: ${early.refused}`);
    const attempt = async () => {
      const lease = await session.pool.lease(server, session.user, extra);
      try {
        return await callLeased(session, book, lease, call, early, extra);
      } finally {
        lease.release();
      }
    };
    return await attempt().catch((error: unknown) => {
      // A server over HTTP that forgot the session has not looked at the call. Writes are still never made twice.
      const again = isLostSession(error) && known !== undefined && accessOf(book, known) === "read";
      return again ? attempt() : Promise.reject(error);
    });
  } catch (error) {
    if (asksForAddress(session, error)) throw error.cause;
    if (error instanceof ServerFailure) session.log.record({ server, tool, ok: false, failure: error.failure });
    return refusalOf(error, name);
  }
}

/** A server wants the person to open an address first (MCP specification 2025-11-25, "URL Elicitation Required Error"). */
function asksForAddress(session: SessionState, error: unknown): error is Error & { cause: McpError } {
  const { cause } = (error ?? {}) as { cause?: unknown };
  const able = session.capabilities().elicitation?.url !== undefined;
  return able && cause instanceof McpError && cause.code === ErrorCode.UrlElicitationRequired;
}

async function callLeased(
  session: SessionState,
  book: Book,
  lease: Lease,
  call: GatedCall,
  early: (Verdict & { tool: Tool }) | null,
  extra: RequestExtra,
): Promise<CallToolResult> {
  const { server, tool, args } = call;
  const name = printable(qualifiedName(server, tool), 300);
  const current = async () => (await lease.tools()).find((one) => one.name === tool);
  const refuse = (decision: GateResult, why: string) => {
    logDecision(session, book, call, { ...decision, decision: "deny", reason: why });
    return refusal(`${name}: ${why}`);
  };

  const definition = await current();
  if (definition === undefined) return refusal(`${name}: the server has no such tool; find_tools finds what there is`);
  const changed = (await session.tools.now()).loaded.changed({ server, name: tool });
  if (changed !== null) {
    return refusal(
      `${name}: its ${changed} changed since it was loaded. Look at it again with find_tools, then load it`,
    );
  }
  // The list that was known may be of another day.
  const isKnown = early !== null && sameDefinition(early.tool, definition);
  const { decision, refused } = isKnown ? early : decide(session, book, definition, call);
  if (refused !== null) return refusal(`${name}: ${refused}`);

  let final = decision;
  if (decision.decision === "confirm") {
    const approvals = createApprovals({ now: session.clock.now });
    const answer = await ask(session, definition, call, decision.reason, approvals, extra);
    if (answer !== null) return refuse(decision, answer);
    // The tool may be another by now: the yes counts for the one that was shown.
    const now = await current();
    if (now === undefined || !sameDefinition(now, definition)) {
      return refuse(decision, "its definition changed while the person was asked, so it did not run. Look at it again");
    }
    final = gate({ tool: now, args, mode: session.mode, permissions: session.permissions, approvals });
    if (final.decision !== "allow") return refuse(final, final.reason);
  }
  logDecision(session, book, call, final);

  const token = extra._meta?.progressToken;
  const raw = await lease.call(tool, args, {
    signal: extra.signal,
    ...(token !== undefined && {
      onProgress: (progress) =>
        void extra
          .sendNotification({ method: "notifications/progress", params: { ...progress, progressToken: token } })
          .catch(() => {}),
    }),
  });
  const result = cappedResult(raw, session.limits, call.promised && definition.outputSchema !== undefined);
  record(session, call, result);
  session.links.keep(server, result);
  (await session.tools.now()).loaded.touch(definition);
  return result;
}

/** Null for a yes; else why it is none. */
async function ask(
  { limits }: SessionState,
  tool: Tool,
  { server, tool: name, args }: GatedCall,
  reason: string,
  approvals: Approvals,
  extra: RequestExtra,
): Promise<string | null> {
  const text = questionText({ server, tool: name, args, reason });
  const call = callToApprove({ tool, args });
  if (call === null) return "it cannot be named exactly, so nobody is asked";
  let failed = false;
  const yes = await askPerson(approvals, call, async () => {
    try {
      return await askClient(text, extra, limits.askMs);
    } catch {
      failed = true;
      return false;
    }
  });
  if (yes) return null;
  return failed ? "no person answered, so it did not run" : "the person did not accept, so it did not run";
}

function record({ log }: SessionState, { server, tool }: GatedCall, result: CallToolResult): void {
  const whole = result as never;
  if (result.isError !== true) {
    log.record({ server, tool, ok: true, result: whole });
    return;
  }
  const failure = { kind: "refused", message: "the tool answered with an error" } as const;
  log.record({ server, tool, ok: false, failure, result: whole });
}

/** Whether a server may have a tool that its list did not hold: some offer more to a client that they can ask. */
function mayBeThere(book: Book, { server, tool }: GatedCall): boolean {
  const ready = book.all.servers.find(({ name }) => name === server)?.state === "ready";
  return ready && !book.denied(qualifiedName(server, tool)) && !hasTool(book, server, tool);
}

/** Whether it is listed at all, also where its name is not unique. */
function hasTool({ all }: Book, server: string, tool: string): boolean {
  return all.servers.some(({ name, tools }) => name === server && tools.some((one) => one.name === tool));
}

function whyMissing(book: Book, { server, tool }: GatedCall): string {
  if (book.denied(qualifiedName(server, tool))) return "a deny rule of the host covers this tool";
  const known = book.inventory.servers.find(({ name }) => name === server);
  if (known === undefined) return "there is no server of that name; capability_map lists them";
  if (known.state === "failed") return `the server is not ready (${known.failure?.kind ?? "failed"})`;
  if (known.state === "disabled") return "the server is switched off";
  return "the server has no such tool, or its name is not unique; find_tools finds what there is";
}
