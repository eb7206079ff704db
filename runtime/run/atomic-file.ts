/** Writing a file so that a reader, and a machine that stops at any moment, sees the old text or the new one, whole. */
import { randomBytes } from "node:crypto";
import * as nodeFiles from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PackError } from "../core/errors.ts";

/** The file calls that a write makes; tests give ones that fail. */
export type FileCalls = Pick<typeof nodeFiles, "open" | "rename" | "unlink">;

/** Names of files that a writer which was killed may have left; see {@link writeAtomic}. */
export const LEFTOVER = /^\.[^/]+\.[0-9a-f]{16}\.tmp$/;

/**
 * Temporary file (created exclusively, mode 0600), fsync, rename, fsync of the folder. When it returns, the text is on the
 * disk. Throws `write-failed`, with the old file intact and the temporary one removed.
 */
export async function writeAtomic(file: string, text: string, calls: FileCalls = nodeFiles): Promise<void> {
  const folder = dirname(file);
  const draft = join(folder, `.${basename(file)}.${randomBytes(8).toString("hex")}.tmp`);
  try {
    const handle = await calls.open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    await calls.rename(draft, file);
    await syncFolder(folder, calls);
  } catch (cause) {
    await calls.unlink(draft).catch(() => {});
    const { code } = cause as { code?: string };
    throw new PackError("write-failed", `The file could not be written (${code ?? "unknown"})`, {
      file,
      fix: FIXES[code ?? ""] ?? "Check the folder and the disk, then run it again",
      cause,
    });
  }
}

const FIXES: Record<string, string> = {
  ENOSPC: "Free space on the disk, then run it again",
  EDQUOT: "Free space under your quota, then run it again",
  EACCES: "Make the folder writable for you",
  EPERM: "Make the folder writable for you",
  EROFS: "Choose a run on a disk that can be written",
  ENOENT: "Create the run's folder first",
};

/** A rename is safe on the disk only when its folder is. Windows cannot open folders and does not need it. */
async function syncFolder(folder: string, calls: FileCalls): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await calls.open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
