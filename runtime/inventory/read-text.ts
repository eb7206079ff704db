/** Files that others wrote, read so that none of them can stall or flood the command. */
import { readFileSync, statSync } from "node:fs";
import { PackError } from "../core/errors.ts";

/** Claude Code keeps its history in the same file as its servers, so such a file may be large. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The text of a regular file without a byte order mark, or `null` where there is none. Throws `unreadable` for a folder,
 * a pipe or a device (reading one could wait for ever), a file over 64 MB and a lack of permission.
 */
export function readText(file: string): string | null {
  try {
    // Most of the files that are looked for are not there, and an exception for each would cost more than the rest.
    const status = statSync(file, { throwIfNoEntry: false });
    if (status === undefined) return null;
    if (!status.isFile()) throw unreadable(file, "it is not a regular file");
    if (status.size > MAX_BYTES) throw unreadable(file, "it is larger than 64 MB");
    return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  } catch (cause) {
    if (cause instanceof PackError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown";
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw unreadable(file, code, cause);
  }
}

function unreadable(file: string, why: string, cause?: unknown): PackError {
  return new PackError("unreadable", `The file cannot be read: ${why}`, {
    file,
    fix: "Check the path and its permissions",
    cause,
  });
}
