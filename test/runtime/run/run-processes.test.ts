/** Real processes on one run: writers at once, writers that are killed, readers alongside. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { emitResults } from "../../../runtime/core/results-emit.ts";
import { persistMessage, readRun } from "../../../runtime/run/run-store.ts";
import { modulePath, ROOT, scriptCommand } from "../../support/cli.ts";

const root = mkdtempSync(join(tmpdir(), "mcp-skills-writers-"));
after(() => rmSync(root, { recursive: true, force: true }));

interface Writer {
  child: ChildProcess;
  acknowledged: string[];
  /** Resolves at the writer's first line, when it is about to write. */
  ready: Promise<void>;
  ended: Promise<number | null>;
}

function startWriter(run: string, name: string, count: number): Writer {
  const modules = ["runtime/run/run-store", "runtime/core/results-emit", "runtime/run/run-lock"].map(modulePath);
  const [program = "", ...args] = scriptCommand(join(ROOT, "test/support/run-writer.mjs"));
  const child = spawn(program, [...args, ...modules, run, name, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: string[] = [];
  const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
  const ready = new Promise<void>((done) => {
    lines.on("line", (line) => {
      if (line === "ready") done();
      else acknowledged.push(line.slice("ack ".length));
    });
    child.once("close", () => done());
  });
  return { child, acknowledged, ready, ended: new Promise((done) => child.once("close", done)) };
}

function newRun(name: string): string {
  const run = join(root, name);
  mkdirSync(run);
  return run;
}

function emptyMessage(intent: string): string {
  const payload = { mcps_detected: [], clis_detected: [], research_tools: [], graceful_degradation: true, skipped: [] };
  const query = { intent, tool: null, available: false, raw_result: null };
  return emitResults({ ...payload, query }, { status: "ok", task: "mcp-query", notes: "", iteration_count: 1 });
}

async function intentsOf(run: string): Promise<string[]> {
  const { reports, problem } = await readRun(run);
  assert.equal(problem, undefined);
  for (const report of reports) assert.equal(report.problem, undefined);
  return reports.map(({ payload }) => payload?.query.intent ?? "");
}

test("four writers at once lose nothing", { timeout: 60_000 }, async () => {
  const run = newRun("four");
  const writers = ["a", "b", "c", "d"].map((name) => startWriter(run, name, 5));
  assert.deepEqual(await Promise.all(writers.map(({ ended }) => ended)), [0, 0, 0, 0]);
  const expected = writers.flatMap(({ acknowledged }) => acknowledged);
  assert.equal(expected.length, 20);
  assert.deepEqual((await intentsOf(run)).sort(), expected.sort());
});

test("writers killed at random points, with a reader alongside: no torn read, nothing acknowledged is lost", {
  timeout: 60_000,
}, async () => {
  const run = newRun("killed");
  const acknowledged: string[] = [];
  let killedAtWork = 0;
  for (let round = 1; round <= 8; round++) {
    const writer = startWriter(run, `r${round}`, 1000);
    await writer.ready;
    // The reader paces the kill: after so many acknowledgements and reads, different in each round, comes SIGKILL.
    for (let reads = 0; reads < round * 3 || writer.acknowledged.length < (round % 3) + 1; reads++) {
      const { reports, problem } = await readRun(run);
      assert.equal(problem, undefined, "the state is never torn");
      for (const report of reports) assert.equal(report.problem, undefined, "no report is ever torn");
    }
    if (writer.child.exitCode === null) killedAtWork += 1;
    writer.child.kill("SIGKILL");
    await writer.ended;
    acknowledged.push(...writer.acknowledged);
    rmSync(join(run, ".lock"), { recursive: true, force: true });
  }
  assert.equal(killedAtWork, 8, "every writer was at work when it was killed");
  const kept = new Set(await intentsOf(run));
  for (const intent of acknowledged) assert.ok(kept.has(intent), `${intent} was acknowledged and is gone`);
});

test("a lock left by a dead process is taken over", { timeout: 60_000 }, async () => {
  const run = newRun("dead");
  const holder = startWriter(run, "holder", 0);
  await holder.ready;
  const message = emptyMessage("after");
  await assert.rejects(persistMessage(run, message, { waitMs: 200 }), { name: "PackError", code: "locked" });
  holder.child.kill("SIGKILL");
  await holder.ended;
  const { written } = await persistMessage(run, message, { staleMs: 2000 });
  assert.equal(written, true);
});

test("G5: a lock from the future, after a jump of the clock, is waited for within bounds and then told", {
  timeout: 60_000,
}, async () => {
  const run = newRun("future");
  mkdirSync(join(run, ".lock"));
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(join(run, ".lock"), later, later);
  await assert.rejects(persistMessage(run, emptyMessage("late"), { waitMs: 200 }), {
    name: "PackError",
    code: "locked",
  });
});
