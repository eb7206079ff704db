/**
 * A session's active tools: those whose declarations the model sees. There is one way in for what a person selects, and the
 * wrong order cannot be written on it: {@link Activation.request} takes the queued messages, activates what they select,
 * declares what is active and hands all of it to the provider in one step. Nothing else activates a selection, and the
 * message cannot be had without the declarations that belong to it.
 */
import type { CatalogueEntry, Inventory, ListedTool, Tool } from "../../runtime/core/contracts.ts";
import { qualifiedName } from "../../runtime/core/tool.ts";
import { allowedTest } from "./allowed.ts";
import { type ExistingCommand, listEntries, pick } from "./catalog.ts";
import { changedParts, pinOf } from "./pin.ts";
import type { Rejection } from "./rejections.ts";
import { type ActivationSnapshot, type ActiveTool, type Origin, readSnapshot } from "./snapshot.ts";
import { type Draft, resolveDraft, type SubmitOptions } from "./submit.ts";
import { type UsableTools, usableTools } from "./usable-tools.ts";

export interface ActivationOptions extends SubmitOptions {
  /** Aliases that the host has already. */
  commands?: readonly ExistingCommand[] | undefined;
  /** How many of one tool search's results become active; default 8. Selections know no limit. */
  searchResults?: number | undefined;
  /** How many tools tool search may have made active in the whole session; no limit by default. */
  searchTotal?: number | undefined;
}

/** A message as the provider gets it. */
export interface ConsumedMessage {
  ticket: number;
  /** The text as typed. */
  command: string;
  instruction: string;
  attachments: readonly unknown[];
  mcpServerIds: readonly string[];
  mcpToolNames?: readonly string[] | undefined;
}

export interface ProviderRequest {
  /** What was queued and holds, in order; empty between two messages, such as after a tool call. */
  messages: readonly ConsumedMessage[];
  /** Every active tool, under its full host tool name, as its server describes it now. */
  declarations: readonly ListedTool[];
}

/** A queued message that no longer held when its turn came: it was not sent, and nothing of it is active. */
export type RejectedMessage = Rejection & { ticket: number };

export type Sent<Answer> =
  | { sent: true; answer: Answer; rejected: RejectedMessage[] }
  /** Every queued message was rejected, so there was nothing to ask the provider. */
  | { sent: false; rejected: RejectedMessage[] };

/** An active tool that is not declared now. */
export interface Absent {
  mcpToolName: string;
  /** `gone`: its server, if there is one of that id, has no such tool. */
  reason: "gone" | "not-ready" | "changed" | "not-allowed-in-mode";
  /** Which parts of its definition are others, for `changed`. */
  what?: string;
}

export interface Searched {
  /** Active now, among the results. */
  active: string[];
  /** Beyond the limit. */
  left: string[];
  /** Not there, or not allowed in this mode. */
  refused: string[];
}

export class Activation {
  #usable: UsableTools;
  #catalogue: CatalogueEntry[];
  /** The pins of usable tools, as far as they were needed. */
  #pins = new Map<string, string>();
  #options: ActivationOptions;
  #isAllowed: ReturnType<typeof allowedTest>;
  /** By full host tool name, in the order of activation. Entries are never removed. */
  readonly #active = new Map<string, ActiveTool>();
  readonly #queue = new Map<number, Draft>();
  #lastTicket = 0;

  constructor(inventory: Inventory, options: ActivationOptions = {}) {
    this.#options = options;
    this.#isAllowed = allowedTest(options.allowed);
    this.#usable = usableTools(inventory);
    this.#catalogue = listEntries(this.#usable, options);
  }

  /**
   * A session with what was active before: what is there and unchanged is declared again, {@link Activation.absent} says
   * what is not. Throws a `PackError` `bad-snapshot` where the snapshot is none.
   */
  static restore(snapshot: unknown, inventory: Inventory, options: ActivationOptions = {}): Activation {
    const session = new Activation(inventory, options);
    for (const entry of readSnapshot(snapshot)) session.#active.set(qualifiedName(entry.server, entry.tool), entry);
    return session;
  }

