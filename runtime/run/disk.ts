/** Writing to a run so that a crash at any byte leaves the old or the new, and what was acknowledged is on the disk. */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { PackError } from "../core/errors.ts";

/** The calls of `node:fs` that a run needs; a test hands in one that fails. */
export type Disk = Pick<
  typeof fs,
  | "closeSync"
  | "fsyncSync"
  | "lstatSync"
  | "mkdirSync"
  | "openSync"
  | "readdirSync"
  | "readFileSync"
  | "renameSync"
  | "rmSync"
  | "writeSync"
>;

export const DISK: Disk = fs;

/** What a writer has begun and not yet put in its place; what a dead writer left of it is swept by the next. */
export const DRAFT_PREFIX = ".draft-";

/** Writes a new file, to the disk itself. */
export function writeNew(disk: Disk, file: string, bytes: Uint8Array): void {
  const handle = disk.openSync(file, "wx", 0o600);
  try {
    for (let at = 0; at < bytes.length; ) at += disk.writeSync(handle, bytes, at);
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

/** Puts a file in the place of an older one, or of none: readers see the one or the other, whole. */
export function replaceFile(disk: Disk, file: string, bytes: Uint8Array): void {
  const draft = draftIn(dirname(file));
  try {
    writeNew(disk, draft, bytes);
    disk.renameSync(draft, file);
  } catch (error) {
    discard(disk, draft);
    throw error;
  }
  syncFolder(disk, dirname(file));
}

export function draftIn(folder: string): string {
  return join(folder, `${DRAFT_PREFIX}${randomUUID()}`);
}

/** Removes a draft after a failure. That this fails too must not hide the first failure; the next writer sweeps. */
export function discard(disk: Disk, draft: string): void {
  try {
    disk.rmSync(draft, { recursive: true, force: true });
  } catch {}
}

/** Makes a folder's entries durable: a renamed file is found again after a power cut. */
export function syncFolder(disk: Disk, folder: string): void {
  // Windows has no such call for folders; there the file system keeps its own journal of names.
  if (process.platform === "win32") return;
  const handle = disk.openSync(folder, "r");
  try {
    disk.fsyncSync(handle);
  } finally {
    disk.closeSync(handle);
  }
}

/** Makes a folder and those above it, each durable, for the owner alone. */
export function makeFolder(disk: Disk, folder: string): void {
  if (statusOf(disk, folder) !== undefined) return;
  makeFolder(disk, dirname(folder));
  try {
    disk.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  syncFolder(disk, dirname(folder));
}

/** Renames what cannot be used to `<name>.corrupt-<time>` beside it and gives that path: nothing is lost, nothing trusts it. */
export function moveAside(disk: Disk, path: string, now: number): string {
  const aside = `${path}.corrupt-${new Date(now).toISOString().replace(/[-:]|\.\d+/g, "")}`;
  let target = aside;
  for (let count = 2; statusOf(disk, target) !== undefined; count++) {
    target = `${aside}-${count}`;
  }
  disk.renameSync(path, target);
  syncFolder(disk, dirname(path));
  return target;
}

/** The names in a folder; none where it does not exist. */
export function namesIn(disk: Disk, folder: string): string[] {
  return statusOf(disk, folder) === undefined ? [] : disk.readdirSync(folder).sort();
}

/** What lies at a path, links not followed; undefined where nothing does. */
export function statusOf(disk: Disk, path: string): fs.Stats | undefined {
  try {
    return disk.lstatSync(path);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return undefined;
    throw error;
  }
}

/** The bytes of a regular file, or null where there is none; a link, a pipe or a folder counts as none. */
export function bytesOf(disk: Disk, file: string): Buffer | null {
  const status = statusOf(disk, file);
  return status?.isFile() === true ? disk.readFileSync(file) : null;
}

export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException | null)?.code ?? "unknown";
}

const FIXES: Record<string, string> = {
  ENOSPC: "Free space on the disk",
  EDQUOT: "Free space under your quota",
  EACCES: "Make the run's folder writable for you",
  EPERM: "Make the run's folder writable for you",
  EROFS: "Choose a run on a disk that can be written",
};

/** Anything thrown while writing, as a `PackError` `write-failed`; one that is a `PackError` already stays what it is. */
export function writeFailed(error: unknown, run: string): PackError {
  if (error instanceof PackError) return error;
  const code = codeOf(error);
  return new PackError("write-failed", `The run could not be written (${code})`, {
    file: (error as NodeJS.ErrnoException).path ?? run,
    fix: `${FIXES[code] ?? "Check the folder and the disk"}, then hand the same message in again: what was there is intact`,
    cause: error,
  });
}
