/** `capability_map`: servers × capabilities × access, in as few words as it takes. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { printable } from "../core/errors.ts";
import type { Book } from "./book.ts";
import { dataResult } from "./own-arguments.ts";
import type { SessionState } from "./session-state.ts";
import { stableName } from "./stable-name.ts";

/** The most tools that are named for one capability, and of those that a server lists and nobody can call. */
const MAX_NAMED = 50;
const MAX_LEFT_OUT = 10;

export async function capabilityMap(args: Record<string, unknown>, session: SessionState): Promise<CallToolResult> {
  const { book } = await session.tools.now();
  const { capability } = args;
  return dataResult(typeof capability === "string" ? toolsOf(book, capability) : wholeMap(book));
}

function wholeMap(book: Book): Record<string, unknown> {
  const classified = book.classified();
  return {
    servers: book.inventory.servers.map(({ name, state, failure }) => {
      const judged = classified.servers.get(name);
      const capabilities: Record<string, { read: number; write: number }> = Object.create(null);
      for (const { capability, access } of judged?.tools ?? []) {
        capabilities[capability] ??= { read: 0, write: 0 };
        capabilities[capability][access] += 1;
      }
      const leftOut = book.skipped.filter(({ mcpServerId }) => mcpServerId === name);
      return {
        server: printable(name, 80),
        ...(state === "ready" ? {} : { state, ...(failure !== undefined && { reason: failure.kind }) }),
        ...(judged !== undefined && { access: judged.access, capabilities: { ...capabilities } }),
        ...(leftOut.length > 0 && { left_out: leftOutOf(leftOut) }),
      };
    }),
  };
}

/** What cannot be called, with the reason: a person can rename it. */
function leftOutOf(skipped: Book["skipped"]): Record<string, unknown> {
  const named = skipped.slice(0, MAX_LEFT_OUT).map(({ tool, reason }) => `${printable(tool ?? "all", 80)}: ${reason}`);
  return { count: skipped.length, tools: named };
}

function toolsOf(book: Book, capability: string): Record<string, unknown> {
  const entries = book.classified().byCapability.get(capability) ?? [];
  const names = (access: string) =>
    entries
      .filter((entry) => entry.access === access && book.find(entry.server, entry.tool) !== undefined)
      .map(({ server, tool }) => stableName(server, tool));
  const [read, write] = [names("read"), names("write")];
  const more = Math.max(0, read.length - MAX_NAMED) + Math.max(0, write.length - MAX_NAMED);
  return {
    capability: printable(capability, 60),
    read: read.slice(0, MAX_NAMED),
    write: write.slice(0, MAX_NAMED),
    ...(more > 0 && { more }),
    ...(entries.length === 0 && { known: [...book.classified().byCapability.keys()] }),
  };
}
