/** What is on disk where a skill goes. Nothing is followed: a link is a link. */
import { lstat, readdir, readFile, readlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { contentHash } from "./source.ts";

export type Found = { kind: "file"; hash: string } | { kind: "folder" | "link" | "other" };

export interface FoundSkill {
  kind: "none" | "folder" | "link" | "other";
  /** Where the link leads, absolute. */
  link?: string;
  /** Everything below the folder, by its path with `/`. */
  entries: Map<string, Found>;
}

const MAX_ENTRIES = 5000;

export async function observeSkill(folder: string): Promise<FoundSkill> {
  const entries = new Map<string, Found>();
  const top = await lstat(folder).catch(() => null);
  if (top === null) return { kind: "none", entries };
  if (top.isSymbolicLink()) return { kind: "link", link: resolve(folder, "..", await readlink(folder)), entries };
  if (!top.isDirectory()) return { kind: "other", entries };
  const walk = async (relative: string): Promise<void> => {
    for (const name of await readdir(join(folder, relative))) {
      if (entries.size >= MAX_ENTRIES) return;
      const path = relative === "" ? name : `${relative}/${name}`;
      const found = await lstat(join(folder, path));
      if (found.isFile()) entries.set(path, { kind: "file", hash: contentHash(await readFile(join(folder, path))) });
      else if (found.isDirectory()) {
        entries.set(path, { kind: "folder" });
        await walk(path);
      } else entries.set(path, { kind: found.isSymbolicLink() ? "link" : "other" });
    }
  };
  await walk("");
  return { kind: "folder", entries };
}
