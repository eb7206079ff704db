/**
 * Tool lists that were taken before, one file a server in the user's cache folder. A file is named by a hash of the whole
 * configuration entry, so that any change of it is another file, and holds what the server listed: no command, address,
 * header or environment.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import type { Server } from "../core/contracts.ts";
import { sha256 } from "../core/digest.ts";
import { canonicalJson } from "../core/json-text.ts";
import { cacheFolder, LISTS_FOLDER, MAX_AGE_MS, othersCanWrite } from "./cache-folder.ts";
import { type Place, pathOf } from "./host-files.ts";
import { readText } from "./read-text.ts";
import type { ServerConfig } from "./server-config.ts";

/** Lists older than this are taken, and listed anew in the background: five minutes. */
export const FRESH_MS = 5 * 60 * 1000;

/** What a file holds. */
type Cached = { version: 1; key: string; listedAt: number; serverVersion?: string } & Pick<
  Server,
  "transport" | "tools" | "flags"
>;

/**
 * Whether a file holds what it should. Checked by hand, since the schema library costs more than the rest of the answer;
 * tools in their outline only, since they were read leniently when they were listed.
 */
function isCached(value: unknown): value is Cached {
  const { version, key, listedAt, transport, serverVersion, tools, flags } = (value ?? {}) as Record<string, unknown>;
  return (
    version === 1 &&
    typeof key === "string" &&
    typeof listedAt === "number" &&
    (transport === "stdio" || transport === "http" || transport === "sse") &&
    (serverVersion === undefined || typeof serverVersion === "string") &&
    isListOf(tools, ["name"], ["title", "description"]) &&
    isListOf(flags, ["kind", "message"], ["tool"])
  );
}

/** A list of objects in which these fields are texts, and those are texts or absent. */
function isListOf(value: unknown, texts: string[], optional: string[]): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((entry: Record<string, unknown> | null) => {
    const typeOf = (key: string) => typeof entry?.[key];
    return (
      texts.every((key) => typeOf(key) === "string") &&
      optional.every((key) => typeOf(key) === "string" || typeOf(key) === "undefined")
    );
  });
}

/** SHA-256 over everything that says what would be started or asked. */
export function cacheKey({ name, target }: ServerConfig): Promise<string> {
  return sha256(canonicalJson([1, name, target ?? null]));
}

/**
 * The server as it was listed before, with the time in `listedAt`, or `null`: nothing there, too old, damaged, of another
 * entry, or a file that others could have written.
 */
export async function readCached(config: ServerConfig, place: Place, now: number): Promise<Server | null> {
  try {
    const key = await cacheKey(config);
    const file = fileOf(key, place);
    const text = readText(file);
    if (text === null || othersCanWrite(file, place)) return null;
    const cached: unknown = JSON.parse(text);
    if (!isCached(cached)) return null;
    if (cached.key !== key || now - cached.listedAt > MAX_AGE_MS || cached.listedAt > now + FRESH_MS) return null;
    const { transport, serverVersion, tools, flags, listedAt } = cached;
    return {
      name: config.name,
      state: "ready",
      transport,
      ...(serverVersion === undefined ? {} : { version: serverVersion }),
      tools: tools.map((tool) => ({ ...tool, server: config.name })),
      flags,
      origins: config.origins,
      listedAt,
    };
  } catch {
    return null;
  }
}

/** Keeps a ready server's list, mode 0600, whole or not at all. A cache that cannot be written costs nothing but time. */
export async function writeCached(config: ServerConfig, server: Server, place: Place): Promise<void> {
  if (server.state !== "ready" || server.listedAt === undefined) return;
  const key = await cacheKey(config);
  const file = fileOf(key, place);
  const draft = `${file}.${crypto.randomUUID()}`;
  const { transport, version: serverVersion, tools, flags, listedAt } = server;
  const cached = { version: 1, key, listedAt, transport, serverVersion, tools, flags };
  try {
    mkdirSync(pathOf(place.platform).dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, JSON.stringify(cached), { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

/**
 * Whether this process may refresh in the background now: at most one does in a minute. The mark is a file that only one
 * process can create.
 */
export function claimRefresh(place: Place, now: number): boolean {
  const mark = pathOf(place.platform).join(cacheFolder(place), "refreshing");
  try {
    const status = statSync(mark, { throwIfNoEntry: false });
    if (status !== undefined && now - status.mtimeMs < 60_000) return false;
    if (status !== undefined) unlinkSync(mark);
    closeSync(openSync(mark, "wx", 0o600));
    return true;
  } catch {
    return false;
  }
}

/** Removes lists that nobody takes any more. */
export function sweepCache(place: Place, now: number): void {
  const { join } = pathOf(place.platform);
  const folder = join(cacheFolder(place), LISTS_FOLDER);
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (now - statSync(file).mtimeMs > 7 * MAX_AGE_MS) unlinkSync(file);
    }
  } catch {
    // Another process sweeps too, or there is no folder yet.
  }
}

function fileOf(key: string, place: Place): string {
  return pathOf(place.platform).join(cacheFolder(place), LISTS_FOLDER, `${key}.json`);
}
