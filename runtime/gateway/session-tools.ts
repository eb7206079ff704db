/** The tools of one session: those of all sessions, with what servers of its own list, and which of them its client sees. */
import type { Inventory, Permissions, Tool } from "../core/contracts.ts";
import { type Book, createBook, withTools } from "./book.ts";
import { createLoadedTools, type LoadedTools } from "./loaded-tools.ts";
import { isListed, type Shelf } from "./shelf.ts";

export interface SessionTools {
  /** What this session knows now, and what its client sees of it; waits for the first inventory. */
  now(): Promise<{ book: Book; loaded: LoadedTools }>;
  /** The tools that the client sees now. Waits for nothing where none can be shown yet. */
  shown(): Promise<Tool[]>;
  /** Has servers that had failed asked again, in the background. */
  retry(): void;
  /** A server of this session's own lists these tools. */
  listed(server: string, tools: Tool[]): void;
  close(): void;
}

export interface SessionToolsOptions {
  shelf: Shelf;
  permissions: Permissions | undefined;
  /** How many tools are shown at most, the gateway's own not counted. */
  room: number;
  pinned: readonly string[];
  /** The tools that the client sees are others. */
  onShown(): void;
  /** What there is to find and select is another. */
  onChange(): void;
}

export function createSessionTools(options: SessionToolsOptions): SessionTools {
  const { shelf, permissions, room, pinned, onShown, onChange } = options;
  const own = new Map<string, Tool[]>();
  let book: Book | undefined;
  let loaded: LoadedTools | undefined;

  /** The shared book where this session's own servers list the same; else one of its own. */
  function mine(shared: Book): Book {
    let all: Inventory = shared.all;
    for (const [server, tools] of own) if (!isListed(all, server, tools)) all = withTools(all, server, tools);
    return all === shared.all ? shared : createBook(all, permissions);
  }

  function take(next: Book): void {
    if (loaded === undefined) return;
    const before = JSON.stringify(loaded.list());
    book = next;
    loaded.update(next);
    if (JSON.stringify(loaded.list()) !== before) onShown();
    onChange();
  }

  const stop = shelf.onChange((shared) => take(mine(shared)));
  async function now() {
    const shared = await shelf.book();
    book ??= mine(shared);
    loaded ??= createLoadedTools(book, room, pinned);
    return { book, loaded };
  }
  return {
    now,
    retry: () => shelf.retry(),
    async shown() {
      if (loaded === undefined && pinned.length === 0) return [];
      return (await now()).loaded.list();
    },
    listed(server, tools) {
      own.set(server, tools);
      if (book !== undefined && !isListed(book.all, server, tools))
        take(createBook(withTools(book.all, server, tools), permissions));
    },
    close: stop,
  };
}
