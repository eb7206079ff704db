/** The targets that a command without a host works on: every folder of the project in which this pack installed something. */

import { readManifest } from "../install/manifest.ts";
import { openFolder, type Surroundings, type Target, type TargetOptions, targetOf } from "../install/target.ts";
import { allTargets } from "../install/visible.ts";

export interface InstalledTarget {
  target: Target;
  /** The names that its manifest lists. */
  skills: string[];
}

/** With a host, or a folder of skills, that target alone; `always` gives it also where nothing is installed. */
export async function installedTargets(
  options: TargetOptions,
  place: Surroundings,
  always = false,
): Promise<InstalledTarget[]> {
  const { host, global, dir } = options;
  const one = host !== undefined || (dir !== undefined && !global);
  const targets = one ? await chosen(options, place) : ofScope(global ? "user" : "project", place);
  const found = await Promise.all(
    targets.map(async (target) => {
      const opened = await openFolder(target.base, target.segments, false);
      return { target, skills: opened === null ? [] : Object.keys((await readManifest(opened.folder)).skills) };
    }),
  );
  return found.filter(({ skills }) => skills.length > 0 || (always && host !== undefined));
}

function ofScope(scope: Target["scope"], place: Surroundings): Target[] {
  return allTargets(place).filter((target) => target.scope === scope);
}

/** Without a host, a folder that is a project with installed skills is taken as one; else it is the folder of skills. */
async function chosen(options: TargetOptions, place: Surroundings): Promise<Target[]> {
  if (options.host !== undefined) return [targetOf(options, place)];
  const folder = targetOf(options, place);
  const opened = await openFolder(folder.base, folder.segments, false);
  const own = opened !== null && Object.keys((await readManifest(opened.folder)).skills).length > 0;
  if (own) return [folder];
  return allTargets(place, options.dir).filter(({ scope }) => scope === "project");
}