  snapshot(): ActivationSnapshot {
    return { version: 1, tools: [...this.#active.values()].map((entry) => ({ ...entry })) };
  }

  /** The menu of now. */
  get catalogue(): readonly CatalogueEntry[] {
    return this.#catalogue;
  }

  /** Takes the inventory of now: a server connected, dropped out, or has other tools. An inventory is not changed in place. */
  update(inventory: Inventory): void {
    this.#usable = usableTools(inventory);
    this.#pins = new Map();
    this.#catalogue = listEntries(this.#usable, this.#options);
  }

  /** Changes the mode, what it allows, the existing aliases or the limits; what is not named stays. */
  configure(options: ActivationOptions): void {
    this.#options = { ...this.#options, ...options };
    this.#isAllowed = allowedTest(this.#options.allowed);
    this.#catalogue = listEntries(this.#usable, this.#options);
  }

  /**
   * Queues a prompt or a steering message. It is checked at once, so that the person hears of a problem, and again when it
   * is consumed; what its selections are at this moment is what they must be then.
   */
  queue(draft: Draft): { ok: true; ticket: number } | Rejection {
    const resolved = resolveDraft(draft, this.#catalogue, this.#options);
    if (!resolved.ok) return resolved;
    const seen = resolved.entries.map(pick);
    this.#lastTicket += 1;
    this.#queue.set(this.#lastTicket, { ...draft, picks: [...(draft.picks ?? []), ...seen] });
    return { ok: true, ticket: this.#lastTicket };
  }

  /** Takes a message back; false where it has been consumed or taken back already. It leaves no trace. */
  cancel(ticket: number): boolean {
    return this.#queue.delete(ticket);
  }

  /** Tickets of the messages that wait, in order. */
  get queued(): number[] {
    return [...this.#queue.keys()];
  }

  /**
   * Makes one provider request: consumes every queued message, activates what those that still hold select, and calls `send`
   * with them and the declarations, at once. Called with an empty queue, it sends the declarations alone. What `send` is given
   * is consumed, whatever becomes of the request: a host that tries again sends the same messages, with fresh declarations.
   */
  request<Answer>(send: (request: ProviderRequest) => Answer): Sent<Answer> {
    const waiting = [...this.#queue];
    this.#queue.clear();
    const messages: ConsumedMessage[] = [];
    const rejected: RejectedMessage[] = [];
    for (const [ticket, draft] of waiting) {
      const resolved = resolveDraft(draft, this.#catalogue, this.#options);
      if (!resolved.ok) {
        rejected.push({ ...resolved, ticket });
        continue;
      }
      for (const name of resolved.toolNames) this.#activate(name, "selection");
      const { ok: _, ...submission } = resolved.submission;
      messages.push({ ticket, attachments: draft.attachments ?? [], ...submission });
    }
    if (messages.length === 0 && rejected.length > 0) return { sent: false, rejected };
    return { sent: true, rejected, answer: send({ messages, declarations: this.declarations() }) };
  }

  /**
   * Activates the results of a tool search, best first, by their full host tool names: up to `searchResults` of them, and no
   * more than `searchTotal` in the session. What is active already takes no place.
   */
  search(results: readonly string[]): Searched {
    const { searchResults = 8, searchTotal = Number.POSITIVE_INFINITY } = this.#options;
    const searched: Searched = { active: [], left: [], refused: [] };
    let total = [...this.#active.values()].filter(({ by }) => by === "search").length;
    for (const name of new Set(results)) {
      const known = this.#active.has(name);
      if (!this.#isUsable(name)) searched.refused.push(name);
      else if (searched.active.length >= searchResults || (!known && total >= searchTotal)) searched.left.push(name);
      else {
        this.#activate(name, "search");
        searched.active.push(name);
        if (!known) total += 1;
      }
    }
    return searched;
  }

  /**
   * What the model sees now, in the order of activation: active, there, allowed in the mode, and still defined as it was when
   * it became active. It is worked out anew at every call, so it is never out of step.
   */
  declarations(): ListedTool[] {
    return [...this.#active].flatMap(([name, active]) => {
      const tool = this.#usable.byHostName.get(name);
      return tool === undefined || this.#absence(name, active) !== null ? [] : [declarationOf(name, tool)];
    });
  }

  /** Active tools that are not declared now, and why. They are declared again when the reason is gone. */
  absent(): Absent[] {
    return [...this.#active].flatMap(([name, active]) => this.#absence(name, active) ?? []);
  }

  #absence(mcpToolName: string, active: ActiveTool): Absent | null {
    const tool = this.#usable.byHostName.get(mcpToolName);
    // Another pair of server and tool may come to share the full name: it was never chosen.
    if (tool?.server !== active.server) {
      return { mcpToolName, reason: this.#usable.unready.has(active.server) ? "not-ready" : "gone" };
    }
    const what = changedParts(active.pin, this.#pinOf(mcpToolName, tool));
    if (what !== "") return { mcpToolName, reason: "changed", what };
    return this.#isUsable(mcpToolName) ? null : { mcpToolName, reason: "not-allowed-in-mode" };
  }

  #isUsable(name: string): boolean {
    const tool = this.#usable.byHostName.get(name);
    return tool !== undefined && this.#isAllowed(name, tool.server);
  }

  #pinOf(name: string, tool: Tool): string {
    const pin = this.#pins.get(name) ?? pinOf(tool);
    this.#pins.set(name, pin);
    return pin;
  }

  /** The one door: what is active stays, and what is chosen again is taken as it is defined now. */
  #activate(name: string, by: Origin): void {
    const tool = this.#usable.byHostName.get(name);
    if (tool === undefined) return;
    const origin = this.#active.get(name)?.by === "selection" ? "selection" : by;
    this.#active.set(name, { server: tool.server, tool: tool.name, pin: this.#pinOf(name, tool), by: origin });
  }
}

/** A tool as the model gets it: nothing of ours is added to its schema. */
function declarationOf(name: string, { server: _, ...tool }: Tool): ListedTool {
  return { ...tool, name };
}
