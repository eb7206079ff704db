/**
 * Which tools a session's client sees beside the gateway's own: what discovery found and what a person selected, most
 * recently used first, within the session's room; pinned ones stay. What is active and why is `Activation`'s matter; this
 * module only chooses which of the active ones are shown.
 */
import { Activation, type ConsumedMessage } from "../../skills/composer-mcp/activation.ts";
import type { Rejection } from "../../skills/composer-mcp/rejections.ts";
import type { Draft } from "../../skills/composer-mcp/submit.ts";
import type { CatalogueEntry, Tool } from "../core/contracts.ts";
import { qualifiedName } from "../core/tool.ts";
import type { Book } from "./book.ts";

export interface Loaded {
  /** In the order given. */
  loaded: Tool[];
  /** What had no room, or is not there. */
  left: Tool[];
}

export interface LoadedTools {
  /** How many tools are shown at most. */
  readonly room: number;
  /** The full names of the pinned tools that are there. */
  pinned(): string[];
  /** The tools shown now, in the order of their full names. */
  list(): Tool[];
  /** Shows tools, best first, as far as there is room; the least recently used make it. */
  load(tools: readonly Tool[]): Loaded;
  /** A tool was called: it is the most recently used. */
  touch(tool: Tool): void;
  /** What has changed of a tool since it was loaded, such as `description`; null where nothing has, or it never was. */
  changed(tool: Pick<Tool, "server" | "name">): string | null;
  /** Takes a person's selection: it is checked whole, and its tools are shown as far as there is room. */
  select(draft: Draft): { message: ConsumedMessage; tools: Loaded } | Rejection;
  /** What a person can select now. */
  catalogue(): CatalogueEntry[];
  /** Takes the tools of now. */
  update(book: Book): void;
}

const nameOf = ({ server, name }: Pick<Tool, "server" | "name">) => qualifiedName(server, name);

/** `room` is how many tools are shown at most; `pinned` are names of tools that always are, as far as there is room. */
export function createLoadedTools(first: Book, room: number, pinned: readonly string[]): LoadedTools {
  let book = first;
  const activation = new Activation(first.all, {
    allowed: (name) => !book.denied(name),
    searchResults: Number.POSITIVE_INFINITY,
  });
  /** By full name, when it was last used. */
  const used = new Map<string, number>();
  let tick = 0;

  const pinnedTools = () => pinned.flatMap((name) => book.named(name) ?? []).slice(0, room);
  const pinnedNames = () => new Set(pinnedTools().map(nameOf));
  // A person pinned them by name: they are taken as they are defined now.
  const activatePinned = () => activation.search([...pinnedNames()]);
  activatePinned();

  /** Declared tools by full name: active, there, unchanged and allowed. */
  const declared = () => new Set(activation.declarations().map(({ name }) => name));

  /** Drops what is no longer declared, then the least recently used beyond the room that the pinned ones leave. */
  function trim(): void {
    const names = declared();
    for (const name of used.keys()) if (!names.has(name)) used.delete(name);
    const fixed = pinnedNames();
    const spare = [...used].filter(([name]) => !fixed.has(name)).sort(([, left], [, right]) => right - left);
    for (const [name] of spare.slice(Math.max(0, room - fixed.size))) used.delete(name);
  }

  /** Marks active tools as used, the best last, so that they are the last to make room. */
  function show(tools: readonly Tool[]): Loaded {
    const fixed = pinnedNames();
    const names = declared();
    const there = tools.filter((tool) => names.has(nameOf(tool)));
    const fitting = new Set(there.filter((tool) => !fixed.has(nameOf(tool))).slice(0, Math.max(0, room - fixed.size)));
    for (const tool of [...fitting].reverse()) used.set(nameOf(tool), ++tick);
    trim();
    const loaded = there.filter((tool) => fitting.has(tool) || fixed.has(nameOf(tool)));
    return { loaded, left: tools.filter((tool) => !loaded.includes(tool)) };
  }

  return {
    room,
    pinned: () => [...pinnedNames()],
    list() {
      const names = declared();
      const shown = new Set([...pinnedNames(), ...used.keys()].filter((name) => names.has(name)));
      return [...shown].sort().flatMap((name) => book.named(name) ?? []);
    },
    load(tools) {
      activation.search(tools.map(nameOf));
      return show(tools);
    },
    touch(tool) {
      if (used.has(nameOf(tool))) used.set(nameOf(tool), ++tick);
    },
    changed(tool) {
      const absent = activation.absent().find(({ mcpToolName }) => mcpToolName === nameOf(tool));
      return absent?.reason === "changed" ? (absent.what ?? "definition") : null;
    },
    select(draft) {
      const queued = activation.queue(draft);
      if (!queued.ok) return queued;
      const sent = activation.request(({ messages, declarations }) => ({ messages, declarations }));
      const [rejected] = sent.rejected;
      if (!sent.sent) return rejected as Rejection;
      const [message] = sent.answer.messages;
      if (message === undefined) return rejected as Rejection;
      const { mcpServerIds, mcpToolNames = [] } = message;
      const named = new Set(mcpToolNames);
      // A server without a tool of its own among the names is selected whole.
      const whole = mcpServerIds.filter((id) => !mcpToolNames.some((name) => book.named(name)?.server === id));
      const selected = sent.answer.declarations.flatMap(({ name }) => {
        const tool = book.named(name);
        return tool !== undefined && (named.has(name) || whole.includes(tool.server)) ? [tool] : [];
      });
      // A server may have more tools than there is room: those that the task speaks of come first.
      const found = book.index().search(draft.text, { limit: book.tools.length });
      const rank = new Map(found.map(({ tool }, at) => [tool, at]));
      const rankOf = (tool: Tool) => rank.get(tool) ?? found.length;
      return { message, tools: show(selected.sort((left, right) => rankOf(left) - rankOf(right))) };
    },
    catalogue: () =>
      activation.catalogue.filter(({ mcpServerId, mcpToolName }) => {
        if (mcpToolName !== undefined) return !book.denied(mcpToolName);
        return book.tools.some(({ server }) => server === mcpServerId);
      }),
    update(next) {
      book = next;
      activation.update(next.all);
      activatePinned();
      trim();
    },
  };
}
