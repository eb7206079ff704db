/**
 * The plan: what a run would do with one skill, from what is to be installed, what the manifest says and what is on disk.
 * Pure; `--dry-run` prints it and a run carries it out, so that the two cannot differ.
 */
import type { ManifestEntry } from "./manifest.ts";
import type { Found, FoundSkill } from "./observe.ts";
import type { SourceSkill } from "./source.ts";

/**
 * `current`: as the pack has it. `stale`: ours, untouched, older. `modified`: ours, edited since. `missing`: not there.
 * `foreign`: not put there by this pack.
 */
export type State = "current" | "stale" | "modified" | "missing" | "foreign";

export interface FilePlan {
  path: string;
  state: State;
  /** `replace` keeps what is there under another name first. */
  action: "none" | "write" | "replace" | "remove" | "keep";
}

export interface SkillPlan {
  name: string;
  state: State;
  /** Why nothing may be done without `--force`; `null` where there is no hindrance. */
  conflict: string | null;
  files: FilePlan[];
  /** What the manifest says afterwards; `null` where the skill is no longer listed. */
  entry: ManifestEntry | null;
  /** A link to make or to remove, in place of files. */
  link?: "make" | "remake" | "remove" | undefined;
}

export interface PlanInput {
  name: string;
  entry: ManifestEntry | undefined;
  found: FoundSkill;
  force: boolean;
}

/** Plans to install or update one skill. */
export function planInstall(source: SourceSkill, input: PlanInput & { link: boolean }): SkillPlan {
  return input.link ? planLink(source, input) : planCopy(source, input);
}

function planCopy(source: SourceSkill, { name, entry, found, force }: PlanInput): SkillPlan {
  if (found.kind === "link" || found.kind === "other") {
    return blocked(name, entry, found.kind === "link" ? `${name} is a link there` : `${name} is no folder there`);
  }
  const known = knownHashes(entry);
  const files = source.files.map(({ path, hash }): FilePlan => {
    const at = found.entries.get(path);
    const state = stateOf(at, hash, known.get(path));
    if (state === "current") return { path, state, action: "none" };
    if (state === "missing" || state === "stale") return { path, state, action: "write" };
    return { path, state, action: force ? "replace" : "keep" };
  });
  const shipped = new Set(source.files.map(({ path }) => path));
  for (const [path, hashes] of known) {
    const at = found.entries.get(path);
    if (shipped.has(path) || at === undefined) continue;
    const ours = at.kind === "file" && hashes.has(at.hash);
    files.push({ path, state: ours ? "stale" : "modified", action: ours ? "remove" : "keep" });
  }
  const obstacle = obstacleIn(files, found);
  const kept = files.find(({ path, action }) => action === "keep" && shipped.has(path));
  const conflict = obstacle ?? (kept === undefined ? null : conflictOf(kept));
  return {
    name,
    state: worst(files, entry !== undefined),
    conflict,
    files: conflict === null ? files : files.map((file) => ({ ...file, action: idle(file) })),
    entry:
      conflict === null
        ? { files: Object.fromEntries(source.files.map(({ path, hash }) => [path, hash])) }
        : (entry ?? null),
  };
}

function planLink(source: SourceSkill, { name, entry, found }: PlanInput): SkillPlan {
  const done = { link: source.folder };
  const state = linkState(entry, found, source.folder);
  if (state === "current") return { name, state, conflict: null, files: [], entry: done };
  if (state === "missing") return { name, state, conflict: null, files: [], entry: done, link: "make" };
  if (state === "stale") return { name, state, conflict: null, files: [], entry: done, link: "remake" };
  return blocked(name, entry, `${name} is there and is no link of this pack`);
}

