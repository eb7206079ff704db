import { defineCommand } from "citty";
import type { Server } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import type { Trace } from "../flow.ts";
import { copilotInstructions } from "./copilot-instructions.ts";
import { INVENTORY_ARGS, takeInventory } from "./inventory-options.ts";
import { colour, formatTable, isTerminal, print, printJson } from "./io.ts";

export const command = defineCommand({
  meta: {
    name: "discover",
    description:
      "Connect to every configured MCP server, classify its tools, and report in a results fence and a handoff",
  },
  args: {
    prompt: { type: "string", description: "The user's prompt: what it says is available counts as a source" },
    intent: { type: "string", description: "What the tools are wanted for; chooses which to load" },
    ...INVENTORY_ARGS,
    json: { type: "boolean", description: "Print JSON instead of the fence and the handoff" },
  },
  async run({ args, rawArgs }) {
    const [{ inventory, exitCode }, { runFlow }] = await Promise.all([
      takeInventory(args, rawArgs),
      import("../flow.ts"),
    ]);
    const trace = await runFlow({
      prompt: args.prompt ?? "",
      intent: args.intent ?? "",
      copilotInstructions: copilotInstructions(),
      inventory,
    });
    const rows = await describeServers(trace);
    if (args.json) {
      printJson({ servers: rows, problems: inventory.problems, results: trace.results, handoff: trace.handoff });
      return exitCode;
    }
    if (isTerminal() && rows.length > 0) print(`${await serverTable(rows)}\n\n`);
    print(trace.message);
    return exitCode;
  },
});

interface ServerRow extends Omit<Server, "tools"> {
  tools: { name: string; access: string; capability: string }[];
  reads: number;
  writes: number;
  capabilities: string[];
  /** Estimated tokens of the server's declarations. */
  tokens: number;
}

async function describeServers({ inventory, classified }: Trace): Promise<ServerRow[]> {
  const { tokenCounter } = await import("../inventory/tokens.ts");
  const tokensOf = await tokenCounter();
  return inventory.servers.map((server) => {
    const judged = classified.servers.get(server.name);
    const tools = (judged?.tools ?? []).map(({ tool, access, capability }) => ({ name: tool, access, capability }));
    const reads = tools.filter(({ access }) => access === "read").length;
    return {
      ...server,
      tools,
      reads,
      writes: tools.length - reads,
      capabilities: [...(judged?.capabilities ?? [])],
      tokens: tokensOf(server.tools),
    };
  });
}

function serverTable(rows: ServerRow[]): Promise<string> {
  const states = { ready: "green", failed: "red", disabled: "gray" } as const;
  return formatTable(
    ["server", "state", "tools", "reads/writes", "tokens", "capabilities"],
    rows.map((row) => [
      printable(row.name, 40),
      colour(states[row.state], row.state),
      String(row.tools.length),
      `${row.reads}/${row.writes}`,
      row.tokens.toLocaleString("en-US"),
      row.failure === undefined ? row.capabilities.join(", ") : printable(row.failure.message, 300),
    ]),
  );
}
