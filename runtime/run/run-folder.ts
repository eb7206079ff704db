/** The folders and files of one run, none of which may lead out of it. */
import { lstat, mkdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { PackError, printable } from "../core/errors.ts";

/** Where the research agent's report stands under a run. */
export const AGENT_FOLDER = "agents/research-runner";

/** A session's id names its run's folder: letters, digits, `.`, `_`, `-`, a letter or digit first, 128 at most. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Names that Windows keeps for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** The session id of a run's folder. Throws `bad-session`. */
export function sessionOf(run: string): string {
  const id = basename(resolve(run));
  if (SESSION_ID.test(id) && !RESERVED.test(id) && !id.endsWith(".") && !id.includes("..")) return id;
  throw new PackError("bad-session", `"${printable(id, 80)}" cannot be a session's id`, {
    fix: "Name the run's folder with letters, digits, dots, underscores and hyphens, 128 at most",
  });
}

/**
 * Creates the folders of `path` under the run, one by one, and gives the whole path. Throws `leaves-run` where one of them
 * is a link, `not-a-folder` where it is a file.
 */
export async function folderOf(run: string, path: string): Promise<string> {
  let folder = resolve(run);
  await plainFolder(folder);
  for (const part of path.split("/").filter((name) => name !== "")) {
    folder = join(folder, part);
    await plainFolder(folder);
  }
  return folder;
}

async function plainFolder(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => null);
  if (found === null) {
    await mkdir(folder, { mode: 0o700 }).catch((cause: { code?: string }) => {
      // Another writer may have made it in between.
      if (cause.code === "EEXIST") return;
      throw new PackError("write-failed", `The folder could not be created (${cause.code ?? "unknown"})`, {
        file: folder,
        fix: "Create the run's folder first, and make it writable for you",
        cause,
      });
    });
    return plainFolder(folder);
  }
  if (found.isSymbolicLink()) throw leavesRun(folder);
  if (!found.isDirectory()) {
    throw new PackError("not-a-folder", "A file stands where the run needs a folder", {
      file: folder,
      fix: "Move it away",
    });
  }
}

/** Throws `leaves-run` where a file of the run is a link, or shares its content with a file elsewhere. */
export async function refuseLink(file: string): Promise<void> {
  const found = await lstat(file).catch(() => null);
  if (found === null) return;
  if (found.isSymbolicLink() || (found.isFile() && found.nlink > 1)) throw leavesRun(file);
}

function leavesRun(path: string): PackError {
  return new PackError("leaves-run", "A link stands in the run, and what is written there would land elsewhere", {
    file: path,
    fix: "Remove the link; a run holds plain files and folders",
  });
}
