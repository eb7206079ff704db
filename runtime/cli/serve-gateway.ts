/** The gateway over what is configured here, for every transport of `serve`. */
import { resolve } from "node:path";
import type { ArgsDef } from "citty";
import type { LogRecord, Mode } from "../core/contracts.ts";
import { describeError, PackError, printable } from "../core/errors.ts";
import { inertJson } from "../core/json-text.ts";
import { loadSkills } from "../core/skill.ts";
import { qualifiedName } from "../core/tool.ts";
import type { Gateway, GatewayOptions } from "../gateway/gateway.ts";
import { startedByUs } from "../inventory/child.ts";
import type { Configured, ServerConfig } from "../inventory/server-config.ts";
import { CONFIG_ARGS, type ConfigArgs, currentPlace, readConfig } from "./config-options.ts";
import { INVENTORY_ARGS, parseTime, refreshLater } from "./inventory-options.ts";
import { note, repeated } from "./io.ts";
import { logTo } from "./log-file.ts";
import { packFolder } from "./pack-folder.ts";
import { VERSION } from "./version.ts";

const MODES: readonly Mode[] = ["interactive", "autonomous-guardrailed", "fully-agentic"];

export const GATEWAY_ARGS = {
  max: { type: "string", description: "How many tools a client sees at most, the four own included (default 8)" },
  pin: {
    type: "string",
    description: "A tool that is always loaded, such as mcp__github__list_issues; may be repeated",
    valueHint: "name",
  },
  mode: {
    type: "string",
    description: "What may run unasked (default autonomous-guardrailed: reads)",
    valueHint: MODES.join("|"),
  },
  ...CONFIG_ARGS,
  timeout: INVENTORY_ARGS.timeout,
  "call-timeout": {
    type: "string",
    description: "Limit for one call without progress (default 300s)",
    valueHint: "time",
  },
  idle: { type: "string", description: "Stop a server after so long without a call (default 300s)", valueHint: "time" },
  isolate: {
    type: "string",
    description: "Give every session this server for itself; may be repeated",
    valueHint: "server",
  },
  share: {
    type: "string",
    description: "Let all sessions share this server, though it may then ask no client; may be repeated",
    valueHint: "server",
  },
  log: {
    type: "string",
    description: "Append the gate's decisions to this file, one JSON record a line (default: stderr)",
    valueHint: "file",
  },
} as const satisfies ArgsDef;

export interface GatewayArgs extends ConfigArgs {
  max?: string | undefined;
  mode?: string | undefined;
  timeout?: string | undefined;
  "call-timeout"?: string | undefined;
  idle?: string | undefined;
  log?: string | undefined;
}

/**
 * Makes the gateway over the configured servers. It answers at once: the servers' tools come out of the cache or are listed
 * meanwhile. Throws `usage` for an option that does not fit, and `bad-settings` or `bad-rule` where the host's rules cannot be
 * read: a denial may stand in them.
 */
export async function gatewayFor(args: GatewayArgs, rawArgs: string[]): Promise<Gateway> {
  const options = readOptions(args, rawArgs);
  const [{ createGateway }, { readPermissions }, { joinPermissions, permissionProblems }] = await Promise.all([
    import("../gateway/gateway.ts"),
    import("../inventory/permissions.ts"),
    import("../../skills/using-mcp/judgements.ts"),
  ]);
  const permissions = joinPermissions(await readPermissions(process.cwd())) as GatewayOptions["permissions"];
  const configured = withoutItself(await readConfig(args, rawArgs), rawArgs);
  for (const problem of configured.problems) note(`warning: ${describeError(problem)}`);
  const names = configured.servers.map(({ name }) => name);
  for (const name of ["isolate", "share"].flatMap((option) => repeated(rawArgs, option))) {
    if (!names.includes(name)) note(`warning: no server "${printable(name, 60)}" is configured`);
  }
  for (const problem of permissionProblems(permissions, names)) {
    const error = new PackError("bad-rule", `The ${problem.list} rule "${problem.rule}" ${problem.message}`);
    if (problem.list !== "allow" && !problem.message.startsWith("names")) throw error;
    note(`warning: ${describeError(error)}`);
  }
  return createGateway({
    version: VERSION,
    servers: configured.servers,
    inventory: (signal) => inventoryOf(configured, args, rawArgs, signal),
    permissions,
    log: args.log === undefined ? (record: LogRecord) => note(inertJson(record)) : logTo(args.log),
    skills: skillsOnce(),
    ...options,
  });
}

