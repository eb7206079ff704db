/** Rejections: a code for a program, and a sentence that says what is the matter and what the person can do. */
import type { CatalogueEntry, MenuPick, Submission, Tool } from "../../runtime/core/contracts.ts";
import { printable } from "../../runtime/core/errors.ts";
import { absence } from "./catalog.ts";
import { formatInvocation, type Invocation } from "./invocation.ts";
import { isSamePin, pinOf } from "./pin.ts";
import type { SkipReason, UnreadyKind } from "./usable-tools.ts";

export type Rejection = Extract<Submission, { ok: false }>;

export function reject(code: Rejection["code"], message: string): Rejection {
  return { ok: false, code, message };
}

/** A name from outside as it stands in a sentence. */
export function quoted(name: string): string {
  return JSON.stringify(printable(name, 80));
}

const UNREADY: Readonly<Record<UnreadyKind, string>> = {
  config: "is configured wrongly; mend its entry",
  "needs-env": "needs an environment variable that is not set; set it and reconnect",
  "needs-input": "needs an input that is not given; give it and reconnect",
  "needs-approval": "waits for your approval; approve it",
  "not-found": "does not start, since its command is not found; install it or mend its entry",
  crashed: "has crashed; restart it",
  timeout: "did not answer in time; reconnect it",
  auth: "wants a login; log in and reconnect",
  "rate-limit": "takes no more requests for now; wait and reconnect",
  permission: "refuses access; check what your account may do",
  network: "cannot be reached; check the connection",
  protocol: "does not speak MCP as it should; update it",
  refused: "refuses the connection; check that it runs",
  disabled: "is switched off; switch it on",
  "no-tools": "has no tools that can be chosen; check what it offers",
  unknown: "is not ready; reconnect it",
};

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  unlistable: "its name holds what no selection can carry; rename it",
  confusable: "another one looks the same; rename one of them",
  duplicate: "two different ones have its name; rename one of them",
  ambiguous: "a tool of another server has the same full name; rename one of the servers",
};

/** A selection for which there is no entry. `picks` are those of it: there was one when the person chose it. */
export function missing(
  { serverId, toolName }: Invocation,
  catalogue: readonly CatalogueEntry[],
  picks: readonly MenuPick[],
): Rejection {
  const server = `MCP server ${quoted(serverId)}`;
  const { unready, shadowedBy, skipped, others } = absence(catalogue, serverId, toolName);
  if (unready !== undefined) {
    return reject(
      "not-ready",
      `The ${server} ${UNREADY[unready] ?? UNREADY.unknown}, then send the message again, or remove the selection`,
    );
  }
  const isServerThere = catalogue.some(({ mcpServerId }) => mcpServerId === serverId);
  const code = toolName !== undefined && isServerThere ? "unknown-tool" : "unknown-server";
  const what = toolName === undefined ? `The ${server}` : `The tool ${quoted(toolName)} of the ${server}`;
  if (shadowedBy !== undefined) {
    const alias = printable(formatInvocation(serverId, toolName), 80);
    const owner = `${alias} is the alias of another ${printable(shadowedBy, 40)}`;
    return reject(
      code,
      `${what} cannot be chosen, since ${owner}; rename that one, or let the agent find the tools itself`,
    );
  }
  if (skipped !== undefined) {
    return reject(code, `${what} cannot be chosen, since ${SKIPPED[skipped]}`);
  }
  if (code === "unknown-tool") {
    const name = quoted(toolName ?? "");
    if (picks.length > 0)
      return changed(quoted(serverId), `its tool ${name} is gone${alike(picks, [...others.values()])}`);
    return reject(code, `The ${server} has no tool ${name}; choose another from the menu`);
  }
  return reject(code, `There is no ${server} here; choose one from the menu, or remove the selection`);
}

/** Names the tool that a renamed one may have become: the only one that is defined as the picked one was. */
function alike(picks: readonly MenuPick[], tools: readonly Tool[]): string {
  const pins = new Set(picks.flatMap((pick) => Object.values(pick.pins)));
  const same = tools.filter((tool) => [...pins].some((pin) => isSamePin(pin, pinOf(tool))));
  return same.length === 1 && same[0] !== undefined ? `, and ${quoted(same[0].name)} is defined just as it was` : "";
}

export function changed(title: string, changes: string): Rejection {
  return reject("changed", `${title} has changed since it was chosen: ${changes}. Look at it and choose it again`);
}

export function notAllowed(entry: CatalogueEntry, mode: string | undefined): Rejection {
  const where = mode === undefined ? "in this mode" : `in the mode ${quoted(mode)}`;
  const what =
    entry.mcpToolName === undefined ? `No tool of ${entry.title} may be used` : `${entry.title} may not be used`;
  return reject("not-allowed-in-mode", `${what} ${where}; switch the mode or remove the selection`);
}
