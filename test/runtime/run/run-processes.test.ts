/** Real processes on one run: writers at once, writers that are killed, readers alongside, locks of the dead. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { parseHandoff } from "../../../runtime/core/handoff.ts";
import { DISK } from "../../../runtime/run/disk.ts";
import { takeLock } from "../../../runtime/run/run-lock.ts";
import { readRun } from "../../../runtime/run/run-read.ts";
import { persistMessage } from "../../../runtime/run/run-store.ts";
import { AGENT, inRuns, leftovers, message, start, tree, writerCommand } from "../../support/runs.ts";

const LIMIT = { timeout: 60_000 };

/** Whole and in order, or it fails; gives the intents. */
function wholeIntents(run: string): string[] {
  const { reports, problem } = readRun(run);
  assert.equal(problem, undefined);
  return reports.map((report, at) => {
    assert.equal(report.problem, undefined);
    assert.equal(report.iteration.number, at + 1);
    return report.payload?.query.intent ?? "";
  });
}

const acknowledged = (lines: string[]) => lines.map((line) => line.split(" ")[2] ?? "");

test("four writers at once lose nothing and number nothing twice", LIMIT, async () => {
  await inRuns(async (folder) => {
    const run = join(folder, "s-1");
    const ended = await Promise.all(["a", "b", "c", "d"].map((name) => start(writerCommand("write", run, name, "6"))));
    for (const { code, stderr } of ended) assert.equal(code, 0, stderr);
    const told = ended.flatMap(({ lines }) => lines);
    assert.equal(told.length, 24);
    assert.equal(new Set(told.map((line) => line.split(" ")[1])).size, 24);
    assert.deepEqual(wholeIntents(run).sort(), acknowledged(told).sort());
    assert.deepEqual(leftovers(run), []);
  });
});

test(
  "a writer killed at random points, readers alongside: no torn read, nothing acknowledged is lost",
  LIMIT,
  async () => {
    await inRuns(async (folder) => {
      const run = join(folder, "s-1");
      const told: string[] = [];
      for (let round = 1; round <= 5; round++) {
        let alive = true;
        const killAt = randomInt(1, 4);
        const writer = start(writerCommand("write", run, `r${round}`, "1000"), (line, kill) => {
          if (!line.startsWith(`ack `) || !line.endsWith(`-${killAt}`)) return;
          // Somewhere in the next message, which the writer has begun by now.
          setTimeout(kill, randomInt(0, 12));
        }).finally(() => {
          alive = false;
        });
        const reader = (async () => {
          for (; alive; await setImmediate()) if (fs.existsSync(join(run, "state.json"))) readEverything(run);
        })();
        const [{ signal, lines, stderr }] = await Promise.all([writer, reader]);
        assert.equal(signal, "SIGKILL", `the writer was at work when it was killed: ${stderr}`);
        told.push(...acknowledged(lines));
      }
      await persistMessage(run, message("the last"));
      const kept = new Set(wholeIntents(run));
      for (const intent of told) assert.ok(kept.has(intent), `${intent} was acknowledged and is gone`);
      assert.deepEqual(leftovers(run), []);
      assert.deepEqual(
        tree(run).filter((name) => name.includes(".corrupt-")),
        [],
      );
    });
  },
);

/** What any reader may do at any moment: each file is whole, each report is what its hashes say. */
function readEverything(run: string): void {
  wholeIntents(run);
  const read = (name: string) => {
    const file = join(run, AGENT, name);
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
  };
  const results = read("mcp-results.md");
  if (results !== null) assert.equal(typeof JSON.parse(results).query.intent, "string");
  const handoff = read("handoff.md");
  if (handoff !== null) assert.equal(parseHandoff(handoff).task, "mcp-query");
}

test("a writer that is killed at any one call leaves a run that the next one sets right", LIMIT, async () => {
  await inRuns(async (folder) => {
    const whole = await start(writerCommand("die", join(folder, "counted"), "x", "0"));
    const calls = Number(/^calls (\d+)$/.exec(whole.lines[0] ?? "")?.[1]);
    assert.ok(calls > 30, whole.stderr);
    // Every call is tried without a process in run-faults; here a few of them with a real kill.
    const points = [1, 2, 3, 4].map((part) => Math.ceil((calls * part) / 5) + randomInt(0, 4));
    await Promise.all(
      points.map(async (point, at) => {
        const run = join(folder, `s-${at}`);
        await persistMessage(run, message("before"));
        const { signal } = await start(writerCommand("die", run, "killed", String(point)));
        assert.equal(signal, "SIGKILL");
        await persistMessage(run, message("after"), { waitMs: 2000 });
        const intents = wholeIntents(run);
        assert.ok(["before,after", "before,killed,after"].includes(intents.join()), `killed at ${point}: ${intents}`);
        assert.deepEqual(leftovers(run), []);
      }),
    );
  });
});

