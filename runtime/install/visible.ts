/** Which other folder shows the same skill: some hosts scan several, and show one copy without saying which. */
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { folderOf, HOSTS, type Surroundings, type Target, targetOf } from "./target.ts";

/** Every project and user folder of the known hosts, the project's first. */
export function allTargets(place: Surroundings, dir?: string): Target[] {
  const project = HOSTS.map((host) => targetOf({ host, dir }, place));
  return [...project, ...HOSTS.map((host) => targetOf({ host, global: true }, place))];
}

/** The other folders that hold a skill of this name, links resolved: one that is the same folder does not count. */
export async function alsoVisible(target: Target, name: string, place: Surroundings): Promise<string[]> {
  const own = await realpath(join(folderOf(target), name)).catch(() => join(folderOf(target), name));
  const found: string[] = [];
  for (const other of allTargets(
    place,
    target.scope === "project" && target.host !== "folder" ? target.base : undefined,
  )) {
    if (folderOf(other) === folderOf(target)) continue;
    const folder = join(folderOf(other), name);
    const real = await realpath(join(folder, "SKILL.md")).catch(() => null);
    if (real !== null && real !== join(own, "SKILL.md")) found.push(folderOf(other));
  }
  return [...new Set(found)];
}
