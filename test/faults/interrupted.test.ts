/** Whoever interrupts a command while servers hang leaves none of them behind, whatever they ignore. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { cliCommand } from "../support/cli.ts";
import { processesOf } from "../support/processes.ts";
import { makeServersHome, processesLeft } from "./beside.ts";

const { home, remove } = makeServersHome();
after(remove);

/** Hangs, ignores every polite end, and has started a child that does the same. */
const DEAF = 'trap "" INT TERM HUP; sleep 60 & sleep 60; sleep 60';

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`${signal} ends the command and all that it started`, { timeout: 60_000 }, async () => {
    const config = join(home, "mcp.json");
    const server = { command: "sh", args: ["-c", DEAF], env: { HOME: home } };
    writeFileSync(config, JSON.stringify({ mcpServers: { deaf: server, "deaf too": server } }));
    const [program = "", ...args] = cliCommand();
    const command = spawn(program, [...args, "tools", "--refresh", "--config", config], {
      env: { ...process.env, HOME: join(home, "user"), XDG_CACHE_HOME: join(home, "cache") },
      stdio: "ignore",
    });
    const ended = once(command, "exit");
    await bothRun(command);
    command.kill(signal);
    assert.deepEqual(await ended, [null, signal]);
    assert.deepEqual(await processesLeft(home), [], "no process is left");
  });
}

/** Until each of the two servers has its child. */
async function bothRun(command: ChildProcess): Promise<void> {
  const sleeping = () => processesOf(home).filter((line) => line.startsWith("sleep")).length;
  while (command.exitCode === null && sleeping() < 4) await pause(10);
}
