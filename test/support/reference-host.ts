/**
 * A small host, to show in which order the composer, a session's active tools, the gate and the provider come together. A
 * host of the field adds a screen, a model and a history; the order stays.
 */
import type { CatalogueEntry, Inventory, MenuPick, Permissions } from "../../runtime/core/contracts.ts";
import { parseQualifiedName, qualifiedName } from "../../runtime/core/tool.ts";
import { createToolIndex } from "../../runtime/search/index.ts";
import { Activation, createMenu, pick } from "../../skills/composer-mcp/composer-mcp.ts";
import { gate } from "../../skills/using-mcp/using-mcp.ts";

/** What the model wants: tools called by their full host tool names, or `tool_search` with a query. None ends the turn. */
export interface WantedCall {
  name: string;
  args: Record<string, unknown>;
}

export interface SentRequest {
  /** The messages as typed, each followed by its instruction where it has one. */
  messages: string[];
  /** The names of the declared tools. */
  tools: string[];
  /** What the calls of the answer before gave. */
  results: string[];
}

export interface HostParts {
  inventory: Inventory;
  /** Stands for the model. */
  provider: (request: SentRequest) => Promise<WantedCall[]>;
  call: (server: string, tool: string, args: Record<string, unknown>) => Promise<string>;
  /** Asks the person about one call. */
  ask?: (name: string) => boolean;
  permissions?: Permissions;
}

export function createHost({ inventory, provider, call, ask = () => false, permissions = {} }: HostParts) {
  const session = new Activation(inventory);
  const index = createToolIndex(inventory.servers.flatMap(({ tools }) => tools));
  /** Everything that happened, in order: the point of this host. */
  const events: string[] = [];
  let picks: MenuPick[] = [];

  /** What the menu shows for what was typed. */
  function menu(typed: string): CatalogueEntry[] {
    return createMenu(session.catalogue).filter(typed);
  }

  /** Taking an entry inserts its text, and the composer remembers what the person saw. */
  function take(entry: CatalogueEntry): string {
    picks.push(pick(entry));
    events.push(`insert ${entry.command}`);
    return `${entry.command} `;
  }

  /** Sends what stands in the composer, as a prompt or, while a turn runs, as a steering message. */
  function send(text: string): number | null {
    const queued = session.queue({ text, picks });
    if (!queued.ok) {
      events.push(`reject ${queued.code}`);
      return null;
    }
    picks = [];
    events.push(`queue ${queued.ticket}`);
    return queued.ticket;
  }

  /** One turn: requests to the provider, with the calls that it wants between them, until it wants none. */
  async function turn(): Promise<void> {
    let results: string[] = [];
    for (;;) {
      const sent = session.request(({ messages, declarations }) => {
        const tools = declarations.map(({ name }) => name);
        events.push(`request with messages [${messages.map(({ ticket }) => ticket)}] and tools [${tools.join(", ")}]`);
        const texts = messages.map(({ command, instruction }) => `${command}\n${instruction}`.trim());
        return provider({ messages: texts, tools, results });
      });
      for (const { ticket, code } of sent.rejected) events.push(`reject ${ticket} ${code}`);
      if (!sent.sent) {
        // The person sees why. What the tools answered still goes to the model.
        if (results.length === 0) return;
        continue;
      }
      const wanted = await sent.answer;
      if (wanted.length === 0 && session.queued.length === 0) return;
      results = [];
      for (const one of wanted) results.push(await serve(one));
    }
  }

  async function serve({ name, args }: WantedCall): Promise<string> {
    if (name === "tool_search") {
      const hits = index.search(String(args.query)).map(({ tool }) => qualifiedName(tool.server, tool.name));
      const { active } = session.search(hits);
      events.push(`search found ${active.length}`);
      return active.join(" ");
    }
    const declared = session.declarations().find((tool) => tool.name === name);
    if (declared === undefined) {
      events.push(`refuse ${name}`);
      return "There is no such tool";
    }
    const { decision } = gate({ tool: declared, args, permissions });
    const answer = decision === "confirm" ? (ask(name) ? "allow" : "deny") : decision;
    events.push(`gate ${name}: ${decision}${decision === "confirm" ? `, the person says ${answer}` : ""}`);
    if (answer !== "allow") return "The call was not allowed";
    const { server, tool } = parseQualifiedName(name);
    events.push(`call ${name}`);
    return call(server, tool, args);
  }

  return { session, events, menu, take, send, turn };
}
