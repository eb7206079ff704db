/** An administrator's list, where a host has one: the host starts no server of any other file, so neither do we. */
import { existsSync } from "node:fs";
import type { HostPath } from "./host-files.ts";
import type { ReadServer } from "./merge.ts";

/** The administrators' files that are there, by host. One that cannot be read rules as well: what it allows is unknown. */
export function rulingFiles(files: readonly HostPath[]): Map<string, string> {
  const ruling = files.filter(({ file, path }) => file.exclusive === true && existsSync(path));
  return new Map(ruling.map(({ host, path }) => [host.id, path]));
}

/** Switches off what a file configures whose host another file rules. An invalid entry stays what it is. */
export function underRule(servers: ReadServer[], file: HostPath, ruling: ReadonlyMap<string, string>): ReadServer[] {
  const rule = ruling.get(file.host.id);
  if (rule === undefined || file.file.exclusive === true) return servers;
  for (const { config } of servers) {
    if (config.state === "invalid") continue;
    config.state = "disabled";
    config.reason = { kind: "config", message: `${file.host.title} uses only what ${rule} lists` };
  }
  return servers;
}
