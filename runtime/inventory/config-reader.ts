/** From one host's file to its servers, each gated by the user's approval where the project brings it. */
import { parseEnv } from "node:util";
import { PackError } from "../core/errors.ts";
import { type Approvals, entryHash, isApproved, readApprovals } from "./approvals.ts";
import { type ClaudeApprovals, readClaudeApprovals } from "./claude-approvals.ts";
import { type ConfigObject, parseConfig } from "./config-format.ts";
import { readEntry } from "./entry.ts";
import { serversIn } from "./file-servers.ts";
import { type HostPath, type Place, pathOf, resolved } from "./host-files.ts";
import type { EntryRules } from "./hosts/host.ts";
import type { ReadServer } from "./merge.ts";
import { readText } from "./read-text.ts";
import type { ServerConfig } from "./server-config.ts";
import { describeTarget, writtenTarget } from "./written-target.ts";

/** Reads the servers of one file; entries that have no name are added to the problems. Throws a `PackError` for a bad file. */
export type FileReader = (file: HostPath, problems: PackError[]) => Promise<ReadServer[]>;

export interface ReaderOptions {
  /** Whether the files are ones that the user named: they must exist, and their servers need no approval. */
  explicit: boolean;
}

/** A reader for one place. It keeps what it has parsed, and looks for approvals only when a project configures something. */
export function createReader(place: Place, folders: readonly string[], { explicit }: ReaderOptions): FileReader {
  const parsed = new Map<string, ConfigObject | null>();
  const project = resolved(folders.at(-1) ?? place.cwd);
  const known = lazily(async () => ({
    approvals: readApprovals(place),
    claude: await readClaudeApprovals(place, folders),
  }));
  return async (file, problems) => {
    const root = await parsedOnce(file, parsed, explicit);
    if (root === null) return [];
    const { entries, rules, problems: found } = serversIn(root, file);
    problems.push(...found);
    const named = (name: string) => `${file.prefix ?? ""}${name}`;
    const read = entries.map(([name, raw]) => readServer(named(name), raw, { root, rules, file, explicit }, place));
    if (file.file.scope !== "project" || read.length === 0) return read;
    const { approvals, claude } = await known();
    const folder = pathOf(place.platform).relative(project, resolved(file.folder));
    for (const [at, [name, raw]] of entries.entries()) {
      const server = read[at];
      if (server === undefined) continue;
      const hash = await entryHash(file.host.id, folder, name, raw);
      gate(server, { project, hash, summary: describeTarget(raw) }, file, approvals, claude);
    }
    return read;
  };
}

/** A file's content, `null` where it is not there. A file that cannot be read is told once, however many lists it holds. */
async function parsedOnce(
  { path, file }: HostPath,
  parsed: Map<string, ConfigObject | null>,
  mustExist: boolean,
): Promise<ConfigObject | null> {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  parsed.set(path, null);
  const text = readText(path);
  if (text === null && mustExist) {
    throw new PackError("unreadable", "The file does not exist", { file: path, fix: "Check the path" });
  }
  const root = text === null ? null : await parseConfig(text, file.format, path);
  parsed.set(path, root);
  return root;
}

interface EntrySource {
  root: ConfigObject;
  rules: EntryRules;
  file: HostPath;
  explicit: boolean;
}

function readServer(name: string, raw: unknown, source: EntrySource, place: Place): ReadServer {
  const { root, rules, file, explicit } = source;
  const { host, folder, path } = file;
  const { env, home, platform } = place;
  const { isAbsolute, join, dirname } = pathOf(platform);
  const scope = explicit ? "explicit" : file.file.scope;
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
    else if (cwd === undefined && folder !== place.cwd && scope === "project") config.target.cwd = folder;
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
    fix: "Look at the entry, then run discover on a terminal, or give --trust-project",
  };
}

function lazily<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
