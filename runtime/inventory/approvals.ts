/**
 * A cloned repository is not trusted: its servers start only after the user has approved that exact entry for that
 * project. Approvals are hashes in the user's state folder; they hold no command, no address and no secret.
 */
import { mkdirSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { sha256 } from "../core/digest.ts";
import { PackError } from "../core/errors.ts";
import { isObject } from "./config-format.ts";
import { type Place, pathOf } from "./host-files.ts";
import { readText } from "./read-text.ts";
import type { EntryApproval, ServerConfig } from "./server-config.ts";

/** Approved hashes by project. */
export type Approvals = Map<string, Set<string>>;

/** SHA-256 over everything that says what would run: the host (it decides how variables are read), the folder within the project, the name, the entry. */
export function entryHash(host: string, folder: string, name: string, entry: unknown): Promise<string> {
  return sha256(canonical([1, host, folder, name, entry]));
}

/** JSON with sorted keys, so that only a change of content changes the hash. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value instanceof Date ? value.toISOString() : value) ?? "null";
  const members = Object.keys(value).sort();
  return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** `$XDG_STATE_HOME/mcp-skills/approvals.json`, `~/.local/state/…`, or on Windows `%LOCALAPPDATA%\mcp-skills\…`. */
export function approvalsFile({ home, env, platform }: Place): string {
  const { isAbsolute, join } = pathOf(platform);
  const set = env[platform === "win32" ? "LOCALAPPDATA" : "XDG_STATE_HOME"];
  const fallback = platform === "win32" ? join(home, "AppData", "Local") : join(home, ".local", "state");
  return join(set !== undefined && isAbsolute(set) ? set : fallback, "mcp-skills", "approvals.json");
}

/** What was approved so far. A file that is damaged, or that others could have written, approves nothing. */
export function readApprovals(place: Place): Approvals {
  const approvals: Approvals = new Map();
  try {
    const file = approvalsFile(place);
    const text = readText(file);
    if (text === null || othersCanWrite(file, place)) return approvals;
    const { projects } = JSON.parse(text) as { projects?: unknown };
    for (const [project, hashes] of Object.entries(isObject(projects) ? projects : {})) {
      if (Array.isArray(hashes)) approvals.set(project, new Set(hashes.filter((hash) => typeof hash === "string")));
    }
  } catch {
    approvals.clear();
  }
  return approvals;
}

export function isApproved(approvals: Approvals, { project, hash }: EntryApproval): boolean {
  return approvals.get(project)?.has(hash) ?? false;
}

/**
 * Remembers that the user approved these servers and enables them. Throws `write-failed` where that cannot be
 * remembered; they are enabled for this run all the same.
 */
export function approveServers(servers: readonly ServerConfig[], place: Place): void {
  const pending = servers.filter(({ state, approval }) => state === "needs-approval" && approval !== undefined);
  if (pending.length === 0) return;
  const approvals = readApprovals(place);
  for (const server of pending) {
    server.state = "enabled";
    server.reason = undefined;
    const { project, hash } = server.approval as EntryApproval;
    approvals.set(project, (approvals.get(project) ?? new Set()).add(hash));
  }
  writeApprovals(approvals, place);
}

function writeApprovals(approvals: Approvals, place: Place): void {
  const file = approvalsFile(place);
  const draft = `${file}.${crypto.randomUUID()}`;
  const projects = Object.fromEntries([...approvals].map(([project, hashes]) => [project, [...hashes].sort()]));
  try {
    mkdirSync(pathOf(place.platform).dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(draft, file);
  } catch (cause) {
    removeDraft(draft);
    throw new PackError("write-failed", `The approval cannot be remembered (${(cause as { code?: string }).code})`, {
      file,
      fix: "Make the folder writable, or give --trust-project every time",
      cause,
    });
  }
}

function removeDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch {
    // It was never written; what went wrong is told already.
  }
}

function othersCanWrite(file: string, { platform }: Place): boolean {
  if (platform === "win32") return false;
  const { mode, uid } = statSync(file);
  return (mode & 0o022) !== 0 || (process.getuid !== undefined && uid !== process.getuid());
}