/** Plans to remove what the manifest lists of one skill, and nothing else. */
export function planRemove({ name, entry, found, force }: PlanInput): SkillPlan {
  if (entry === undefined) return blocked(name, entry, `${name} was not installed by this pack`);
  if ("link" in entry) {
    const state = linkState(entry, found, entry.link);
    if (state === "missing") return { name, state, conflict: null, files: [], entry: null };
    if (state === "current") return { name, state, conflict: null, files: [], entry: null, link: "remove" };
    return { ...blocked(name, entry, `${name} is no longer the link that was made`), entry: null };
  }
  if (found.kind === "link" || found.kind === "other") {
    return blocked(name, entry, `${name} is no longer the folder that was installed`);
  }
  const files = [...knownHashes(entry)].map(([path, hashes]): FilePlan => {
    const at = found.entries.get(path);
    if (at === undefined) return { path, state: "missing", action: "none" };
    if (at.kind === "file" && hashes.has(at.hash)) return { path, state: "current", action: "remove" };
    return { path, state: "modified", action: force && at.kind !== "folder" ? "remove" : "keep" };
  });
  const kept = files.filter(({ action }) => action === "keep");
  const left = Object.fromEntries(kept.map(({ path }) => [path, entry.files[path] ?? entry.pending?.[path] ?? ""]));
  return {
    name,
    state: worst(files, true),
    conflict: kept[0] === undefined ? null : conflictOf(kept[0]),
    files,
    entry: kept.length > 0 ? { files: left } : null,
  };
}

/** The state of a skill on disk; without a source, what the manifest says counts as current. */
export function stateOfSkill(source: SourceSkill | undefined, input: Omit<PlanInput, "force">): State {
  const { entry, found } = input;
  if (entry !== undefined && "link" in entry) return linkState(entry, found, source?.folder ?? entry.link);
  if (source !== undefined && found.kind !== "link") return planCopy(source, { ...input, force: false }).state;
  if (entry === undefined) return found.kind === "none" ? "missing" : "foreign";
  const { files } = planRemove({ ...input, force: false });
  return found.kind === "link" ? "modified" : worst(files, true);
}

function stateOf(at: Found | undefined, wanted: string, known: Set<string> | undefined): State {
  if (at === undefined) return "missing";
  if (at.kind === "file" && at.hash === wanted) return "current";
  if (known === undefined) return "foreign";
  return at.kind === "file" && known.has(at.hash) ? "stale" : "modified";
}

function linkState(entry: ManifestEntry | undefined, found: FoundSkill, wanted: string): State {
  if (found.kind === "none") return "missing";
  if (found.kind !== "link") return entry === undefined ? "foreign" : "modified";
  if (found.link === wanted) return "current";
  return entry !== undefined && "link" in entry && entry.link === found.link ? "stale" : "foreign";
}

function knownHashes(entry: ManifestEntry | undefined): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  if (entry === undefined || "link" in entry) return known;
  for (const [path, hash] of [...Object.entries(entry.files), ...Object.entries(entry.pending ?? {})]) {
    known.set(path, (known.get(path) ?? new Set()).add(hash));
  }
  return known;
}

/** What stands in the way even of force: a link or a file where a folder is needed, a folder where a file is. */
function obstacleIn(files: readonly FilePlan[], found: FoundSkill): string | null {
  for (const { path, action } of files) {
    if (action === "remove" || action === "none") continue;
    if (found.entries.get(path)?.kind === "folder") return `${path} is a folder there`;
    const segments = path.split("/");
    for (let at = 1; at < segments.length; at++) {
      const parent = segments.slice(0, at).join("/");
      const kind = found.entries.get(parent)?.kind;
      if (kind !== undefined && kind !== "folder")
        return `${parent} is ${kind === "link" ? "a link" : "no folder"} there`;
    }
  }
  return null;
}

function worst(files: readonly FilePlan[], listed: boolean): State {
  const has = (state: State) => files.some((file) => file.state === state);
  if (has("modified") || has("foreign")) return listed ? "modified" : "foreign";
  if (has("stale")) return "stale";
  return has("missing") ? "missing" : "current";
}

function conflictOf({ path, state }: FilePlan): string {
  return state === "foreign" ? `${path} is there and not of this pack` : `${path} was edited since it was installed`;
}

function idle({ state }: FilePlan): FilePlan["action"] {
  return state === "current" ? "none" : "keep";
}

function blocked(name: string, entry: ManifestEntry | undefined, conflict: string): SkillPlan {
  return { name, state: entry === undefined ? "foreign" : "modified", conflict, files: [], entry: entry ?? null };
}
