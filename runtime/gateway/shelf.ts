/** What all sessions know of the servers behind the gateway, and who wants to hear when that changes. */
import type { Inventory, Permissions, Tool } from "../core/contracts.ts";
import { type Book, createBook, withTools } from "./book.ts";

export interface Shelf {
  /** The book of now; waits for the first inventory. Never rejects: an inventory that cannot be had is an empty one. */
  book(): Promise<Book>;
  /** Takes another inventory in place of the one there is. */
  replace(inventory: Inventory): void;
  /** A server lists these tools now. */
  listed(server: string, tools: Tool[]): void;
  /** Calls back after every change; gives what ends it. */
  onChange(listener: (book: Book) => void): () => void;
}

export function createShelf(first: Promise<Inventory>, permissions: Permissions | undefined): Shelf {
  const listeners = new Set<(book: Book) => void>();
  let book: Book | undefined;
  const empty: Inventory = { servers: [], problems: [] };
  const ready = first
    .catch(() => empty)
    .then((inventory) => {
      book ??= createBook(inventory, permissions);
    });
  function put(inventory: Inventory): void {
    book = createBook(inventory, permissions);
    for (const listener of listeners) listener(book);
  }
  return {
    async book() {
      await ready;
      return book as Book;
    },
    replace: put,
    listed(server, tools) {
      const now = book?.all ?? empty;
      if (!isListed(now, server, tools)) put(withTools(now, server, tools));
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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
