/** `persist` and `runs` as an orchestrator calls them. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCli } from "../../support/cli.ts";
import { AGENT, bodyOf, inRuns, message, tree } from "../../support/runs.ts";

const entry = (name: string, used: boolean, notes: string) => ({ name, source: "prompt", used, notes });
const MESSAGE = message("x", 1, {
  mcps_detected: [entry("github", true, "called search")],
  skipped: ["expected: jira; available: false (auth)"],
  query: { intent: "x", tool: "github/search", available: true, raw_result: { "tok-5f2d9c": ["tok-5f2d9c"] } },
});

test("persist: a message in, the report kept, told in a line or as JSON", async () => {
  await inRuns(async (cwd) => {
    const first = await runCli(["persist", "--run", "runs/s-1"], { cwd, stdin: MESSAGE });
    assert.deepEqual([first.code, first.stdout], [0, "s-1: iteration 1, degraded\n"], first.stderr);
    const kept = readFileSync(join(cwd, "runs/s-1", AGENT, "mcp-results.md"), "utf8");
    assert.equal(kept, bodyOf(MESSAGE, "mcp-results"));

    writeFileSync(join(cwd, "message.md"), message("y", 2));
    const second = await runCli(["persist", "--run", "runs/s-1", "--input", "message.md", "--json"], { cwd });
    const { number, session, written } = JSON.parse(second.stdout);
    assert.deepEqual([number, session, written], [2, "s-1", true]);
  });
});

test("persist: a bad message or path exits 2, a run that cannot be written 1, and stdout stays empty", async () => {
  await inRuns(async (cwd) => {
    const persist = (run: string, stdin: string | Uint8Array) => runCli(["persist", "--run", run], { cwd, stdin });
    const bad = await persist("runs/s-1", "I found nothing.\n");
    assert.deepEqual([bad.code, bad.stdout], [2, ""]);
    const encoded = await persist("runs/s-1", Buffer.from(message("grün"), "latin1"));
    assert.deepEqual([encoded.code, encoded.stdout], [2, ""]);
    assert.match(encoded.stderr, /UTF-8/);
    const climbing = await persist("runs/../../s-1", MESSAGE);
    assert.deepEqual([climbing.code, climbing.stdout], [2, ""]);
    assert.deepEqual(tree(cwd), []);
    writeFileSync(join(cwd, "runs"), "a file where the folder of runs should be");
    const failed = await persist("runs/s-1", MESSAGE);
    assert.deepEqual([failed.code, failed.stdout], [1, ""]);
    assert.match(failed.stderr, /could not be written/);
  });
});

test("persist: what was moved aside is told on stderr", async () => {
  await inRuns(async (cwd) => {
    mkdirSync(join(cwd, "runs/s-1"), { recursive: true });
    writeFileSync(join(cwd, "runs/s-1/state.json"), "{");
    const { code, stderr } = await runCli(["persist", "--run", "runs/s-1"], { cwd, stdin: MESSAGE });
    assert.equal(code, 0);
    assert.match(stderr, /state\.json: .*; moved to .*state\.json\.corrupt-/);
  });
});

test("runs: every run of a folder, a damaged one told and no other's place lost", async () => {
  await inRuns(async (cwd) => {
    for (const run of ["runs/s-1", "runs/s-2"]) await runCli(["persist", "--run", run], { cwd, stdin: MESSAGE });
    mkdirSync(join(cwd, "runs/no-run"));
    mkdirSync(join(cwd, "runs/.odd name"));
    writeFileSync(join(cwd, "runs/.odd name/state.json"), "{}");
    const row = "degraded\tgithub\texpected: jira; available: false (auth)";
    const whole = await runCli(["runs", "runs"], { cwd });
    assert.match(whole.stdout, new RegExp(`^s-1\t1\t${row.replace(/[()]/g, "\\$&")}$`, "m"));
    writeFileSync(join(cwd, "runs/s-1/state.json"), "");
    const { code, stdout } = await runCli(["runs", "runs", "--json"], { cwd });
    assert.equal(code, 1);
    const runs = JSON.parse(stdout) as { session: string; problem?: string; iterations: { used: string[] }[] }[];
    assert.deepEqual(
      runs.map(({ session, problem, iterations }) => [session, problem !== undefined, iterations.length]),
      [
        [".odd name", true, 0],
        ["s-1", true, 1],
        ["s-2", false, 1],
      ],
    );
    const shown = await runCli(["runs", "runs/s-2"], { cwd });
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /expected: github[\s\S]*used: github[\s\S]*jira; available: false \(auth\)/);
    assert.ok(!`${whole.stdout}${stdout}${shown.stdout}`.includes("tok-5f2d9c"), "no raw result is shown");
    assert.equal((await runCli(["runs", "elsewhere"], { cwd })).code, 2);
  });
});
