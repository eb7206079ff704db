/** What a run reports of its tools: an outcome for each server, and the handoff's one line. */
import { canonicalName } from "../skills/mcp-cli-discovery/detect.ts";
import type { Outcome } from "../skills/mcp-cli-discovery/payload.ts";
import type { DiscoveryPayload, Failure, Handoff, Inventory, Results } from "./core/contracts.ts";

/** One call that was made: its result as plain JSON, or why there is none. */
export type ToolCall = { server: string; tool: string } & (
  | { ok: true; result: Results["query"]["raw_result"] }
  | { ok: false; failure: Failure }
);

/** One outcome a server; disabled ones were not expected and are left out. */
export function outcomesOf(inventory: Inventory, called: ToolCall | null): Outcome[] {
  return inventory.servers
    .filter(({ state }) => state !== "disabled")
    .map(({ name, state, failure, tools }) => {
      const canonical = canonicalName(name);
      if (state === "failed") return { name: canonical, available: false, notes: failure?.kind ?? "failed" };
      const count = `${tools.length} tool${tools.length === 1 ? "" : "s"} available`;
      if (called?.server !== name) return { name: canonical, available: true, notes: `${count}; none called` };
      if (!called.ok)
        return { name: canonical, available: true, notes: `${called.tool} failed: ${called.failure.kind}` };
      return { name: canonical, available: true, used: true, notes: `called ${called.tool}` };
    });
}

/** `degraded` where an expected tool is not there or none could be invoked, else `ok`. */
export function handoffOf(payload: DiscoveryPayload, iteration_count = 1): Handoff {
  const entries = [...payload.mcps_detected, ...payload.clis_detected];
  const missing = payload.skipped.map((line) => /^expected: (.*?); available: false/.exec(line)?.[1] ?? line);
  const available = entries.map(({ name }) => name).filter((name) => !missing.includes(name));
  const used = entries.filter((entry) => entry.used).map(({ name }) => name);
  const list = (names: string[]) => (names.length === 0 ? "none" : names.join(", "));
  return {
    status: payload.graceful_degradation || missing.length > 0 ? "degraded" : "ok",
    task: "mcp-query",
    notes: `available: ${list(available)}; used: ${list(used)}; skipped: ${list(missing)}`,
    iteration_count,
  };
}
