/** Where skills go: each host's folder, in a project or for the user. No link on the way may lead out of its base. */
import { lstat, mkdir, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { PackError } from "../core/errors.ts";

export const HOSTS = ["claude", "github", "agents"] as const;
export type HostName = (typeof HOSTS)[number];

export interface Target {
  host: HostName | "folder";
  scope: "project" | "user";
  /** The folder that nothing may leave: the project, the home, or the parent of a folder that was named. */
  base: string;
  /** From the base to the folder of skills. */
  segments: string[];
}

export interface Surroundings {
  cwd: string;
  home: string;
  env: Record<string, string | undefined>;
}

/** The project's and the user's folder of each host, as their documentation names them. */
const FOLDERS: Record<HostName, { project: string[]; user: string[]; homeVariable?: string }> = {
  claude: { project: [".claude", "skills"], user: [".claude", "skills"], homeVariable: "CLAUDE_CONFIG_DIR" },
  github: { project: [".github", "skills"], user: [".copilot", "skills"], homeVariable: "COPILOT_HOME" },
  agents: { project: [".agents", "skills"], user: [".agents", "skills"] },
};

export interface TargetOptions {
  host?: string | undefined;
  global?: boolean | undefined;
  dir?: string | undefined;
}

/**
 * The target of a command's options. With a host, `dir` is the project (default: the working directory); without one, it is
 * the folder of skills itself.
 */
export function targetOf({ host, global = false, dir }: TargetOptions, place: Surroundings): Target {
  if (host === undefined) {
    if (dir === undefined || global) {
      throw new PackError("usage", "It is not said where the skills go", {
        fix: "Give --host claude, github or agents, or --dir with a folder of skills",
      });
    }
    const folder = resolve(place.cwd, dir);
    return { host: "folder", scope: "project", base: dirname(folder), segments: [basename(folder)] };
  }
  if (!isHost(host)) throw new PackError("usage", "There is no such host", { fix: `One of: ${HOSTS.join(", ")}` });
  if (!global) {
    const base = resolve(place.cwd, dir ?? ".");
    return { host, scope: "project", base, segments: FOLDERS[host].project };
  }
  if (dir !== undefined) {
    throw new PackError("usage", "--global and --dir exclude each other", { fix: "Leave one of them out" });
  }
  const { user, homeVariable } = FOLDERS[host];
  const own = homeVariable === undefined ? undefined : place.env[homeVariable];
  return own
    ? { host, scope: "user", base: resolve(place.cwd, own), segments: user.slice(1) }
    : { host, scope: "user", base: place.home, segments: user };
}

function isHost(host: string): host is HostName {
  return (HOSTS as readonly string[]).includes(host);
}

/** The folder of skills as a path, whether or not it is there. */
export function folderOf({ base, segments }: Target): string {
  return join(base, ...segments);
}

/**
 * The real path of a folder below a base, or `null` where it is not there and is not to be made. `made` tells what was
 * created. Throws `leaves-target` where a link on the way leads out of the base, or to nothing.
 */
export async function openFolder(
  base: string,
  segments: readonly string[],
  make: boolean,
): Promise<{ folder: string; made: string[] } | null> {
  const top = await realpath(base).catch(() => null);
  if (top === null) {
    throw new PackError("no-folder", "The folder does not exist", {
      file: base,
      fix: "Make it first, or name another",
    });
  }
  let folder = top;
  const made: string[] = [];
  for (const segment of segments) {
    const next = join(folder, segment);
    const found = await lstat(next).catch(() => null);
    if (found === null) {
      if (!make) return null;
      if (await makeFolder(next)) made.push(relative(top, next).split(sep).join("/"));
      // Another run may have made it meanwhile, or something else in its place.
      folder = await followInside(next, top);
    } else if (found.isDirectory()) folder = next;
    else folder = await followInside(next, top);
  }
  return { folder, made };
}

async function makeFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function followInside(link: string, top: string): Promise<string> {
  const real = await realpath(link).catch(() => null);
  const inside = real !== null && (real === top || real.startsWith(top + sep));
  if (inside && (await lstat(real)).isDirectory()) return real;
  throw new PackError("leaves-target", "It is no folder, or a link that leads out of where the skills belong", {
    file: link,
    fix: "Replace it by a folder",
  });
}
