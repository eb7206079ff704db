/** The tools behind the gateway as one moment knows them: found by name, searched, judged and counted, each at first need. */
import { createLoader } from "../../skills/agi-mcp-discover/loading.ts";
import { type Skipped, usableTools } from "../../skills/composer-mcp/usable-tools.ts";
import { classifyMcpTools, isDenied } from "../../skills/using-mcp/judgements.ts";
import type { Classification, Inventory, Permissions, Server, Tool } from "../core/contracts.ts";
import { qualifiedName } from "../core/tool.ts";
import { listed } from "../inventory/harness.ts";
import { tokenCounter } from "../inventory/tokens.ts";
import { createToolIndex, type ToolIndex } from "../search/index.ts";
import { stableName } from "./stable-name.ts";

export interface Book {
  /** Every server with every tool, denied ones included: for saying why something cannot be chosen. */
  readonly all: Inventory;
  /** Every server, with denied tools left out: what nobody may call, nobody is shown. */
  readonly inventory: Inventory;
  /** Every tool that can be told apart and may be called. */
  readonly tools: readonly Tool[];
  /** What is there and cannot be called, since its name is not unique or cannot be told from another. */
  readonly skipped: readonly Skipped[];
  find(server: string, tool: string): Tool | undefined;
  /** By the name that clients see, or by the full name `mcp__<server>__<tool>`. */
  named(name: string): Tool | undefined;
  /** Whether a deny rule keeps a tool of this server or full name out. */
  denied(name: string): boolean;
  index(): ToolIndex;
  /** Chooses what to load for an intent. */
  load: ReturnType<typeof createLoader>;
  classified(): Classification;
  /** Estimated tokens of every tool's declaration. */
  tokens(): Promise<number>;
}

export function createBook(all: Inventory, permissions: Permissions | undefined): Book {
  const denied = new Set<string>();
  const servers = all.servers.map((server) => ({
    ...server,
    tools: server.tools.filter(({ name }) => {
      if (!isDenied(permissions, server.name, name)) return true;
      denied.add(stableName(server.name, name)).add(qualifiedName(server.name, name));
      return false;
    }),
  }));
  const inventory: Inventory = { ...all, servers };
  const usable = usableTools(inventory);
  const names = new Map<string, Tool>();
  for (const [name, tool] of usable.byHostName) names.set(name, tool);
  for (const tool of usable.byHostName.values()) {
    const name = stableName(tool.server, tool.name);
    // A tool that is really called so keeps its name.
    if (!names.has(name)) names.set(name, tool);
  }
  const tools = [...usable.byHostName.values()];
  const ready = servers.flatMap((server) => {
    const own = usable.servers.get(server.name);
    return own === undefined ? [] : [{ ...server, tools: [...own.values()] }];
  });
  let index: ToolIndex | undefined;
  let loader: Book["load"] | undefined;
  let classified: Classification | undefined;
  let tokens: Promise<number> | undefined;
  return {
    all,
    inventory,
    tools,
    skipped: usable.skipped,
    find: (server, tool) => usable.servers.get(server)?.get(tool),
    named: (name) => names.get(name),
    denied: (name) => denied.has(name),
    index() {
      index ??= createToolIndex(tools);
      return index;
    },
    load(intent, options) {
      loader ??= createLoader({ servers: ready, problems: [] });
      return loader(intent, options);
    },
    classified() {
      classified ??= classifyMcpTools(listed(inventory));
      return classified;
    },
    tokens() {
      tokens ??= tokenCounter().then((count) => count(tools as Tool[]));
      return tokens;
    },
  };
}

/** The inventory with one server's tools as they are listed now; the server is ready, whatever it was. */
export function withTools(inventory: Inventory, name: string, tools: Tool[]): Inventory {
  const servers = inventory.servers.map((server): Server => {
    if (server.name !== name) return server;
    const { failure: _gone, ...rest } = server;
    return { ...rest, state: "ready", tools };
  });
  return { ...inventory, servers };
}
