/** Many files, one list: what is configured under one name in several places. */
import { PackError, printable } from "../core/errors.ts";
import type { Configured, ServerConfig, ServerTarget } from "./server-config.ts";

/** An entry as read, with where it points as written, so that entries without a target can be compared too. */
export interface ReadServer {
  config: ServerConfig;
  /** The command with its arguments, or the address, unexpanded; absent where the entry has neither. */
  written?: string | undefined;
  /** Whether it is a duplicate of any server with the same target, whatever its name. */
  byTarget?: boolean;
}

/**
 * Servers in the order of the files, which is the order in which they count. The same name with the same target is one
 * server with several origins; with another target, the later one is shadowed. An invalid entry never stands in the
 * way of a good one of the same name: it becomes a problem.
 */
export function mergeServers(found: readonly ReadServer[]): Configured {
  const counting = new Map<string, ReadServer>();
  const servers: ServerConfig[] = [];
  const problems: PackError[] = [];
  for (const server of found) {
    const { config } = server;
    const first = counting.get(config.name) ?? (server.byTarget ? sameTarget(server, counting) : undefined);
    if (first === undefined) {
      counting.set(config.name, server);
      servers.push(config);
    } else if (first.config.state === "invalid") {
      problems.push(asProblem(first.config));
      servers[servers.indexOf(first.config)] = config;
      counting.set(config.name, server);
    } else if (config.state === "invalid") problems.push(asProblem(config));
    else if (isSameTarget(first, server)) join(first.config, config);
    else servers.push(shadowed(config, first.config));
  }
  return { servers, problems };
}

function sameTarget(server: ReadServer, counting: ReadonlyMap<string, ReadServer>): ReadServer | undefined {
  return [...counting.values()].find(
    (known) => known.config.state !== "invalid" && server.config.state !== "invalid" && isSameTarget(known, server),
  );
}

function join(first: ServerConfig, again: ServerConfig): void {
  first.origins.push(...again.origins);
  // What the user configured word for word himself needs no approval when a project configures it too.
  if (first.state === "needs-approval" && again.state === "enabled" && exact(first) === exact(again)) {
    first.state = "enabled";
    first.reason = undefined;
  }
}

function exact({ target, allowTools, denyTools }: ServerConfig): string {
  return JSON.stringify([sorted(target), allowTools, denyTools]);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}

function isSameTarget(left: ReadServer, right: ReadServer): boolean {
  const [a, b] = [left.config.target, right.config.target];
  if (a !== undefined && b !== undefined) return endpointOf(a) === endpointOf(b);
  return left.written !== undefined && left.written === right.written;
}

/** What makes two targets the same server: the command with its arguments, or the address without a closing slash. */
export function endpointOf(target: ServerTarget): string {
  if (target.transport === "stdio") return JSON.stringify([target.command, ...target.args]);
  return URL.canParse(target.url) ? new URL(target.url).href.replace(/\/$/, "") : target.url;
}

function shadowed(config: ServerConfig, first: ServerConfig): ServerConfig {
  const { approval: _approval, target: _target, ...rest } = config;
  const place = first.origins[0]?.file ?? "another file";
  const message = `Another server of this name counts, from ${printable(place, 300)}`;
  return { ...rest, state: "shadowed", reason: { kind: "config", message, fix: "Rename one of the two" } };
}

function asProblem({ name, reason, origins }: ServerConfig): PackError {
  return new PackError("bad-entry", `${printable(name, 60)}: ${reason?.message ?? "The entry cannot be used"}`, {
    file: origins[0]?.file,
    fix: reason?.fix,
  });
}
