/** The options that every command with an inventory shares, and the inventory they lead to. */
import type { ArgsDef } from "citty";
import type { Inventory, Server } from "../core/contracts.ts";
import { describeError, PackError, printable } from "../core/errors.ts";
import type { Configured } from "../inventory/server-config.ts";
import { CONFIG_ARGS, type ConfigArgs, currentPlace, readConfig } from "./config-options.ts";
import { note } from "./io.ts";
import { type Progress, showProgress } from "./progress.ts";

export const INVENTORY_ARGS = {
  ...CONFIG_ARGS,
  timeout: {
    type: "string",
    description:
      "Limit for one server (default its own, else 10s; all together three times that): seconds, or 500ms, 5s",
    valueHint: "time",
  },
  refresh: {
    type: "boolean",
    description: "List every server anew instead of taking lists of the last day from the cache",
  },
  strict: { type: "boolean", description: "Exit 1 where a server that is not switched off gave no tools" },
  quiet: { type: "boolean", description: "No questions, no progress and no warnings" },
  verbose: { type: "boolean", description: "Tell of each server as it is done, and what was odd about its list" },
} as const satisfies ArgsDef;

export interface InventoryArgs extends ConfigArgs {
  timeout?: string | undefined;
  refresh?: boolean | undefined;
  strict?: boolean | undefined;
  quiet?: boolean | undefined;
  verbose?: boolean | undefined;
}

export interface TakenInventory {
  inventory: Inventory;
  configured: Configured;
  /** 1 where `--strict` is given and a server that is not switched off gave no tools, else 0. */
  exitCode: 0 | 1;
}

/**
 * Reads what is configured and gives its tools: from the cache where they were listed in the last day, else by connecting
 * to all at once. Progress goes to a terminal's stderr. Without `warn`, the caller tells of the problems himself.
 */
export async function takeInventory(
  args: InventoryArgs,
  rawArgs: string[],
  { warn = true, refresh = args.refresh === true } = {},
): Promise<TakenInventory> {
  const timeoutMs = parseTime(args.timeout ?? "10s");
  const { quiet = false, verbose = false, strict = false } = args;
  const [configured, { takeInventory: takeInventoryOf }] = await Promise.all([
    readConfig(args, rawArgs, { ask: !quiet }),
    import("../inventory/inventory.ts"),
  ]);
  if (warn && !quiet) for (const problem of configured.problems) note(`warning: ${describeError(problem)}`);
  let stale = false;
  let progress: Progress | undefined;
  const inventory = await takeInventoryOf(configured, {
    timeoutMs,
    totalMs: timeoutMs * 3,
    ownLimits: args.timeout === undefined,
    onStart(names) {
      progress = showProgress(names, { quiet, verbose });
    },
    onProgress: (server) => progress?.done(server),
    cache: currentPlace(),
    refresh,
    onCached(cached) {
      stale = cached.stale;
      if (!quiet) note(ageLine(cached));
    },
  });
  if (stale) await refreshLater(rawArgs);
  if (verbose && !quiet) for (const server of inventory.servers) reportFlags(server);
  const failed = inventory.servers.some((server) => server.state === "failed");
  return { inventory, configured, exitCode: strict && failed ? 1 : 0 };
}

function ageLine({ servers, oldestMs }: { servers: number; oldestMs: number }): string {
  const minutes = Math.floor(oldestMs / 60_000);
  const age = minutes < 1 ? "less than a minute" : minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return `${servers} server${servers === 1 ? "" : "s"} from the cache, ${age} old; --refresh lists anew`;
}

/** Lists the servers that these options mean anew in the background, where no other process has just begun to. */
export async function refreshLater(rawArgs: string[]): Promise<void> {
  const [{ refreshInBackground }, { claimRefresh }] = await Promise.all([
    import("./background-refresh.ts"),
    import("../inventory/cache.ts"),
  ]);
  if (claimRefresh(currentPlace(), Date.now())) refreshInBackground(rawArgs);
}

function reportFlags({ name, flags }: Server): void {
  for (const { tool, message } of flags)
    note(`  ${printable(name, 40)}${tool === undefined ? "" : `, ${printable(tool, 60)}`}: ${printable(message, 300)}`);
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
