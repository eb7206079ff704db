/**
 * Submission: a message's selections are read from its text and checked against the catalogue of now. All of them hold, or
 * the message is rejected with a code and a sentence that a person can act on.
 */
import type { CatalogueEntry, MenuPick, Submission } from "../../runtime/core/contracts.ts";
import { PackError } from "../../runtime/core/errors.ts";
import { type Allowed, allowedTest } from "./allowed.ts";
import { toolsBehind } from "./catalog.ts";
import { parseInvocation } from "./invocation.ts";
import { describeChanges } from "./pin.ts";
import { findTokens, textWithout } from "./prompt-tokens.ts";
import { changed, missing, notAllowed, quoted, type Rejection, reject } from "./rejections.ts";

/** A prompt or a steering message, as the composer has it. */
export interface Draft {
  text: string;
  /** Only whether there are any matters; they are never read. */
  attachments?: readonly unknown[] | undefined;
  /** What the person saw on taking entries from the menu; a selection that was typed by hand has none. */
  picks?: readonly MenuPick[] | undefined;
}

export interface SubmitOptions {
  /** The mode's name, for the sentence of a rejection. */
  mode?: string | undefined;
  /** Whether the host marks the session native: it cannot use managed selections. */
  native?: boolean | undefined;
  /** The tools that the mode allows; all where absent. */
  allowed?: Allowed | undefined;
}

type Accepted = Extract<Submission, { ok: true }>;

/** An accepted message with what it selects. */
export interface Resolved {
  ok: true;
  submission: Accepted;
  entries: CatalogueEntry[];
  /** What becomes available: full host tool names, without repetition, in the order of the text. */
  toolNames: string[];
}

/** Reads and checks a message. One without selections passes as it is, whatever the catalogue holds. Never throws. */
export function submitDraft(
  draft: Draft,
  catalogue: readonly CatalogueEntry[],
  options: SubmitOptions = {},
): Submission {
  const resolved = resolveDraft(draft, catalogue, options);
  return resolved.ok ? resolved.submission : resolved;
}

/** {@link submitDraft}, with what the message selects. */
export function resolveDraft(
  { text, attachments = [], picks = [] }: Draft,
  catalogue: readonly CatalogueEntry[],
  options: SubmitOptions = {},
): Resolved | Rejection {
  if (typeof text !== "string")
    return reject("malformed", "The message has no text; send an empty one with attachments");
  const selections = findTokens(text).filter(({ cited }) => !cited);
  if (selections.length === 0) {
    const submission: Accepted = { ok: true, command: text, instruction: "", mcpServerIds: [] };
    return { ok: true, submission, entries: [], toolNames: [] };
  }
  if (options.native === true) {
    const way = "remove the selections, or start a session that manages its tools";
    return reject("native-session", `This session runs natively and takes no MCP selections; ${way}`);
  }
  const byCommand = new Map(catalogue.map((entry) => [entry.command, entry]));
  const isAllowed = allowedTest(options.allowed);
  const chosen = new Map<CatalogueEntry, string[]>();
  for (const token of new Set(selections.map((selection) => selection.token))) {
    const entry = findEntry(token, byCommand, catalogue, picks);
    if ("ok" in entry) return entry;
    const names = toolNamesOf(entry, catalogue).filter((name) => isAllowed(name, entry.mcpServerId));
    if (names.length === 0) return notAllowed(entry, options.mode);
    chosen.set(entry, names);
  }
  if (isBlank(textWithout(text, selections)) && attachments.length === 0) {
    return reject("empty-task", "Nothing is asked yet; write what to do with the selection, or attach something");
  }
  return accept(text, chosen);
}

/** The entry that a token names and that is still as it was picked. */
function findEntry(
  token: string,
  byCommand: ReadonlyMap<string, CatalogueEntry>,
  catalogue: readonly CatalogueEntry[],
  picks: readonly MenuPick[],
): CatalogueEntry | Rejection {
  try {
    const invocation = parseInvocation(token);
    const picked = picks.filter(({ command }) => command === token);
    const entry = byCommand.get(token);
    if (entry === undefined) return missing(invocation, catalogue, picked);
    // What cannot be compared, because the catalogue was not made here, counts as changed.
    const now = toolsBehind(entry) ?? new Map();
    const changes = picked.map(({ pins }) => describeChanges(pins, now)).find((change) => change !== "");
    return changes === undefined ? entry : changed(entry.title, changes);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return reject("malformed", `${error.message}. ${error.fix}`);
  }
}

function toolNamesOf(entry: CatalogueEntry, catalogue: readonly CatalogueEntry[]): string[] {
  if (entry.mcpToolName !== undefined) return [entry.mcpToolName];
  const behind = toolsBehind(entry);
  if (behind !== undefined) return [...behind.keys()];
  return catalogue.flatMap(({ mcpServerId, mcpToolName = [] }) =>
    mcpServerId === entry.mcpServerId ? mcpToolName : [],
  );
}

/** Whether nothing is left that a reader could see. */
function isBlank(text: string): boolean {
  return /^[\s\p{C}\p{Default_Ignorable_Code_Point}]*$/u.test(text);
}

function accept(text: string, chosen: ReadonlyMap<CatalogueEntry, string[]>): Resolved {
  const entries = [...chosen.keys()];
  const whole = new Set(
    entries.flatMap(({ mcpServerId, mcpToolName }) => (mcpToolName === undefined ? mcpServerId : [])),
  );
  // A tool of a server that is chosen whole says nothing more; named here, it would read as all that is wanted of it.
  const mcpToolNames = entries.flatMap(({ mcpServerId, mcpToolName = [] }) =>
    whole.has(mcpServerId) ? [] : mcpToolName,
  );
  return {
    ok: true,
    submission: {
      ok: true,
      command: text,
      instruction: instructionFor([...whole], mcpToolNames),
      mcpServerIds: [...new Set(entries.map(({ mcpServerId }) => mcpServerId))],
      ...(mcpToolNames.length > 0 && { mcpToolNames }),
    },
    entries,
    toolNames: [...new Set([...chosen.values()].flat())],
  };
}

/** The most names in one instruction; the declarations carry all of them anyway. */
const MAX_NAMED = 8;

function instructionFor(serverIds: readonly string[], toolNames: readonly string[]): string {
  const names = [...serverIds.map((id) => `the tools of the MCP server ${quoted(id)}`), ...toolNames.map(quoted)];
  const more = names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : [];
  const list = [...names.slice(0, MAX_NAMED), ...more].join(", ");
  return `For this message the user made available: ${list}. Use them where they help; nothing obliges you to call them.`;
}
