/** Which part of a parsed file lists its servers, and whose file one is that the user names himself. */
import { PackError, printable } from "../core/errors.ts";
import { type ConfigFormat, type ConfigObject, isObject } from "./config-format.ts";
import { type HostPath, type Place, pathOf } from "./host-files.ts";
import type { EntryRules, Host, HostFile } from "./hosts/host.ts";
import { HOSTS } from "./hosts/table.ts";

/** A file that no host's table knows by its path. Its list is found by its key. */
const EXPLICIT: Host = { id: "explicit", title: "Named file", files: [] };

/** Keys that hold servers in some host's files, in the order in which they are looked for. */
const ROOT_KEYS = ["mcpServers", "servers", "mcp_servers", "amp.mcpServers", "context_servers", "mcp", "extensions"];

/** Notations and units of the hosts that own a key, for files that are recognised by the key alone. */
const KEY_OWNERS: Record<string, string> = {
  mcp: "opencode",
  mcp_servers: "codex",
  extensions: "goose",
  context_servers: "zed",
};

export interface FileServers {
  entries: [name: string, raw: unknown][];
  /** How the entries are to be read. */
  rules: EntryRules;
  problems: PackError[];
}

/** The entries of one file. A file without a list has none; a list of the wrong kind is a `bad-config`. */
export function serversIn(root: ConfigObject, file: HostPath): FileServers {
  const list = listIn(root, file);
  if (list === undefined) {
    if (file.host.id !== EXPLICIT.id) return { entries: [], rules: {}, problems: [] };
    throw new PackError("bad-config", "The file lists no servers", {
      file: file.path,
      fix: `Write them under one of: ${ROOT_KEYS.join(", ")}`,
    });
  }
  const rules = rulesOf(root, list, file.host);
  const problems: PackError[] = [];
  const entries: [string, unknown][] = [];
  const add = (name: string, raw: unknown) => {
    const entry = unnested(raw, rules);
    if (isObject(entry) && typeof entry.type === "string" && rules.skipTypes?.includes(entry.type)) return;
    entries.push([name, entry]);
  };
  if (Array.isArray(list)) {
    list.forEach((raw: unknown, at) => {
      // Continue refers to a block of its hub by `uses`, without a name.
      const name = isObject(raw) ? (raw.name ?? raw.uses) : undefined;
      if (typeof name === "string" && name !== "") add(name, raw);
      else problems.push(badEntry(file.path, `Entry ${at + 1} of the list has no name`));
    });
  } else if (isObject(list)) {
    for (const [name, raw] of Object.entries(list)) add(name, raw);
  } else if (list !== null) {
    throw new PackError("bad-config", "The list of servers is neither an object nor a list", {
      file: file.path,
      fix: "Write one entry for each name",
    });
  }
  return { entries, rules, problems };
}

function listIn(root: ConfigObject, { file, path, root: keys, host }: HostPath): unknown {
  let list: unknown = root;
  for (const key of keys) list = isObject(list) && Object.hasOwn(list, key) ? list[key] : undefined;
  if (list !== undefined && keys.length > 0) return list;
  // Only a file that is all about MCP may use another host's key: in a settings file it means something else.
  if (host.id === EXPLICIT.id || /mcp[^/\\]*$/i.test(path)) {
    const known = host.id === EXPLICIT.id ? ROOT_KEYS : ["mcpServers", "servers"];
    const key = known.find((name) => Object.hasOwn(root, name));
    if (key !== undefined) return root[key];
  }
  return file.bare === true ? bareMap(root) : undefined;
}

/** The file itself as the map, where at least one value looks like a server. */
function bareMap(root: ConfigObject): ConfigObject | undefined {
  const servers = Object.entries(root).filter(
    ([, value]) =>
      isObject(value) && ["command", "url", "serverUrl", "httpUrl"].some((key) => Object.hasOwn(value, key)),
  );
  return servers.length === 0 ? undefined : Object.fromEntries(servers);
}

function unnested(raw: unknown, { nested }: EntryRules): unknown {
  if (nested === undefined || !isObject(raw) || !isObject(raw[nested])) return raw;
  const { [nested]: inner, ...outer } = raw;
  return { ...(inner as ConfigObject), ...outer };
}

function badEntry(file: string, message: string): PackError {
  return new PackError("bad-entry", printable(message), { file, fix: "Mend the entry" });
}

/** The host's own rules; for a file that only its key tells, those of the host that has this key. */
function rulesOf(root: ConfigObject, list: unknown, host: Host): EntryRules {
  if (host.id !== EXPLICIT.id) return host.entries ?? {};
  const key = ROOT_KEYS.find((name) => root[name] === list) ?? "";
  return HOSTS.find(({ id }) => id === KEY_OWNERS[key])?.entries ?? {};
}

/** A file the user names: read as the host whose file it is by its path, else by its extension and its keys. */
export function explicitPath(path: string, place: Place): HostPath {
  const { resolve, extname } = pathOf(place.platform);
  const full = resolve(place.cwd, path);
  const known = hostOf(full, place);
  if (known !== undefined) return known;
  const format = FORMATS[extname(full).toLowerCase()] ?? "jsonc";
  const file: HostFile = { scope: "user", paths: [], format, root: [] };
  return { host: EXPLICIT, file, path: full, folder: place.cwd, root: [] };
}

const FORMATS: Record<string, ConfigFormat> = { ".toml": "toml", ".yaml": "yaml", ".yml": "yaml" };

function hostOf(full: string, { platform, cwd }: Place): HostPath | undefined {
  const { sep } = pathOf(platform);
  const segments = full.split(sep);
  let best: { length: number; found: HostPath } | undefined;
  for (const host of HOSTS) {
    for (const file of host.files.filter(({ root }) => !root.includes("<project>"))) {
      for (const template of file.paths) {
        const tail = template.replace(/^<[^>]*>\//, "").split("/");
        if (tail.length <= (best?.length ?? 0) || !endsWith(segments, tail)) continue;
        const folder = file.scope === "project" ? segments.slice(0, -tail.length).join(sep) || sep : cwd;
        // Naming it is the user's word, so it counts as his own file.
        const found = { host, file: { ...file, scope: "user" as const }, path: full, folder, root: [...file.root] };
        best = { length: tail.length, found };
      }
    }
  }
  return best?.found;
}

function endsWith(segments: string[], tail: string[]): boolean {
  if (tail.length >= segments.length || tail[0] === "") return false;
  return tail.every((pattern, at) => {
    const segment = segments[segments.length - tail.length + at] ?? "";
    const [start = "", end] = pattern.split("*");
    return end === undefined ? segment === pattern : segment.startsWith(start) && segment.endsWith(end);
  });
}
