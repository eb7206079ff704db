/** Reads what is configured, without starting anything. A file or an entry that cannot be read costs only itself. */
import { PackError, printable } from "../core/errors.ts";
import { approveServers } from "./approvals.ts";
import { pluginPaths } from "./claude-plugins.ts";
import { createReader } from "./config-reader.ts";
import { rulingFiles, underRule } from "./exclusive.ts";
import { explicitPath } from "./file-servers.ts";
import { type HostPath, hostPaths, type Place, projectFolders } from "./host-files.ts";
import { HOSTS } from "./hosts/table.ts";
import { mergeServers, type ReadServer } from "./merge.ts";
import type { Configured, ServerConfig } from "./server-config.ts";

export interface ConfiguredOptions extends Place {
  /** Read these files and no host's own; naming a file is the user's word for what it starts. */
  configs?: readonly string[];
  /** Only these hosts' files, by id. */
  hosts?: readonly string[];
  /** Only these servers, by name. */
  only?: readonly string[];
  /** Approve every server of the project as it stands, and remember it. */
  trustProject?: boolean;
}

/** Throws only `usage`, for a host or a server that does not exist; everything else is among the problems. */
export async function readConfigured(options: ConfiguredOptions): Promise<Configured> {
  const folders = projectFolders(options);
  const files = options.configs?.map((path) => explicitPath(path, options)) ?? (await hostFiles(options, folders));
  const read = createReader(options, folders, { explicit: options.configs !== undefined });
  const ruling = options.configs === undefined ? rulingFiles(files) : new Map<string, string>();
  const found: ReadServer[] = [];
  const problems: PackError[] = [];
  for (const file of files) {
    try {
      found.push(...underRule(await read(file, problems), file, ruling));
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      problems.push(error);
    }
  }
  const merged = mergeServers(found);
  const configured = { servers: chosenServers(merged.servers, options), problems: [...problems, ...merged.problems] };
  if (options.trustProject === true) remember(configured, options);
  return configured;
}

async function hostFiles(options: ConfiguredOptions, folders: string[]): Promise<HostPath[]> {
  const hosts = chosenHosts(options);
  const plugins = hosts.some(({ id }) => id === "claude-code") ? await pluginPaths(options, folders) : [];
  return [...hostPaths(hosts, options, folders), ...plugins];
}

function chosenHosts({ hosts }: ConfiguredOptions) {
  if (hosts === undefined) return HOSTS;
  const unknown = hosts.find((id) => !HOSTS.some((host) => host.id === id));
  if (unknown === undefined) return HOSTS.filter(({ id }) => hosts.includes(id));
  throw new PackError("usage", `There is no host "${printable(unknown, 60)}"`, {
    fix: `One of: ${HOSTS.map(({ id }) => id).join(", ")}`,
  });
}

function chosenServers(servers: ServerConfig[], { only }: ConfiguredOptions): ServerConfig[] {
  if (only === undefined) return servers;
  const unknown = only.find((name) => !servers.some((server) => server.name === name));
  if (unknown === undefined) return servers.filter(({ name }) => only.includes(name));
  const names = servers.map(({ name }) => printable(name, 60)).join(", ");
  throw new PackError("usage", `No server "${printable(unknown, 60)}" is configured`, {
    fix: names === "" ? "No server is configured at all" : `One of: ${names}`,
  });
}

function remember(configured: Configured, place: Place): void {
  try {
    approveServers(configured.servers, place);
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    configured.problems.push(error);
  }
}
