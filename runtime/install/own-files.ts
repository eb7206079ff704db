/** Single files outside the folder of skills in which the pack has a part: read, changed as a whole, and never through a link that leads away. */
import { randomBytes } from "node:crypto";
import { lstat, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PackError } from "../core/errors.ts";
import { writeFailed } from "./lock.ts";
import { openFolder } from "./target.ts";

export interface FileChange {
  file: string;
  result: "created" | "changed" | "unchanged" | "removed" | "absent";
}

/**
 * Gives a file's text (`null` where there is none) to `change` and puts what it gives in its place; `null` removes the file.
 * A dry run says what would happen. Throws `leaves-target` for a link, `write-failed` where it cannot be written.
 */
export async function changeFile(
  base: string,
  segments: readonly string[],
  change: (text: string | null, file: string) => string | null,
  dryRun: boolean,
): Promise<FileChange> {
  const file = join(base, ...segments);
  const folders = segments.slice(0, -1);
  const opened = await openFolder(base, folders, false);
  const place = opened === null ? file : join(opened.folder, segments.at(-1) ?? "");
  const found = opened === null ? null : await lstat(place).catch(() => null);
  if (found !== null && !found.isFile()) {
    throw new PackError("leaves-target", "It is a link or no file, and is left alone", {
      file,
      fix: "Replace it by a file",
    });
  }
  const before = found === null ? null : await readFile(place, "utf8");
  const after = change(before, file);
  if (after === before) return { file, result: after === null ? "absent" : "unchanged" };
  const result = after === null ? "removed" : before === null ? "created" : "changed";
  if (dryRun) return { file, result };
  try {
    if (after === null) await rm(place);
    else {
      const { folder } = (await openFolder(base, folders, true)) as { folder: string };
      const target = join(folder, segments.at(-1) ?? "");
      const aside = `${target}.${randomBytes(4).toString("hex")}.new`;
      await writeFile(aside, after, { flag: "wx", mode: (found?.mode ?? 0o644) & 0o777 });
      await rename(aside, target);
    }
  } catch (error) {
    throw writeFailed(file, error);
  }
  return { file, result };
}
