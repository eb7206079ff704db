/**
 * One writer at a time for a run, across processes. The lock is a folder that holds its owner's name and is put in place
 * by one rename, so it is never seen half made. A dead owner's lock is taken over at once and by one process only.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod/mini";
import { PackError } from "../core/errors.ts";
import { codeOf, type Disk, discard, namesIn, statusOf } from "./disk.ts";

const LOCK = ".lock";
const OWNER = "owner.json";
/** Locks in the making and on the way out, `.lock-<process id>-<random>`, and tickets. */
const LOCK_DRAFT = /^\.lock-(\d+|ticket)-/;

/** Nobody writes a run this long: an older lock is a dead one, even where its owner cannot be asked. */
const STALE_MS = 60_000;

/** The token is part of a file's name, and the file may come from anywhere. */
const OwnerSchema = z.object({ pid: z.int().check(z.minimum(1)), host: z.string(), token: z.uuid() });
type Owner = z.infer<typeof OwnerSchema>;

export interface Lock {
  /** Throws `locked` where another process took the lock for dead and has it now. */
  assertHeld(): void;
  release(): void;
}

/** Waits at most `waitMs` for the lock of a folder, then throws `locked`. */
export async function takeLock(disk: Disk, folder: string, waitMs: number): Promise<Lock> {
  const lock = join(folder, LOCK);
  const mine: Owner = { pid: process.pid, host: hostname(), token: randomUUID() };
  const draft = join(folder, `${LOCK}-${mine.pid}-${mine.token}`);
  const deadline = performance.now() + waitMs;
  try {
    disk.mkdirSync(draft, { mode: 0o700 });
    writeOwner(disk, join(draft, OWNER), mine);
    while (!place(disk, draft, lock)) {
      if (removeDead(disk, lock, mine)) continue;
      if (performance.now() >= deadline) throw locked(lock, ownerOf(disk, join(lock, OWNER)));
      await sleep(5 + Math.random() * 20);
    }
  } catch (error) {
    discard(disk, draft);
    throw error;
  }
  return {
    assertHeld() {
      const owner = ownerOf(disk, join(lock, OWNER));
      if (owner?.token !== mine.token) throw locked(lock, owner);
    },
    release() {
      const owner = ownerOf(disk, join(lock, OWNER));
      if (owner !== null && owner.token !== mine.token) return;
      const gone = `${draft}-released`;
      try {
        disk.renameSync(lock, gone);
        discard(disk, gone);
      } catch {
        // What was to be stored is stored; the next writer would find a lock whose owner is dead, or old.
        discard(disk, lock);
      }
    },
  };
}

/** Removes what dead processes left of their attempts to take or release the lock. To be called with the lock held. */
export function sweepLocks(disk: Disk, folder: string): void {
  for (const name of namesIn(disk, folder)) {
    const pid = LOCK_DRAFT.exec(name)?.[1];
    if (pid === undefined) continue;
    const path = join(folder, name);
    // A ticket is of no use once its lock is gone, and that it is: we hold the next one.
    const living = pid !== "ticket" && isAlive(Number(pid)) && ageOf(disk, path) < STALE_MS;
    if (!living) disk.rmSync(path, { recursive: true, force: true });
  }
}

/** False where another lock is in the place. */
function place(disk: Disk, draft: string, lock: string): boolean {
  try {
    disk.renameSync(draft, lock);
    return true;
  } catch (error) {
    const taken = ["ENOTEMPTY", "EEXIST", ...(process.platform === "win32" ? ["EPERM", "EACCES"] : [])];
    if (taken.includes(codeOf(error))) return false;
    throw error;
  }
}

/**
 * Whether the lock is worth another try at once: it was a dead one and is gone. Of several that judge the same lock dead
 * only the one that makes its ticket may move it away, so that none moves away the lock of who came next. A ticket whose
 * maker died is followed by a second one.
 */
function removeDead(disk: Disk, lock: string, mine: Owner): boolean {
  const judged = ownerOf(disk, join(lock, OWNER));
  const dead = ageOf(disk, lock) >= STALE_MS || (judged !== null && isDead(judged));
  if (!dead) return false;
  for (let count = 1; ; count++) {
    const ticket = `${lock}-ticket-${judged?.token ?? "nobody"}-${count}`;
    if (writeOwner(disk, ticket, mine)) {
      if (ownerOf(disk, join(lock, OWNER))?.token === judged?.token) moveAway(disk, lock, mine);
      discard(disk, ticket);
      return true;
    }
    const maker = ownerOf(disk, ticket);
    if (ageOf(disk, ticket) < STALE_MS && (maker === null || !isDead(maker))) return false;
  }
}

/** A lock that went by itself needs no moving. */
function moveAway(disk: Disk, lock: string, mine: Owner): void {
  const away = `${lock}-${mine.pid}-${randomUUID()}`;
  try {
    disk.renameSync(lock, away);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  discard(disk, away);
}

/** False where the file is there already. */
function writeOwner(disk: Disk, file: string, owner: Owner): boolean {
  let handle: number;
  try {
    handle = disk.openSync(file, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    disk.writeSync(handle, Buffer.from(JSON.stringify(owner)));
  } finally {
    disk.closeSync(handle);
  }
  return true;
}

function ownerOf(disk: Disk, file: string): Owner | null {
  try {
    return OwnerSchema.parse(JSON.parse(disk.readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

function isDead({ pid, host }: Owner): boolean {
  return host === hostname() && !isAlive(pid);
}

/** Milliseconds since it was made, in either direction, since clocks are set back too; a lock that is gone has age 0. */
function ageOf(disk: Disk, path: string): number {
  const status = statusOf(disk, path);
  return status === undefined ? 0 : Math.abs(Date.now() - status.mtimeMs);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}

function locked(lock: string, owner: Owner | null): PackError {
  const who = owner === null ? "Another process" : `Process ${owner.pid} on ${owner.host}`;
  return new PackError("locked", `${who} holds the lock of this run`, {
    file: lock,
    fix: "Hand the message in again when that process has ended",
  });
}
