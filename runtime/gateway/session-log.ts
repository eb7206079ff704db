/** What one session has called: a summary for each server, and the last call whole. */
import { detectTools, discoveryHandoff, discoveryPayload } from "../../skills/mcp-cli-discovery/discovery.ts";
import type { Inventory } from "../core/contracts.ts";
import { carryResult } from "../core/raw-result.ts";
import { emitResults } from "../core/results-emit.ts";
import { toolNames } from "../inventory/harness.ts";
import { outcomesOf, type ToolCall } from "../report.ts";

export interface SessionLog {
  /** What was wanted last. */
  intent(text: string): void;
  record(call: ToolCall): void;
  /** The results fence and the handoff of the session so far. */
  report(inventory: Inventory): string;
}

/** The longest intent that a report carries, in characters. */
const MAX_INTENT = 2000;

/** `onRecord` is told of every call that is added. */
export function createSessionLog(onRecord: () => void = () => {}): SessionLog {
  /** By server: its first successful call, else its last failed one. */
  const calls = new Map<string, ToolCall>();
  let last: ToolCall | null = null;
  let intent = "";
  return {
    intent(text) {
      intent = text.slice(0, MAX_INTENT);
    },
    record(call) {
      last = call.result === undefined ? call : { ...call, result: carryResult(call.result) };
      onRecord();
      const known = calls.get(call.server);
      if (known?.ok === true) return;
      // What is kept for the summary is no more than the names: results can be large.
      calls.set(
        call.server,
        call.ok ? { server: call.server, tool: call.tool, ok: true, result: null } : { ...call, result: null },
      );
    },
    report(inventory) {
      const detection = detectTools({ prompt: "", copilotInstructions: "", harnessTools: toolNames(inventory) });
      const payload = discoveryPayload({ detection, outcomes: outcomesOf(inventory, [...calls.values()]) });
      const query = {
        intent,
        tool: last === null ? null : `${last.server}/${last.tool}`,
        available: last?.ok === true,
        raw_result: last?.result ?? null,
      };
      return emitResults({ ...payload, query }, discoveryHandoff({ payload }));
    },
  };
}
