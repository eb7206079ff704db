/** Lists faulty servers in one call beside a good one, and says what must hold for every one of them. */
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { FailureKind, Server } from "../../runtime/core/contracts.ts";
import { takeInventory } from "../../runtime/inventory/inventory.ts";
import type { ServerConfig, ServerTarget } from "../../runtime/inventory/server-config.ts";
import { ROOT, SERVER_RUNTIME } from "../support/cli.ts";
import { processesOf } from "../support/processes.ts";

/** What is right for one server. */
export interface Expected {
  /** Given exactly for a server that fails; without it the server is ready. */
  failure?: FailureKind;
  /** What the failure's message must hold. */
  says?: RegExp;
  /** The names of its tools, or their number; default `first` and `second` of a ready server. */
  tools?: string[] | number;
  /** The kinds of its flags, each once, in order; default none. */
  flags?: string[];
  /** Its own limit; default the generous one of the call. */
  timeoutMs?: number;
  check?(server: Server): void;
}

/** Long enough for a busy machine: only a server that hangs waits for its limit, and that has a short one of its own. */
const LIMIT_MS = 20_000;

export function stdioServer(name: string, home: string, args: string[] = [name], timeoutMs?: number): ServerConfig {
  const program = `${ROOT}test/faults/stdio-server.mjs`;
  return serverOf(
    name,
    { transport: "stdio", command: SERVER_RUNTIME, args: [program, ...args], env: { HOME: home } },
    timeoutMs,
  );
}

export function serverOf(name: string, target: ServerTarget, timeoutMs?: number): ServerConfig {
  return { name, state: "enabled", target, origins: [], ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

/** A folder that stands for the home of all servers of one test, by which their processes are found. */
export function makeServersHome(): { home: string; remove(): void } {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "mcp faults ")));
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
}

/** Lists the servers with a good one before and one after them, and compares each with what is right for it. */
export async function listBeside(
  home: string,
  expected: Record<string, Expected>,
  config: (name: string, timeoutMs: number | undefined) => ServerConfig,
): Promise<void> {
  const names = Object.keys(expected);
  const configs = [
    stdioServer("good", home, ["paged"]),
    ...names.map((name) => config(name, expected[name]?.timeoutMs)),
    stdioServer("good too", home, ["ok"]),
  ];
  const limits = { timeoutMs: LIMIT_MS, totalMs: LIMIT_MS };
  const { servers } = await takeInventory({ servers: configs, problems: [] }, limits);
  assert.deepEqual(await processesLeft(home), [], "no process is left");
  const shown = servers.map((server) => [server.name, short(server, expected[server.name])]);
  const right = [
    ["good", { tools: ["tool_0", "tool_1", "tool_2"], flags: [] }],
    ...names.map((name) => [name, rightFor(expected[name] as Expected)]),
    ["good too", { tools: ["first", "second"], flags: [] }],
  ];
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(right));
  for (const server of servers) {
    const { says, check } = expected[server.name] ?? {};
    if (says !== undefined) assert.match(server.failure?.message ?? "", says, server.name);
    check?.(server);
  }
}

/** What still runs once what was killed had the time to go: the kernel takes a killed grandchild away when it gets to it. */
export async function processesLeft(home: string): Promise<string[]> {
  for (let looks = 0; looks < 100 && processesOf(home).length > 0; looks++) await setTimeout(20);
  return processesOf(home);
}

function short(server: Server, expected?: Expected) {
  const names = server.tools.map(({ name }) => name);
  const flags = [...new Set(server.flags.map(({ kind }) => kind))];
  if (server.state === "failed") return { failure: server.failure?.kind, flags };
  return { tools: typeof expected?.tools === "number" ? names.length : names, flags };
}

function rightFor({ failure, tools = ["first", "second"], flags = [] }: Expected) {
  return failure === undefined ? { tools, flags } : { failure, flags };
}
