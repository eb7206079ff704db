/**
 * Where tool lists are kept between runs, and which of them belong to a project. Of its own, and without a schema library,
 * since a host's hook reads it before every call.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { sha256 } from "../core/digest.ts";
import { type Place, pathOf } from "./host-files.ts";

/** Lists older than this are not taken any more, in milliseconds: one day. */
export const MAX_AGE_MS = 24 * 60 * 60 * 1000;

/** Raised when the shape of the files changes; other versions' files are left alone. */
export const LISTS_FOLDER = "tools-1";
const PROJECTS_FOLDER = "projects-2";

/** `$XDG_CACHE_HOME/mcp-skills`, `~/.cache/mcp-skills`, `~/Library/Caches/mcp-skills` or `%LOCALAPPDATA%\mcp-skills\cache`. */
export function cacheFolder({ home, env, platform }: Place): string {
  const { isAbsolute, join } = pathOf(platform);
  const set = env.XDG_CACHE_HOME;
  if (set !== undefined && isAbsolute(set)) return join(set, "mcp-skills");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "mcp-skills", "cache");
  return join(home, ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]), "mcp-skills");
}

/** Whether a file is not this user's own, or may be written by others. Its text is then not believed. */
export function othersCanWrite(file: string, { platform }: Pick<Place, "platform">): boolean {
  if (platform === "win32") return false;
  const { mode, uid } = statSync(file);
  return (mode & 0o022) !== 0 || (process.getuid !== undefined && uid !== process.getuid());
}

/** The key of each server's list, by the server's name, as the last runs in a project left them; empty where none is known. */
export async function readProjectLists(place: Place): Promise<Record<string, string>> {
  try {
    const file = await fileOf(place);
    const text = readFileSync(file, "utf8");
    if (othersCanWrite(file, place)) return {};
    const { servers } = JSON.parse(text) as { servers?: unknown };
    if (typeof servers !== "object" || servers === null) return {};
    return Object.fromEntries(Object.entries(servers).filter(([, key]) => /^[0-9a-f]{64}$/.test(String(key))));
  } catch {
    return {};
  }
}

/** Notes which lists a project's servers have. Servers that this run did not look at stay noted. */
export async function noteProjectLists(keys: Record<string, string>, place: Place): Promise<void> {
  const before = await readProjectLists(place);
  const now = { ...before, ...keys };
  if (JSON.stringify(before) === JSON.stringify(now)) return;
  const file = await fileOf(place);
  const draft = `${file}.${crypto.randomUUID()}`;
  try {
    mkdirSync(pathOf(place.platform).dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify({ servers: now }), { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

/** A folder's name stays its name, as far as a file's may be so long: a hook would wait longer for a hash than for all the rest. */
async function fileOf(place: Place): Promise<string> {
  const encoded = encodeURIComponent(place.cwd);
  const name = encoded.length <= 200 ? encoded : await sha256(place.cwd);
  return pathOf(place.platform).join(cacheFolder(place), PROJECTS_FOLDER, `${name}.json`);
}
