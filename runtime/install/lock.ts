/** One run at a time for each folder of skills. A lock that a killed run left behind is taken over once it is stale. */
import { join } from "node:path";
import { PackError } from "../core/errors.ts";

export const LOCK = ".mcp-skill-pack.lock";

/** Runs `work` while holding the folder's lock; waits some seconds for another run. Throws `locked`. */
export async function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  const { default: lockfile } = await import("proper-lockfile");
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(folder, {
      lockfilePath: join(folder, LOCK),
      stale: 10_000,
      retries: { retries: 60, factor: 1.2, minTimeout: 20, maxTimeout: 500 },
    });
  } catch (cause) {
    const code = (cause as { code?: string }).code;
    if (code !== "ELOCKED") throw writeFailed(folder, cause);
    throw new PackError("locked", "Another run works on this folder", {
      file: folder,
      fix: "Wait for it, then run again",
      cause,
    });
  }
  try {
    return await work();
  } finally {
    await release().catch(() => {});
  }
}

/** An error of the file system as one for a person. */
export function writeFailed(file: string, cause: unknown): unknown {
  const { code, path, syscall } = cause as { code?: string; path?: string; syscall?: string };
  if (cause instanceof PackError || syscall === undefined) return cause;
  return new PackError("write-failed", `It cannot be written (${code})`, {
    file: path ?? file,
    fix: "Check the folder's permissions and the disk's space, then run again: what is there already is kept",
    cause,
  });
}
