/**
 * A process that persists reports: `run-writer.mjs MODULE RUN NAME COUNT`. Prints `ready`, then `ack <intent>` after each
 * report that was acknowledged. With COUNT 0 it takes the run's lock and keeps it until it is killed.
 */
import { pathToFileURL } from "node:url";

const [, , store, emit, lock, run, name, count] = process.argv;
const { persistMessage } = await import(pathToFileURL(store).href);
const { emitResults } = await import(pathToFileURL(emit).href);
const { withRunLock } = await import(pathToFileURL(lock).href);

const say = (line) => new Promise((done) => process.stdout.write(`${line}\n`, done));

if (count === "0") {
  await withRunLock(run, async () => {
    await say("ready");
    await new Promise((done) => setTimeout(done, 600_000));
  });
}
await say("ready");
for (let number = 1; number <= Number(count); number++) {
  const intent = `${name}-${number}`;
  const payload = { mcps_detected: [], clis_detected: [], research_tools: [], graceful_degradation: true, skipped: [] };
  const query = { intent, tool: null, available: false, raw_result: "x".repeat(20_000) };
  const handoff = { status: "degraded", task: "mcp-query", notes: intent, iteration_count: number };
  await persistMessage(run, emitResults({ ...payload, query }, handoff));
  await say(`ack ${intent}`);
}
