/** Install, update and uninstall: one plan for each skill of a target, then, unless it is a dry run, the same plan carried out. */
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { applyPlan, removeIfEmpty, STAGING } from "./apply.ts";
import { withLock, writeFailed } from "./lock.ts";
import { EMPTY_MANIFEST, type Manifest, readManifest, writeManifest } from "./manifest.ts";
import { observeSkill } from "./observe.ts";
import { type FilePlan, planInstall, planRemove, type SkillPlan, type State, stateOfSkill } from "./plan.ts";
import type { SourceSkill } from "./source.ts";
import { folderOf, openFolder, type Target } from "./target.ts";

export interface SkillResult {
  name: string;
  /** Before the run. */
  state: State;
  result: "installed" | "updated" | "unchanged" | "removed" | "kept";
  /** Why it was left as it is, or what was kept of it. */
  conflict: string | null;
  files: (FilePlan & { backup?: string })[];
}

export interface TargetResult {
  host: Target["host"];
  scope: Target["scope"];
  folder: string;
  dryRun: boolean;
  skills: SkillResult[];
}

export interface RunOptions {
  force?: boolean | undefined;
  dryRun?: boolean | undefined;
}

/** Installs or updates skills in a target. Nothing is written where everything is as it should be. */
export async function installSkills(
  target: Target,
  sources: readonly SourceSkill[],
  options: RunOptions & { link?: boolean | undefined } = {},
): Promise<TargetResult> {
  return run(target, options, true, async (root, manifest) =>
    Promise.all(
      sources.map(async (source) => {
        const input = await inputOf(root, source.name, manifest, options);
        const link = options.link ?? (input.entry !== undefined && "link" in input.entry);
        return { plan: planInstall(source, { ...input, link }), source };
      }),
    ),
  );
}

/** Removes what the manifest lists of the named skills, or of all; an edited file stays unless forced. */
export async function uninstallSkills(
  target: Target,
  names: readonly string[],
  options: RunOptions = {},
): Promise<TargetResult> {
  return run(target, options, false, async (root, manifest) => {
    const wanted = names.length > 0 ? [...new Set(names)] : Object.keys(manifest.skills);
    return Promise.all(
      wanted.map(async (name) => ({ plan: planRemove(await inputOf(root, name, manifest, options)) })),
    );
  });
}

/** Every skill of a target with its state; what others put there is `foreign`. `null` where there is no such folder. */
export async function listTarget(
  target: Target,
  sources: readonly SourceSkill[],
): Promise<{ name: string; state: State; linked: boolean }[] | null> {
  const opened = await openFolder(target.base, target.segments, false);
  if (opened === null) return null;
  const { skills } = await readManifest(opened.folder);
  const there = (await readdir(opened.folder, { withFileTypes: true })).filter(
    (entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()),
  );
  const names = [...new Set([...there.map(({ name }) => name), ...Object.keys(skills)])].sort();
  return Promise.all(
    names.map(async (name) => {
      const entry = skills[name];
      const source = entry === undefined ? undefined : sources.find((skill) => skill.name === name);
      const found = await observeSkill(join(opened.folder, name));
      return {
        name,
        state: stateOfSkill(source, { name, entry, found }),
        linked: entry !== undefined && "link" in entry,
      };
    }),
  );
}

type Planned = { plan: SkillPlan; source?: SourceSkill };

async function run(
  target: Target,
  { dryRun = false }: RunOptions,
  make: boolean,
  planAll: (root: string, manifest: Manifest) => Promise<Planned[]>,
): Promise<TargetResult> {
  const result = (skills: SkillResult[]): TargetResult => ({
    host: target.host,
    scope: target.scope,
    folder: folderOf(target),
    dryRun,
    skills,
  });
  if (dryRun) {
    const opened = await openFolder(target.base, target.segments, false);
    const root = opened?.folder ?? folderOf(target);
    const manifest = opened === null ? structuredClone(EMPTY_MANIFEST) : await readManifest(root);
    return result((await planAll(root, manifest)).map(({ plan }) => resultOf(plan, {})));
  }
  try {
    const opened = await openFolder(target.base, target.segments, make);
    if (opened === null)
      return result(
        (await planAll(folderOf(target), structuredClone(EMPTY_MANIFEST))).map(({ plan }) => resultOf(plan, {})),
      );
    const { results, emptied } = await withLock(opened.folder, () => carryOut(opened.folder, opened.made, planAll));
    if (emptied !== null) await removeMade(target, emptied);
    return result(results);
  } catch (error) {
    throw writeFailed(folderOf(target), error);
  }
}

async function carryOut(
  root: string,
  made: string[],
  planAll: (root: string, manifest: Manifest) => Promise<Planned[]>,
) {
  await rm(join(root, STAGING), { recursive: true, force: true });
  const manifest = await readManifest(root);
  const before = JSON.stringify(manifest);
  manifest.made = [...new Set([...manifest.made, ...made])];
  const planned = await planAll(root, manifest);
  // Written first: should this run be ended half-way, the next one knows the new files for ours.
  const pending = withPending(manifest, planned);
  if (JSON.stringify(pending) !== before) await writeManifest(root, pending);
  const results: SkillResult[] = [];
  for (const { plan, source } of planned) {
    const blocked = plan.conflict !== null && plan.files.every(({ action }) => action === "keep" || action === "none");
    results.push(resultOf(plan, blocked ? {} : await applyPlan(root, plan, source)));
    if (plan.entry === null) delete manifest.skills[plan.name];
    else manifest.skills[plan.name] = plan.entry;
  }
  if (JSON.stringify(manifest) !== JSON.stringify(pending)) await writeManifest(root, manifest);
  const none = Object.keys(manifest.skills).length === 0;
  return { results, emptied: none ? manifest.made : null };
}

function withPending(manifest: Manifest, planned: readonly Planned[]): Manifest {
  const skills = { ...manifest.skills };
  for (const { plan } of planned) {
    if (!plan.files.some(({ action }) => action === "write" || action === "replace")) continue;
    if (plan.entry === null || !("files" in plan.entry)) continue;
    const old = skills[plan.name];
    skills[plan.name] = { files: old !== undefined && "files" in old ? old.files : {}, pending: plan.entry.files };
  }
  return { ...manifest, skills };
}

async function inputOf(root: string, name: string, manifest: Manifest, { force = false }: RunOptions) {
  return { name, entry: manifest.skills[name], found: await observeSkill(join(root, name)), force };
}

function resultOf(plan: SkillPlan, backups: Record<string, string>): SkillResult {
  const { name, state, conflict } = plan;
  const files = plan.files.map((file) => {
    const backup = backups[file.path];
    return backup === undefined ? file : { ...file, backup };
  });
  return { name, state, result: wordFor(plan), conflict, files };
}

function wordFor({ conflict, files, link, state, entry }: SkillPlan): SkillResult["result"] {
  if (conflict !== null) return "kept";
  if (entry === null) return "removed";
  const changes = link !== undefined || files.some(({ action }) => action !== "none" && action !== "keep");
  if (!changes) return "unchanged";
  const fresh = link === "make" || files.every((file) => file.state === "missing");
  return fresh && state === "missing" ? "installed" : "updated";
}

/** The folders that were made for the skills, where nothing is left in them. */
async function removeMade(target: Target, made: readonly string[]): Promise<void> {
  for (const path of [...made].sort((a, b) => b.length - a.length)) {
    const folder = join(target.base, path);
    const inside = await openFolder(target.base, dirname(path) === "." ? [] : dirname(path).split("/"), false).catch(
      () => null,
    );
    if (inside !== null) await removeIfEmpty(folder).catch(() => false);
  }
}
