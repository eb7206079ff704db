import { defineCommand } from "citty";
import type { Inventory } from "../core/contracts.ts";
import { printable } from "../core/errors.ts";
import type { Finding } from "../inventory/finding.ts";
import type { Configured } from "../inventory/server-config.ts";
import { INVENTORY_ARGS, takeInventory } from "./inventory-options.ts";
import { colour, formatTable, isTerminal, print, printJson } from "./io.ts";
import { shortPath } from "./servers.ts";

export const command = defineCommand({
  meta: {
    name: "doctor",
    description: "Examine what is configured: what fails and the next step, clashes, costs, and what hides in tools",
  },
  args: { ...INVENTORY_ARGS, json: { type: "boolean", description: "Print JSON" } },
  async run({ args, rawArgs }) {
    // Problems are among the findings, so they are not told twice.
    const { inventory, configured, exitCode } = await takeInventory(args, rawArgs, { warn: false, refresh: true });
    const [{ diagnose }, { tokenCounter }, { suspicionOf }] = await Promise.all([
      import("../inventory/doctor.ts"),
      import("../inventory/tokens.ts"),
      import("../../skills/using-mcp/judgements.ts"),
    ]);
    const tokensOf = await tokenCounter();
    const findings = diagnose(configured, inventory, { tokensOf, suspicionOf });
    const files = filesOf(configured);
    const servers = inventory.servers.map(({ name, state, tools }) => ({
      name,
      state,
      tools: tools.length,
      tokens: tokensOf(tools),
    }));
    if (args.json) printJson({ files, servers, findings });
    else {
      print(await formatFiles(files, configured, inventory));
      print(await formatCosts(servers));
      print(`\n${await formatFindings(findings)}`);
    }
    return exitCode;
  },
});

interface ConfiguredFile {
  file: string;
  host: string;
  scope: string;
  servers: string[];
}

/** Every file that configures something, in the order in which they count. */
function filesOf({ servers }: Configured): ConfiguredFile[] {
  const files = new Map<string, ConfiguredFile>();
  for (const { name, origins } of servers) {
    for (const { file, host, scope } of origins) {
      const known = files.get(file) ?? { file, host, scope, servers: [] };
      known.servers.push(name);
      files.set(file, known);
    }
  }
  return [...files.values()];
}

async function formatFiles(files: ConfiguredFile[], { servers }: Configured, inventory: Inventory): Promise<string> {
  if (files.length === 0) return "No MCP server is configured.";
  const ready = inventory.servers.filter(({ state }) => state === "ready").length;
  const rows = files.map(({ file, host, scope, servers }) => [
    printable(shortPath(file), 200),
    host,
    scope,
    servers.map((name) => printable(name, 60)).join(", "),
  ]);
  const table = isTerminal()
    ? await formatTable(["file", "host", "scope", "servers"], rows)
    : rows.map((row) => row.join("\t")).join("\n");
  return `${table}\n\n${ready} of ${servers.length} configured servers are ready.`;
}

/** The ready servers by what their declarations cost, the most expensive first. */
async function formatCosts(servers: { name: string; state: string; tools: number; tokens: number }[]): Promise<string> {
  const rows = servers
    .filter(({ state }) => state === "ready")
    .sort((left, right) => right.tokens - left.tokens)
    .slice(0, MOST_EXPENSIVE)
    .map(({ name, tools, tokens }) => [printable(name, 60), String(tools), tokens.toLocaleString("en-US")]);
  if (rows.length === 0) return "";
  const table = isTerminal()
    ? await formatTable(["server", "tools", "tokens"], rows)
    : rows.map((row) => row.join("\t")).join("\n");
  return `\n${table}`;
}

const MOST_EXPENSIVE = 5;

async function formatFindings(findings: Finding[]): Promise<string> {
  if (findings.length === 0) return "Nothing to say about them.";
  const colours = { error: "red", warning: "yellow", note: "gray" } as const;
  const rows = findings.map(({ level, server, tool, message, fix }) => [
    colour(colours[level], level),
    [server, tool]
      .filter((part) => part !== undefined)
      .map((part) => printable(part, 60))
      .join("/"),
    fix === undefined ? message : `${message}. ${fix}.`,
  ]);
  return isTerminal()
    ? formatTable(["", "where", "what, and what to do"], rows)
    : rows.map((row) => row.join("\t")).join("\n");
}
