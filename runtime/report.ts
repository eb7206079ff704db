/** What a run reports of its tools: an outcome for each server. */
import type { Outcome } from "../skills/mcp-cli-discovery/discovery.ts";
import type { Failure, Inventory, Results } from "./core/contracts.ts";

/** One call that was made: its result as plain JSON, or why there is none. */
export type ToolCall = { server: string; tool: string } & (
  | { ok: true; result: Results["query"]["raw_result"] }
  | { ok: false; failure: Failure; result?: Results["query"]["raw_result"] }
);

/**
 * One outcome a server; disabled ones were not expected and are left out. A server whose tool was called and failed could not
 * be invoked. `calls` holds at most one call of each server.
 */
export function outcomesOf(inventory: Inventory, calls: readonly ToolCall[]): Outcome[] {
  return inventory.servers
    .filter(({ state }) => state !== "disabled")
    .map(({ name, state, failure, tools }) => {
      if (state === "failed") return { name, available: false, notes: failure?.kind ?? "failed" };
      const count = `${tools.length} tool${tools.length === 1 ? "" : "s"} available`;
      const called = calls.find(({ server }) => server === name);
      if (called === undefined) return { name, available: true, notes: `${count}; none called` };
      if (!called.ok) {
        return { name, available: false, notes: `${called.failure.kind}: ${called.tool}: ${called.failure.message}` };
      }
      return { name, available: true, used: true, notes: `called ${called.tool}` };
    });
}
