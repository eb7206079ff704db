/** Where the hosts' files are on this machine: the table's path templates, resolved for a working directory, a home and a platform. */
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { posix, win32 } from "node:path";
import type { Host, HostFile, PathTemplate } from "./hosts/host.ts";

/** What the paths depend on. `platform` is a `process.platform`. */
export interface Place {
  cwd: string;
  home: string;
  env: Record<string, string | undefined>;
  platform: string;
}

/** A file that a host would read, whether or not it is there. */
export interface HostPath {
  host: Host;
  file: HostFile;
  path: string;
  /** The project's folder that it belongs to; for user files the working directory. */
  folder: string;
  /** The keys to the servers, with `<project>` filled in. */
  root: string[];
  /** Variables that only this file's entries know. */
  env?: Record<string, string>;
  /** What the host puts before the names in this file. Such servers count as duplicates by what they start. */
  prefix?: string;
}

/** The working directory and its parents up to the repository's root, closest first; without a repository only the first. */
export function projectFolders({ cwd, platform }: Place): string[] {
  const { dirname, join } = pathOf(platform);
  const folders = [cwd];
  for (let folder = cwd; ; ) {
    if (existsSync(join(folder, ".git"))) return folders;
    const parent = dirname(folder);
    if (parent === folder) return [cwd];
    folder = parent;
    folders.push(folder);
  }
}

/**
 * Every file to read, the one that counts most first: what an administrator set, what the user set for this very project,
 * then the project's own files (closest folder first), then the user's. A file that is the user's own is never read as a project's.
 */
export function hostPaths(hosts: readonly Host[], place: Place, folders: readonly string[]): HostPath[] {
  const found = folders.flatMap((folder) =>
    hosts.flatMap((host) =>
      host.files
        .filter(({ platforms }) => platforms?.includes(place.platform) ?? true)
        .flatMap((file) =>
          file.paths.flatMap((template) =>
            pathsOf(template, host, place, folder).flatMap((path) =>
              rootsOf(file, folder, place).map((root) => ({ host, file, path, folder, root })),
            ),
          ),
        ),
    ),
  );
  const users = new Set(found.filter(({ file }) => file.scope === "user").map(({ path }) => path));
  const seen = new Set<string>();
  return found
    .filter(({ file, path }) => file.scope === "user" || !users.has(path))
    .filter(({ path, root }) => {
      const key = JSON.stringify([path, root]);
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .map((found) => ({ found, rank: rankOf(found.file) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ found }) => found);
}

function rankOf(file: HostFile): number {
  if (file.exclusive === true) return -1;
  if (file.root.includes("<project>")) return 0;
  return file.scope === "project" ? 1 : 2;
}

/** The paths that a template stands for in one folder; several where it holds `*`, none where its root does not exist. */
export function pathsOf(template: PathTemplate, host: Host, place: Place, folder: string): string[] {
  const { join } = pathOf(place.platform);
  const [, root = "", rest = ""] = /^<([^>]*)>\/(.*)$/s.exec(template) ?? [];
  const base = rootFolder(root, host, place, folder);
  if (base === null) return [];
  if (rest === "") return [base];
  let paths = [base];
  for (const segment of rest.split("/")) {
    paths = segment.includes("*")
      ? paths.flatMap((path) => matching(path, segment, place))
      : paths.map((path) => join(path, segment));
  }
  return paths;
}

function rootFolder(root: string, host: Host, place: Place, folder: string): string | null {
  const { join, isAbsolute } = pathOf(place.platform);
  const { env, home, platform } = place;
  const set = (name: string) => {
    const value = env[name];
    return value !== undefined && isAbsolute(value) ? value : undefined;
  };
  const config = set("XDG_CONFIG_HOME") ?? join(home, ".config");
  switch (root) {
    case "project":
      return folder;
    case "home":
      return home;
    case "/":
      return platform === "win32" ? "C:\\" : "/";
    case "config":
      return config;
    case "appData":
      if (platform === "win32") return set("APPDATA") ?? join(home, "AppData", "Roaming");
      return platform === "darwin" ? join(home, "Library", "Application Support") : config;
    default: {
      const fallback = host.roots?.[root];
      return set(root) ?? (fallback ? (pathsOf(fallback, host, place, folder)[0] ?? null) : null);
    }
  }
}

function matching(folder: string, pattern: string, { platform }: Place): string[] {
  const { join } = pathOf(platform);
  const [start = "", end = ""] = pattern.split("*");
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end))
    .sort()
    .map((name) => join(folder, name));
}

/** Hosts write a project's path as they saw it: with or without links resolved, on Windows with either slash. */
function rootsOf(file: HostFile, folder: string, { platform }: Place): string[][] {
  if (!file.root.includes("<project>")) return [[...file.root]];
  return spellingsOf(folder, platform).map((spelling) =>
    file.root.map((key) => (key === "<project>" ? spelling : key)),
  );
}

/** The ways in which a host may have written a folder's path. */
export function spellingsOf(folder: string, platform: string): string[] {
  const spellings = [folder, resolved(folder)];
  if (platform === "win32") spellings.push(...spellings.map((path) => path.replaceAll("\\", "/")));
  return [...new Set(spellings)];
}

/** A path with symbolic links resolved, where it exists. */
export function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function pathOf(platform: string): typeof posix {
  return platform === "win32" ? win32 : posix;
}
