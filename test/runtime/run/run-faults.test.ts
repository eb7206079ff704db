/**
 * Old or new, never a mix: whichever call to the file system fails, or is the last before a crash. The failing calls wrap
 * the real ones, since a real disk fails where it likes; a real full disk, a read-only one and a forbidden folder follow.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parseHandoff } from "../../../runtime/core/handoff.ts";
import { DISK, type Disk } from "../../../runtime/run/disk.ts";
import { readRun } from "../../../runtime/run/run-read.ts";
import { persistMessage } from "../../../runtime/run/run-store.ts";
import { AGENT, inRuns, leftovers, message, start, writerCommand } from "../../support/runs.ts";

const LIMIT = { timeout: 60_000 };

type Call = (...args: unknown[]) => unknown;

/**
 * The real calls, each given to `fault` to make or to fail. Nothing is flushed to the disk, which no test of one process
 * could tell from the outside and which takes most of the time.
 */
function faultyDisk(fault: (name: string, call: () => unknown, args: unknown[]) => unknown): Disk {
  const real = Object.entries(DISK as unknown as Record<string, Call>).filter(([name]) => name.endsWith("Sync"));
  const wrapped = real.map(([name, call]) => {
    const make: Call = name === "fsyncSync" ? () => undefined : call;
    return [name, (...args: unknown[]) => fault(name, () => make(...args), args)] as const;
  });
  return Object.fromEntries(wrapped) as unknown as Disk;
}

const healthyDisk = () => faultyDisk((_name, call) => call());

/** The names of all calls that the second report of a run makes. */
async function callsOfSecond(run: string): Promise<string[]> {
  const names: string[] = [];
  const disk = faultyDisk((name, call) => {
    names.push(name);
    return call();
  });
  await persistMessage(run, message("new", 2), { disk });
  assert.ok(names.length > 30, "every call is counted");
  return names;
}

/** Runs to damage, each with one report, "old". */
async function inOldRuns(use: (newRun: (name: string) => string) => Promise<void>): Promise<void> {
  await inRuns(async (folder) => {
    const template = join(folder, "template");
    await persistMessage(template, message("old"));
    await use((name) => {
      fs.cpSync(template, join(folder, name), { recursive: true });
      return join(folder, name);
    });
  });
}

const intentsOf = (run: string) =>
  readRun(run)
    .reports.map(({ payload }) => payload?.query.intent)
    .join();

/** Both current files and every report, each whole: of before, or new. */
function assertOldOrNew(run: string, what: string): void {
  const results = fs.readFileSync(join(run, AGENT, "mcp-results.md"), "utf8");
  assert.ok(["old", "new"].includes(JSON.parse(results).query.intent), what);
  parseHandoff(fs.readFileSync(join(run, AGENT, "handoff.md"), "utf8"));
  const { reports, problem } = readRun(run);
  assert.equal(problem, undefined, what);
  for (const report of reports) assert.equal(report.problem, undefined, what);
  assert.ok(["old", "old,new"].includes(intentsOf(run)), what);
}

const LOOKING = new Set(["lstatSync", "readdirSync", "readFileSync", "rmSync"]);

/** A call that only looks fails in one way here; one that writes in each way that disks have. */
function codesOf(name: string): string[] {
  if (LOOKING.has(name)) return ["EIO"];
  return ["ENOSPC", "EACCES", "EROFS", "EIO", ...(name === "renameSync" ? ["EXDEV"] : [])];
}

test(
  "an error at any call is told; what was there is intact, nothing is left over, a retry completes it",
  LIMIT,
  async () => {
    await inOldRuns(async (newRun) => {
      for (const [at, name] of (await callsOfSecond(newRun("counted"))).entries()) {
        for (const code of codesOf(name)) {
          const what = `${code} at call ${at + 1}, ${name}`;
          const run = newRun(`s-${at}-${code}`);
          let calls = 0;
          const disk = faultyDisk((_name, call) => {
            calls += 1;
            if (calls !== at + 1) return call();
            // A file that is closed with an error is closed all the same.
            if (name === "closeSync") call();
            throw Object.assign(new Error(`${code}: injected`), { code });
          });
          const outcome = await persistMessage(run, message("new", 2), { disk }).catch((error: unknown) => error);
          if (outcome instanceof Error) {
            const { code: told, fix } = outcome as { code?: string; fix?: string };
            assert.ok(told === "write-failed" || told === "locked", `${what}: ${outcome}`);
            assert.equal(typeof fix, "string");
          } else assert.equal(intentsOf(run), "old,new", `${what} was acknowledged`);
          assertOldOrNew(run, what);
          if (name !== "rmSync") assert.deepEqual(leftovers(run), [], what);
          await persistMessage(run, message("new", 2), { disk: healthyDisk() });
          assert.equal(intentsOf(run), "old,new", what);
        }
      }
    });
  },
);

