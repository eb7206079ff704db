/**
 * Submission: a message's selections are read from its text and checked against the catalogue of now. All of them hold, or
 * the message is rejected with a code and a sentence that a person can act on.
 */
import type { CatalogueEntry, Submission } from "../../runtime/core/contracts.ts";
import { PackError, printable } from "../../runtime/core/errors.ts";
import { absence, type Pick, toolsBehind } from "./catalog.ts";
import { formatInvocation, parseInvocation } from "./invocation.ts";
import { describeChanges } from "./pin.ts";
import { findTokens, textWithout } from "./prompt-tokens.ts";

/** A prompt or a steering message, as the composer has it. */
export interface Draft {
  text: string;
  /** Only whether there are any matters; they are never read. */
  attachments?: readonly unknown[] | undefined;
  /** What the person saw on taking entries from the menu; a selection that was typed by hand has none. */
  picks?: readonly Pick[] | undefined;
}

/** Full host tool names, `mcp__<server>` or `mcp__<server>__*`; or a function that says true for a full host tool name. */
export type Allowed = Iterable<string> | ((mcpToolName: string) => boolean);

export interface SubmitOptions {
  /** The mode's name, for the sentence of a rejection. */
  mode?: string | undefined;
  /** Whether the host marks the session native: it cannot use managed selections. */
  native?: boolean | undefined;
  /** The tools that the mode allows; all where absent. */
  allowed?: Allowed | undefined;
}

export type Rejection = Extract<Submission, { ok: false }>;

/** A submission together with what it makes available. */
export interface Resolved {
  submission: Extract<Submission, { ok: true }>;
  /** The entries that the message selects. */
  entries: CatalogueEntry[];
  /** Full host tool names, without repetition, in the order of the text. */
  toolNames: string[];
}

/** {@link resolveDraft}, without what it makes available. */
export function submitDraft(
  draft: Draft,
  catalogue: readonly CatalogueEntry[],
  options: SubmitOptions = {},
): Submission {
  const resolved = resolveDraft(draft, catalogue, options);
  return "ok" in resolved ? resolved : resolved.submission;
}

/** Reads and checks a message. One without selections passes as it is, whatever the catalogue holds. */
export function resolveDraft(
  { text, attachments = [], picks = [] }: Draft,
  catalogue: readonly CatalogueEntry[],
  options: SubmitOptions = {},
): Resolved | Rejection {
  if (typeof text !== "string")
    return reject("malformed", "The message has no text; send an empty one with attachments");
  const selections = findTokens(text).filter(({ cited }) => !cited);
  if (selections.length === 0) {
    return { submission: { ok: true, command: text, instruction: "", mcpServerIds: [] }, entries: [], toolNames: [] };
  }
  if (options.native === true) {
    return reject(
      "native-session",
      "This session runs natively and takes no MCP selections; remove them, or start a managed session",
    );
  }
  const entries = new Map(catalogue.map((entry) => [entry.command, entry]));
  const isAllowed = allowedTest(options.allowed);
  const chosen = new Map<CatalogueEntry, string[]>();
  for (const { token } of selections) {
    const entry = findEntry(token, entries, catalogue);
    if ("ok" in entry) return entry;
    const rejection = checkPicks(entry, picks);
    if (rejection !== null) return rejection;
    const names = toolNamesOf(entry, catalogue).filter((name) => isAllowed(name, entry.mcpServerId));
    if (names.length === 0) return notAllowed(entry, options.mode);
    chosen.set(entry, names);
  }
  if (textWithout(text, selections).trim() === "" && attachments.length === 0) {
    return reject("empty-task", "Nothing is asked yet; write what to do with the selection, or attach something");
  }
  return accept(text, chosen);
}

function findEntry(
  token: string,
  entries: ReadonlyMap<string, CatalogueEntry>,
  catalogue: readonly CatalogueEntry[],
): CatalogueEntry | Rejection {
  const entry = entries.get(token);
  try {
    const { serverId, toolName } = parseInvocation(token);
    return entry ?? missing(serverId, toolName, catalogue);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return reject("malformed", `${error.message}. ${error.fix}`);
  }
}

