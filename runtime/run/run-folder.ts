/** Where a run may lie and what it may be called; nothing in it may lead out of it. */
import { basename, join, parse, resolve, sep } from "node:path";
import { PackError, printable } from "../core/errors.ts";
import { type Disk, statusOf } from "./disk.ts";

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
 * The absolute path of a run. An orchestrator builds it out of a session's id that others gave: a path that climbs with
 * `..` or leads into a repository's own `.git` is `bad-path`, a name that is no session's id `bad-session`.
 */
export function runFolder(run: string): string {
  const parts = run.split(/[/\\]/);
  const climbs = parts.includes("..");
  if (climbs || parts.some((part) => part.toLowerCase() === ".git")) {
    throw new PackError("bad-path", `"${printable(run, 120)}" ${climbs ? "climbs with .." : "leads into .git"}`, {
      fix: "Name the run's own folder, such as runs/s-17",
    });
  }
  sessionOf(run);
  return resolve(run);
}

/**
 * Throws `leaves-run` where a part of the path is a link, or a file shares its content with one elsewhere. Links at the
 * top of the file system (macOS has `/tmp` and `/var`) are the system's own.
 */
export function refuseLinks(disk: Disk, path: string): void {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep);
  for (let count = 2; count <= parts.length; count++) {
    const part = join(root, ...parts.slice(0, count));
    const status = statusOf(disk, part);
    if (status === undefined) return;
    if (!status.isSymbolicLink() && !(status.isFile() && status.nlink > 1)) continue;
    throw new PackError("leaves-run", "A link stands in the run's path, and what is written would land elsewhere", {
      file: part,
      fix: "Remove the link, or name the folder that it leads to",
    });
  }
}