// ── locks ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function plantLock(run: string, owner: object, age = 0): void {
  fs.mkdirSync(join(run, ".lock"), { recursive: true });
  fs.writeFileSync(join(run, ".lock/owner.json"), JSON.stringify(owner));
  const time = Date.now() / 1000 - age;
  fs.utimesSync(join(run, ".lock"), time, time);
}

/** The id of a process that has ended. */
const DEAD = spawnSync(process.execPath, ["--version"]).pid;

const owner = (pid: number, host = hostname()) => ({ pid, host, token: randomUUID() });

const GONE: [what: string, owner: object, age: number][] = [
  ["of a dead process", owner(DEAD), 0],
  ["of a dead process, from the future, as after a clock that was set back", owner(DEAD), -7200],
  ["that is old, of a process that cannot be asked", owner(1, "another-host"), 7200],
  ["that is old, whose process id another process has now", owner(process.pid), 7200],
  ["that is old and names no owner", {}, 7200],
];

for (const [what, planted, age] of GONE) {
  test(`a lock ${what} is taken over`, async () => {
    await inRuns(async (folder) => {
      const run = join(folder, "s-1");
      plantLock(run, planted, age);
      const { written } = await persistMessage(run, message("x"), { waitMs: 2000 });
      assert.equal(written, true);
      assert.deepEqual(leftovers(run), []);
    });
  });
}

const HELD: [what: string, owner: object][] = [
  ["of a living process", owner(process.pid)],
  ["of a process on another host", owner(1, "another-host")],
  ["without an owner that can be read", {}],
];

for (const [what, planted] of HELD) {
  test(`a fresh lock ${what} is waited for, within bounds, and left alone`, async () => {
    await inRuns(async (folder) => {
      const run = join(folder, "s-1");
      plantLock(run, planted);
      await assert.rejects(persistMessage(run, message("x"), { waitMs: 30 }), { name: "PackError", code: "locked" });
      assert.deepEqual(
        leftovers(run).filter((name) => !name.startsWith(".lock/")),
        [".lock"],
      );
      assert.deepEqual(wholeIfAny(run), []);
    });
  });
}

function wholeIfAny(run: string): string[] {
  return readRun(run).reports.map(({ payload }) => payload?.query.intent ?? "");
}

test("a dead lock is taken over by one of many, and a ticket of a dead process stops nobody", LIMIT, async () => {
  await inRuns(async (folder) => {
    for (let round = 0; round < 10; round++) {
      const run = join(folder, `s-${round}`);
      const dead = owner(DEAD);
      plantLock(run, dead);
      if (round % 2 === 1) fs.writeFileSync(join(run, `.lock-ticket-${dead.token}-1`), JSON.stringify(owner(DEAD)));
      let holders = 0;
      await Promise.all(
        Array.from({ length: 6 }, async () => {
          const lock = await takeLock(DISK, run, 10_000);
          holders += 1;
          assert.equal(holders, 1);
          await setImmediate();
          holders -= 1;
          lock.release();
        }),
      );
    }
  });
});

test("a writer that lost its lock in a long sleep overwrites nothing", async () => {
  await inRuns(async (folder) => {
    const run = join(folder, "s-1");
    await persistMessage(run, message("first"));
    // Just before its commit another writer, which took the lock for dead, puts its own lock and report there.
    let slept = false;
    const disk = {
      ...DISK,
      mkdirSync: ((path: string, options: object) => {
        if (!slept && path.includes(".draft-")) {
          slept = true;
          fs.rmSync(join(run, ".lock"), { recursive: true });
          plantLock(run, owner(process.pid));
        }
        return fs.mkdirSync(path, options);
      }) as typeof fs.mkdirSync,
    };
    await assert.rejects(persistMessage(run, message("late"), { disk }), { name: "PackError", code: "locked" });
    assert.ok(fs.existsSync(join(run, ".lock")), "the other's lock stays");
    assert.deepEqual(wholeIfAny(run), ["first"]);
  });
});
