/** What all sessions know of the servers behind the gateway, and who wants to hear when that changes. */
import type { Inventory, Permissions, Tool } from "../core/contracts.ts";
import { type Book, createBook, withTools } from "./book.ts";
import type { Clock } from "./limits.ts";

export interface Shelf {
  /** The book of now; waits for the first inventory. Never rejects: an inventory that cannot be had is an empty one. */
  book(): Promise<Book>;
  /** Takes another inventory in place of the one there is. */
  replace(inventory: Inventory): void;
  /** A server lists these tools now. */
  listed(server: string, tools: Tool[]): void;
  /** Asks servers that had failed again, in the background, where the last time is a minute ago. */
  retry(): void;
  /** Calls back after every change; gives what ends it. */
  onChange(listener: (book: Book) => void): () => void;
  /** Resolves when no inventory is being taken. */
  settled(): Promise<void>;
}

export interface ShelfOptions {
  /** Takes the inventory; again for servers that had failed. */
  take(): Promise<Inventory>;
  permissions: Permissions | undefined;
  clock: Clock;
}

/** How long a failed server is left alone, in milliseconds. */
const RETRY_MS = 60_000;

const EMPTY: Inventory = { servers: [], problems: [] };

export function createShelf({ take, permissions, clock }: ShelfOptions): Shelf {
  const listeners = new Set<(book: Book) => void>();
  let book: Book | undefined;
  let lastTaken = clock.now();
  const put = (inventory: Inventory) => {
    book = createBook(inventory, permissions);
    for (const listener of listeners) listener(book);
  };
  const ready = take()
    .catch(() => EMPTY)
    .then((inventory) => {
      book ??= createBook(inventory, permissions);
    });
  let taking: Promise<void> | undefined = ready.then(() => {
    taking = undefined;
  });

  async function takeFailed(): Promise<void> {
    const again = await take().catch(() => EMPTY);
    // What is ready may have been listed anew since, by the server itself.
    const better = new Map(again.servers.map((server) => [server.name, server]));
    const now = book?.all ?? EMPTY;
    const servers = now.servers.map((server) =>
      server.state === "failed" ? (better.get(server.name) ?? server) : server,
    );
    if (servers.some((server, at) => server.state !== now.servers[at]?.state)) put({ ...now, servers });
    taking = undefined;
  }

  return {
    async book() {
      await ready;
      return book as Book;
    },
    replace: put,
    listed(server, tools) {
      const now = book?.all ?? EMPTY;
      if (!isListed(now, server, tools)) put(withTools(now, server, tools));
    },
    retry() {
      const failed = book?.all.servers.some(({ state }) => state === "failed") === true;
      if (!failed || taking !== undefined || clock.now() - lastTaken < RETRY_MS) return;
      lastTaken = clock.now();
      taking = takeFailed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    settled: async () => taking,
  };
}

/** Whether a server is there with exactly these tools. */
export function isListed({ servers }: Inventory, name: string, tools: readonly Tool[]): boolean {
  const server = servers.find((one) => one.name === name);
  // The order of a list says nothing.
  const text = (list: readonly Tool[]) =>
    JSON.stringify([...list].sort((left, right) => (left.name < right.name ? -1 : 1)));
  return server?.state === "ready" && text(server.tools) === text(tools);
}