function readOptions(args: GatewayArgs, rawArgs: string[]): Partial<GatewayOptions> {
  const { max, mode } = args;
  if (mode !== undefined && !MODES.includes(mode as Mode)) {
    throw new PackError("usage", `"${printable(mode, 40)}" is no mode`, { fix: `One of: ${MODES.join(", ")}` });
  }
  if (max !== undefined && !(/^[1-9][0-9]{0,3}$/.test(max) && Number(max) >= 4)) {
    throw new PackError("usage", `"${printable(max, 40)}" is not a number of tools`, {
      fix: "Give a whole number from 4",
    });
  }
  return {
    ...(max !== undefined && { max: Number(max) }),
    ...(mode !== undefined && { mode: mode as Mode }),
    pinned: repeated(rawArgs, "pin"),
    isolate: repeated(rawArgs, "isolate"),
    share: repeated(rawArgs, "share"),
    limits: {
      ...(args.timeout !== undefined && { connectMs: parseTime(args.timeout), ownConnectMs: false }),
      ...(args["call-timeout"] !== undefined && { callMs: parseTime(args["call-timeout"]) }),
      ...(args.idle !== undefined && { idleMs: parseTime(args.idle) }),
    },
  };
}

async function inventoryOf(configured: Configured, args: GatewayArgs, rawArgs: string[], signal: AbortSignal) {
  const { takeInventory } = await import("../inventory/inventory.ts");
  const timeoutMs = parseTime(args.timeout ?? "10s");
  let stale = false;
  const inventory = await takeInventory(configured, {
    timeoutMs,
    totalMs: timeoutMs * 3,
    ownLimits: args.timeout === undefined,
    cache: currentPlace(),
    signal,
    onCached: (cached) => {
      stale = cached.stale;
    },
  });
  if (signal.aborted) return inventory;
  for (const { name, failure } of inventory.servers) {
    if (failure !== undefined)
      note(`warning: ${printable(name, 60)}: ${describeError(new PackError(failure.kind, failure.message))}`);
  }
  const tools = inventory.servers.flatMap((server) => server.tools.map(({ name }) => qualifiedName(server.name, name)));
  for (const name of repeated(rawArgs, "pin")) {
    if (!tools.includes(name)) note(`warning: there is no tool "${printable(name, 140)}" to pin`);
  }
  if (stale) await refreshLater(rawArgs);
  return inventory;
}

/** How deep gateways that were given their servers by name may stand behind each other. */
const MAX_DEPTH = 2;

/**
 * The gateway stands in the host's configuration that it reads: it leaves itself out. One that another of ours started finds
 * no servers in the hosts' files, or each would start the next without end.
 */
function withoutItself(configured: Configured, rawArgs: string[]): Configured {
  const depth = startedByUs();
  const named = repeated(rawArgs, "config").length > 0;
  if (depth > (named ? MAX_DEPTH : 0)) {
    note("warning: started by another gateway, so no servers are served here");
    return { servers: [], problems: [] };
  }
  return { ...configured, servers: configured.servers.filter((config) => !isItself(config)) };
}

function isItself({ target }: ServerConfig): boolean {
  if (target?.transport !== "stdio" || !target.args.includes("serve")) return false;
  return [target.command, ...target.args].some(
    (part) =>
      /(?:^|[\\/])mcp-skill(?:s|-pack)(?:\.mjs|\.cmd)?(?:@[^\\/]*)?$/.test(part) || resolve(part) === process.argv[1],
  );
}

function skillsOnce(): NonNullable<GatewayOptions["skills"]> {
  let skills: ReturnType<NonNullable<GatewayOptions["skills"]>> | undefined;
  return () => {
    skills ??= loadSkills(packFolder()).then((loaded) => loaded.skills);
    return skills;
  };
}
