/**
 * A process that writes a run, for tests that kill it or let several compete. Arguments: the store's module, a task, the
 * run's folder, and what the task needs. One line of stdout a message that the store acknowledged.
 */
import fs from "node:fs";

const [store, task, run, ...rest] = process.argv.slice(2);
const { persistMessage } = await import(store);

const message = (intent, count = 1, filler = "") => {
  const results = { mcps_detected: [], clis_detected: [], research_tools: [], graceful_degradation: true, skipped: [] };
  const query = { intent, tool: null, available: false, raw_result: filler };
  const body = JSON.stringify({ ...results, query }, null, 2);
  const handoff = `status: degraded\ntask: mcp-query\nnotes: "none"\niteration_count: ${count}`;
  return `\`\`\`mcp-results\n${body}\n\`\`\`\n\n\`\`\`handoff\n${handoff}\n\`\`\`\n`;
};

const say = (...words) => fs.writeSync(1, `${words.join(" ")}\n`);

const attempt = (text) =>
  persistMessage(run, text, { waitMs: 500 }).then(
    ({ iteration }) => `stored ${iteration.number}`,
    (error) => `${error.name} ${error.code} ${error.cause?.code ?? ""}`.trim(),
  );

const tasks = {
  /** Writes a number of messages and says so after each: `ack <iteration> <intent>`. */
  async write(name, count) {
    for (let at = 1; at <= Number(count); at++) {
      const { iteration } = await persistMessage(run, message(`${name}-${at}`), { waitMs: 60_000 });
      say("ack", iteration.number, `${name}-${at}`);
    }
  },
  /** Kills itself at the nth call to the file system. */
  async die(intent, at) {
    let calls = 0;
    const count = (call) => {
      calls += 1;
      if (calls === Number(at)) process.kill(process.pid, "SIGKILL");
      return call();
    };
    const disk = new Proxy(
      {},
      { get: (_, name) => (typeof fs[name] === "function" ? (...args) => count(() => fs[name](...args)) : fs[name]) },
    );
    await persistMessage(run, message(intent), { disk });
    say("calls", calls);
  },
  /** Writes until the disk is full, makes it read-only, and says what came of it. */
  async fill() {
    let outcome = "";
    let stored = 0;
    for (; outcome === "" || outcome.startsWith("stored"); stored++) {
      outcome = await attempt(message(`fill-${stored}`, stored + 1, "x".repeat(20_000)));
    }
    say(outcome);
    const { readRun } = await import(store.replace("run-store", "run-read"));
    const kept = readRun(run);
    const whole = kept.reports.filter(({ problem }) => problem === undefined);
    say("kept", whole.length, "of", stored - 1);
    const names = fs.readdirSync(run, { recursive: true }).map(String);
    say("drafts", names.filter((name) => /\.draft-|\.lock/.test(name)).length);
    const { execFileSync } = await import("node:child_process");
    execFileSync("mount", ["-o", "remount,ro", rest[0]]);
    say(await attempt(message("read-only")));
  },
  /** As a user who has no special rights: a folder that may not be written, then one that may again. */
  async forbidden() {
    // The store's own lazy imports come first: another user may not be able to read the repository.
    await persistMessage(`${run}-warm`, message("warm"));
    if (process.getuid?.() === 0) process.setuid(65_534);
    say(await attempt(message("one")));
    const folders = [run, `${run}/agents/research-runner`, `${run}/agents/research-runner/iterations`];
    for (const folder of folders) fs.chmodSync(folder, 0o555);
    say(await attempt(message("two")));
    for (const folder of folders) fs.chmodSync(folder, 0o755);
    say(await attempt(message("two")));
  },
};

await tasks[task](...rest);