test(
  "a crash at any call, with half a write done, leaves the old or the new; the next writer mends it",
  LIMIT,
  async () => {
    const dead = spawnSync(process.execPath, ["--version"]).pid;
    await inOldRuns(async (newRun) => {
      const { length } = await callsOfSecond(newRun("counted"));
      for (let at = 1; at <= length; at++) {
        const run = newRun(`s-${at}`);
        let calls = 0;
        const disk = faultyDisk((name, call, [handle, bytes]) => {
          calls += 1;
          if (calls < at) return call();
          if (calls === at && name === "writeSync")
            fs.writeSync(handle as number, (bytes as Uint8Array).subarray(0, 20));
          throw new Error("the process is gone");
        });
        await persistMessage(run, message("new", 2), { disk }).catch(() => {});
        assertOldOrNew(run, `crash at call ${at}`);
        bury(run, dead);
        await persistMessage(run, message("new", 2), { disk: healthyDisk(), waitMs: 2000 });
        assert.equal(intentsOf(run), "old,new", `crash at call ${at}`);
        assert.deepEqual(leftovers(run), [], `crash at call ${at}`);
      }
    });
  },
);

/** Makes what our living process left look like a dead one's. */
function bury(run: string, pid: number): void {
  for (const name of fs.readdirSync(run).filter((entry) => entry.startsWith(".lock"))) {
    const file = join(run, name, "owner.json");
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    if (text.endsWith("}")) fs.writeFileSync(file, JSON.stringify({ ...JSON.parse(text), pid }));
    fs.renameSync(join(run, name), join(run, name.replace(`-${process.pid}-`, `-${pid}-`)));
  }
}

// ── real disks ──────────────────────────────────────────────────────────────────────────────────────────────────────

/** A file system of its own needs a mount, which a user namespace gives even to those without rights; not everywhere. */
const inNamespace = (...command: string[]) => [
  "unshare",
  "--user",
  "--map-root-user",
  "--mount",
  "sh",
  "-c",
  ...command,
];
const [unshare = "", ...probe] = inNamespace("mount -t tmpfs tmpfs /mnt");
const MOUNT = { ...LIMIT, skip: spawnSync(unshare, probe).status !== 0 };

test("a full disk and a read-only one: what was acknowledged is kept, the rest is told", MOUNT, async () => {
  await inRuns(async (folder) => {
    const script = 'mount -t tmpfs -o size=256k tmpfs "$0" && exec "$@"';
    const command = inNamespace(script, folder, ...writerCommand("fill", join(folder, "s-1"), folder));
    const { lines, stderr } = await start(command);
    const [full, kept, drafts, readOnly] = lines;
    assert.equal(full, "PackError write-failed ENOSPC", stderr);
    const [, whole, acknowledged] = (/^kept (\d+) of (\d+)$/.exec(kept ?? "") ?? []).map(Number);
    assert.ok(acknowledged !== undefined && acknowledged > 1, kept);
    // The last may have got its place and lacked the room for the copies: it is whole, and was not acknowledged.
    assert.ok(whole === acknowledged || whole === acknowledged + 1, kept);
    assert.equal(drafts, "drafts 0");
    assert.equal(readOnly, "PackError write-failed EROFS", stderr);
  });
});

const POSIX = { ...LIMIT, skip: process.platform === "win32" };

test("a folder that may not be written is told; once it may, the same message is kept", POSIX, async () => {
  await inRuns(async (folder) => {
    fs.chmodSync(folder, 0o777);
    const { lines, stderr } = await start(writerCommand("forbidden", join(folder, "s-1")));
    assert.deepEqual(lines, ["stored 1", "PackError write-failed EACCES", "stored 2"], stderr);
  });
});
