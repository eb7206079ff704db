/** The options that every command with an inventory shares, and the inventory they lead to. */
import type { ArgsDef } from "citty";
import type { Inventory, Server } from "../core/contracts.ts";
import { describeError, PackError, printable } from "../core/errors.ts";
import type { Configured } from "../inventory/server-config.ts";
import { CONFIG_ARGS, type ConfigArgs, readConfig } from "./config-options.ts";
import { isTerminal, note } from "./io.ts";

export const INVENTORY_ARGS = {
  ...CONFIG_ARGS,
  timeout: {
    type: "string",
    description: "Limit for one server (default 10s; all together three times that): seconds, or 500ms, 5s",
    valueHint: "time",
  },
  strict: { type: "boolean", description: "Exit 1 when an enabled server failed" },
  quiet: { type: "boolean", description: "No progress and no warnings" },
  verbose: { type: "boolean", description: "Say of each server what was odd about its list" },
} as const satisfies ArgsDef;

export interface InventoryArgs extends ConfigArgs {
  timeout?: string | undefined;
  strict?: boolean | undefined;
  quiet?: boolean | undefined;
  verbose?: boolean | undefined;
}

export interface TakenInventory {
  inventory: Inventory;
  configured: Configured;
  /** 1 where `--strict` is given and an enabled server failed, else 0. */
  exitCode: 0 | 1;
}

/** Reads what is configured, connects to all of it at once and lists the tools; progress goes to a terminal's stderr. */
export async function takeInventory(args: InventoryArgs, rawArgs: string[]): Promise<TakenInventory> {
  const timeoutMs = parseTime(args.timeout ?? "10s");
  const configured = await readConfig(args, rawArgs, { ask: true });
  const live = args.quiet !== true && isTerminal(process.stderr);
  if (args.quiet !== true) for (const problem of configured.problems) note(`warning: ${describeError(problem)}`);
  const enabled = configured.servers.filter((server) => server.state === "enabled").length;
  if (live) note(`Connecting to ${enabled} server${enabled === 1 ? "" : "s"} …`);
  const { takeInventory: takeInventoryOf } = await import("../inventory/inventory.ts");
  const inventory = await takeInventoryOf(configured, {
    timeoutMs,
    totalMs: timeoutMs * 3,
    onProgress: live ? reportServer : undefined,
  });
  if (args.verbose === true) for (const server of inventory.servers) reportFlags(server);
  const failed = inventory.servers.some((server) => server.state === "failed");
  return { inventory, configured, exitCode: args.strict === true && failed ? 1 : 0 };
}

function reportServer(server: Server): void {
  const outcome = server.state === "ready" ? `${server.tools.length} tools` : (server.failure?.message ?? server.state);
  note(`  ${printable(server.name, 40)}: ${outcome}`);
}

function reportFlags({ name, flags }: Server): void {
  for (const { tool, message } of flags)
    note(`  ${printable(name, 40)}${tool === undefined ? "" : `, ${tool}`}: ${message}`);
}

/** `5s`, `500ms` or a bare number: seconds, and milliseconds from 1,000 up, since nobody waits that many seconds. */
export function parseTime(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text.trim());
  const value = Number(match?.[1] ?? Number.NaN);
  const milliseconds = match?.[2] === "ms" || (match?.[2] === undefined && value >= 1000) ? value : value * 1000;
  if (!(milliseconds >= 1 && milliseconds <= 3_600_000)) {
    throw new PackError("usage", `"${text}" is not a time`, { fix: "Give seconds, such as 10, or 500ms, 5s" });
  }
  return milliseconds;
}
