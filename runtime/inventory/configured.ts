/** Reads what is configured, without starting anything. A file or an entry that cannot be read costs only itself. */
import { parseEnv } from "node:util";
import { PackError, printable } from "../core/errors.ts";
import { type Approvals, approveServers, entryHash, isApproved, readApprovals } from "./approvals.ts";
import { type ClaudeApprovals, readClaudeApprovals } from "./claude-approvals.ts";
import { pluginPaths } from "./claude-plugins.ts";
import { type ConfigObject, parseConfig } from "./config-format.ts";
import { readEntry } from "./entry.ts";
import { explicitPath, serversIn } from "./file-servers.ts";
import { type HostPath, hostPaths, type Place, pathOf, projectFolders, resolved } from "./host-files.ts";
import type { EntryRules } from "./hosts/host.ts";
import { HOSTS } from "./hosts/table.ts";
import { mergeServers, type ReadServer } from "./merge.ts";
import { readText } from "./read-text.ts";
import type { Configured, ServerConfig } from "./server-config.ts";
import { describeTarget, writtenTarget } from "./written-target.ts";

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
  const reader = await createReader(options, folders);
  const found: ReadServer[] = [];
  const problems: PackError[] = [];
  for (const file of files) {
    try {
      found.push(...(await reader(file, problems)));
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

type FileReader = (file: HostPath, problems: PackError[]) => Promise<ReadServer[]>;

async function createReader(options: ConfiguredOptions, folders: string[]): Promise<FileReader> {
  const parsed = new Map<string, ConfigObject | null | PackError>();
  const project = resolved(folders.at(-1) ?? options.cwd);
  const known = lazily(async () => ({
    approvals: readApprovals(options),
    claude: await readClaudeApprovals(options, folders),
  }));
  return async (file, problems) => {
    const root = await parsedOnce(file, parsed, options);
    if (root === null) return [];
    const { entries, rules, problems: found } = serversIn(root, file);
    problems.push(...found);
    const named = (name: string) => `${file.prefix ?? ""}${name}`;
    const read = entries.map(([name, raw]) => readServer(named(name), raw, { root, rules, file }, options));
    if (file.file.scope !== "project" || read.length === 0) return read;
    const { approvals, claude } = await known();
    entries.forEach(([name, raw], at) => {
      const server = read[at];
      if (server === undefined) return;
      const folder = pathOf(options.platform).relative(project, resolved(file.folder));
      const hash = entryHash(file.host.id, folder, name, raw);
      gate(server, { project, hash, summary: describeTarget(raw) }, file, approvals, claude);
    });
    return read;
  };
}

async function parsedOnce(
  { path, file }: HostPath,
  parsed: Map<string, ConfigObject | null | PackError>,
  { configs }: ConfiguredOptions,
): Promise<ConfigObject | null> {
  let root = parsed.get(path);
  if (root === undefined) {
    try {
      const text = readText(path);
      if (text === null && configs !== undefined) {
        throw new PackError("unreadable", "The file does not exist", { file: path, fix: "Check the path" });
      }
      root = text === null ? null : await parseConfig(text, file.format, path);
    } catch (error) {
      if (!(error instanceof PackError)) throw error;
      // Told once, however many lists the file would have held.
      parsed.set(path, null);
      throw error;
    }
    parsed.set(path, root);
  }
  return root instanceof PackError ? null : root;
}

interface EntrySource {
  root: ConfigObject;
  rules: EntryRules;
  file: HostPath;
}

function readServer(name: string, raw: unknown, source: EntrySource, options: ConfiguredOptions): ReadServer {
  const { root, rules, file } = source;
  const { host, folder, path } = file;
  const { env, home, platform } = options;
  const { isAbsolute, join, dirname } = pathOf(platform);
  const scope = options.configs === undefined ? file.file.scope : "explicit";
  // As hosts do: a path in a value is relative to the project, in a `{file:…}` to the file it stands in.
  const text = (base: string, name: string) => {
    const expanded = name.startsWith("~/") ? join(home, name.slice(2)) : name;
    try {
      return readText(isAbsolute(expanded) ? expanded : join(base, expanded));
    } catch {
      return null;
    }
  };
  const config = readEntry(name, raw, {
    origin: { host: host.id, file: path, scope },
    rules,
    scope: {
      env: { CLAUDE_PROJECT_DIR: folder, ...env, ...file.env },
      workspaceFolder: folder,
      userHome: home,
      platform,
      readFile: (file) => text(dirname(path), file),
    },
    readEnvFile: (file) => {
      const content = text(folder, file);
      return content === null ? null : (parseEnv(content) as Record<string, string>);
    },
    switchedOff: host.switchedOff?.(root, name, folder) ?? false,
  });
  const { deny = [] } = host.toolLists?.(root, name) ?? {};
  if (deny.length > 0) config.denyTools = [...(config.denyTools ?? []), ...deny];
  if (config.target?.transport === "stdio") {
    const { cwd } = config.target;
    if (cwd !== undefined && !isAbsolute(cwd)) config.target.cwd = join(folder, cwd);
    else if (cwd === undefined && folder !== options.cwd && scope === "project") config.target.cwd = folder;
  }
  return { config, written: writtenTarget(raw), byTarget: file.prefix !== undefined };
}

function gate(
  { config }: ReadServer,
  approval: NonNullable<ServerConfig["approval"]>,
  file: HostPath,
  approvals: Approvals,
  claude: ClaudeApprovals,
): void {
  const isClaudes = file.host.id === "claude-code";
  if (isClaudes && claude.refuses(config.name) && config.state !== "invalid") {
    config.state = "disabled";
    config.reason = { kind: "config", message: "Refused in Claude Code (disabledMcpjsonServers)" };
    return;
  }
  if (config.state !== "enabled") return;
  config.approval = approval;
  if (isApproved(approvals, approval) || (isClaudes && claude.approves(config.name))) return;
  config.state = "needs-approval";
  config.reason = {
    kind: "needs-approval",
    message: "The project configures it, and you have not approved that yet",
    fix: "Look at the entry, then run this on a terminal or give --trust-project",
  };
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
