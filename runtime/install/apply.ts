/** Carries a plan out: everything is written aside first and moved into place file by file, so that no file is ever half there. */
import { lstat, mkdir, readdir, rename, rm, rmdir, symlink, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SkillPlan } from "./plan.ts";
import type { SourceSkill } from "./source.ts";

export const STAGING = ".mcp-skill-pack.new";

/** Carries out one skill's plan in a folder of skills; gives the names under which replaced files were kept. */
export async function applyPlan(root: string, plan: SkillPlan, source?: SourceSkill): Promise<Record<string, string>> {
  const folder = join(root, plan.name);
  if (plan.link !== undefined) {
    if (plan.link !== "make") await unlink(folder);
    if (plan.link !== "remove" && source !== undefined) await symlink(source.folder, folder, "junction");
    return {};
  }
  const contents = new Map(source?.files.map((file) => [file.path, file]));
  const written = plan.files.filter(({ action }) => action === "write" || action === "replace");
  const staging = join(root, STAGING);
  for (const [at, { path }] of written.entries()) {
    const file = contents.get(path);
    if (file === undefined) continue;
    if (at === 0) await mkdir(staging, { recursive: true });
    await writeFile(join(staging, String(at)), file.bytes, { mode: file.executable ? 0o755 : 0o644, flag: "wx" });
  }
  const backups: Record<string, string> = {};
  for (const [at, { path, action }] of written.entries()) {
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    if (action === "replace") {
      backups[path] = await freeName(folder, path);
      await rename(place, join(folder, backups[path]));
    }
    await rename(join(staging, String(at)), place);
  }
  const removed = plan.files.filter(({ action }) => action === "remove");
  for (const { path } of removed) await unlink(join(folder, path));
  if (removed.length > 0)
    await pruneEmpty(
      folder,
      removed.map(({ path }) => path),
    );
  await rm(staging, { recursive: true, force: true });
  return backups;
}

async function freeName(folder: string, path: string): Promise<string> {
  for (let count = 1; ; count++) {
    const name = `${path}.bak${count === 1 ? "" : count}`;
    if ((await lstat(join(folder, name)).catch(() => null)) === null) return name;
  }
}

/** Removes the folders of removed files where nothing is left in them, innermost first, the skill's own last. */
async function pruneEmpty(folder: string, paths: readonly string[]): Promise<void> {
  const folders = new Set([""]);
  for (const path of paths) {
    for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) folders.add(parent);
  }
  for (const parent of [...folders].sort((a, b) => b.length - a.length)) await removeIfEmpty(join(folder, parent));
}

export async function removeIfEmpty(folder: string): Promise<boolean> {
  if ((await readdir(folder).catch(() => ["unreadable"])).length > 0) return false;
  await rmdir(folder);
  return true;
}