function missing(serverId: string, toolName: string | undefined, catalogue: readonly CatalogueEntry[]): Rejection {
  const server = quoted(serverId);
  const { unready, shadowedBy, skipped } = absence(catalogue, serverId, toolName);
  if (unready !== undefined) {
    return reject(
      "not-ready",
      `The MCP server ${server} ${unready}; connect it and send the message again, or remove the selection`,
    );
  }
  const known = catalogue.some(({ mcpServerId }) => mcpServerId === serverId);
  const code = toolName !== undefined && known ? "unknown-tool" : "unknown-server";
  const what =
    toolName === undefined ? `The MCP server ${server}` : `The tool ${quoted(toolName)} of the MCP server ${server}`;
  if (shadowedBy !== undefined) {
    const alias = printable(formatInvocation(serverId, toolName), 80);
    return reject(
      code,
      `${what} cannot be chosen, since ${alias} is the alias of a ${printable(shadowedBy, 40)} here; choose its tools one by one or rename the alias`,
    );
  }
  if (skipped !== undefined) {
    return reject(code, `${what} cannot be chosen, since its name is ${skipped}; rename it, or remove the other one`);
  }
  if (code === "unknown-tool") {
    return reject(code, `The MCP server ${server} has no tool ${quoted(toolName ?? "")}; choose another from the menu`);
  }
  return reject(code, `No MCP server here is called ${server}; choose one from the menu, or remove the selection`);
}

/** A pick holds only where everything that the person saw is still so; what cannot be compared has changed. */
function checkPicks(entry: CatalogueEntry, picks: readonly Pick[]): Rejection | null {
  for (const { command, pins } of picks) {
    if (command !== entry.command) continue;
    const changes = describeChanges(pins, toolsBehind(entry) ?? new Map());
    if (changes !== "") {
      return reject(
        "changed",
        `${entry.title} has changed since it was chosen: ${changes}. Look at it and choose it again`,
      );
    }
  }
  return null;
}

function notAllowed(entry: CatalogueEntry, mode: string | undefined): Rejection {
  const where = mode === undefined ? "in this mode" : `in the mode ${quoted(mode)}`;
  const what =
    entry.mcpToolName === undefined ? `No tool of ${entry.title} may be used` : `${entry.title} may not be used`;
  return reject("not-allowed-in-mode", `${what} ${where}; switch the mode or remove the selection`);
}

function toolNamesOf(entry: CatalogueEntry, catalogue: readonly CatalogueEntry[]): string[] {
  if (entry.mcpToolName !== undefined) return [entry.mcpToolName];
  const behind = toolsBehind(entry);
  if (behind !== undefined) return [...behind.keys()];
  return catalogue.flatMap(({ mcpServerId, mcpToolName = [] }) =>
    mcpServerId === entry.mcpServerId ? mcpToolName : [],
  );
}

/** What is not understood allows nothing. */
export function allowedTest(allowed: Allowed | undefined): (name: string, serverId: string) => boolean {
  if (allowed === undefined) return () => true;
  if (typeof allowed === "function") return (name) => allowed(name) === true;
  const rules = new Set<unknown>(typeof allowed === "object" && Symbol.iterator in allowed ? allowed : []);
  return (name, serverId) => rules.has(name) || rules.has(`mcp__${serverId}`) || rules.has(`mcp__${serverId}__*`);
}

function accept(text: string, chosen: ReadonlyMap<CatalogueEntry, string[]>): Resolved {
  const entries = [...chosen.keys()];
  const whole = new Set(
    entries.flatMap(({ mcpServerId, mcpToolName }) => (mcpToolName === undefined ? mcpServerId : [])),
  );
  // A tool of a server that is chosen whole says nothing more; named here, it would read as all that is wanted of it.
  const single = entries.filter(({ mcpServerId }) => !whole.has(mcpServerId));
  const mcpToolNames = single.flatMap(({ mcpToolName = [] }) => mcpToolName);
  const names = [...[...whole].map((id) => `all tools of the MCP server ${quoted(id)}`), ...mcpToolNames.map(quoted)];
  return {
    submission: {
      ok: true,
      command: text,
      instruction: `The user made these available for this message: ${names.join(", ")}. Use them where they help; nothing obliges you to call them.`,
      mcpServerIds: [...new Set(entries.map(({ mcpServerId }) => mcpServerId))],
      ...(mcpToolNames.length > 0 && { mcpToolNames }),
    },
    entries,
    toolNames: [...new Set([...chosen.values()].flat())],
  };
}

function quoted(name: string): string {
  return JSON.stringify(printable(name, 80));
}

function reject(code: Rejection["code"], message: string): Rejection {
  return { ok: false, code, message };
}
