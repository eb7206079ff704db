/**
 * A server's process: started without a shell in a process group of its own, so that whatever it starts (npx, uvx and sh
 * wrap the real server) can be ended with it.
 */
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { StringDecoder } from "node:string_decoder";
import spawn from "cross-spawn";
import { ENDING_SIGNALS } from "../core/ending-signals.ts";

/** What a child inherits besides its configured environment: what login shells pass on, no tokens of the user's. */
const INHERITED =
  process.platform === "win32"
    ? "APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE PROGRAMFILES"
    : "HOME LOGNAME PATH SHELL TERM USER";

export interface ChildTarget {
  command: string;
  args: string[];
  env: Record<string, string>;
  cwd?: string | undefined;
}

/** Tells a server that one of ours started it, and how many of ours stand behind each other. */
const DEPTH = "MCP_SKILLS_DEPTH";

/** How many of ours started each other down to this process; 0 where a host or a person did. */
export function startedByUs(): number {
  const depth = Number(process.env[DEPTH] ?? 0);
  return Number.isInteger(depth) && depth >= 0 ? depth : 1;
}

export function startChild(target: ChildTarget): ChildProcess {
  const inherited = INHERITED.split(" ").flatMap((name) => {
    const value = process.env[name];
    // An exported shell function in the environment would run in a child shell.
    return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
  });
  return startGroup(target.command, target.args, {
    env: { ...Object.fromEntries(inherited), ...target.env, [DEPTH]: String(startedByUs() + 1) },
    stdio: ["pipe", "pipe", "pipe"],
    ...(target.cwd === undefined ? {} : { cwd: target.cwd }),
  });
}

/** Starts a program by its bare name without a shell, with exactly this environment and no input, in a group of its own. */
export function startProgram(name: string, args: string[], env: Record<string, string>): ChildProcess {
  return startGroup(name, args, { env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Groups that run: a terminal's signal does not reach them, so whatever ends us has to end them. */
const running = new Set<ChildProcess>();
let watching = false;

function startGroup(program: string, args: string[], options: SpawnOptions): ChildProcess {
  const child = spawn(program, args, { ...options, detached: process.platform !== "win32", windowsHide: true });
  running.add(child);
  for (const event of ["exit", "error"]) child.once(event, () => running.delete(child));
  if (!watching) endGroupsWithUs();
  watching = true;
  return child;
}

function endGroupsWithUs(): void {
  process.once("exit", killAll);
  for (const signal of ENDING_SIGNALS) {
    // Who listens already ends in a way of its own; so does who comes to listen later.
    if (process.listenerCount(signal) > 0) continue;
    process.once(signal, () => {
      if (process.listenerCount(signal) > 0) return;
      killAll();
      process.kill(process.pid, signal);
    });
  }
}

function killAll(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}

/**
 * Ends a child and all of its group: end of input, then SIGTERM after `inputGraceMs`, then SIGKILL after `graceMs` (default
 * 300, for both). Returns when the child is gone.
 */
export async function endChild(child: ChildProcess, graceMs = 300, inputGraceMs = graceMs): Promise<void> {
  const gone = exitOf(child);
  child.stdin?.end();
  if (!(await within(gone, inputGraceMs))) {
    signalGroup(child, "SIGTERM");
    if (!(await within(gone, graceMs))) signalGroup(child, "SIGKILL");
  }
  await within(gone, 2000);
  // The child may have left its own children behind: the group still carries its number.
  signalGroup(child, "SIGKILL");
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function exitOf(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => child.once("exit", () => done()));
}

/** Whether a promise settles within so many milliseconds. */
export async function within(promise: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((done) => {
    timer = setTimeout(() => done(false), limitMs);
  });
  const inTime = await Promise.race([promise.then(() => true as const), late]);
  clearTimeout(timer);
  return inTime;
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") {
      spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" });
    } else {
      process.kill(-child.pid, signal);
    }
  } catch {
    // Nobody of the group is left, which is what we want.
  }
}

/** The last lines that came over a stream, bounded in number and length; the stream is always read, so it never blocks. */
export function keepLastLines(stream: NodeJS.ReadableStream | null, limit = 20): string[] {
  const lines: string[] = [];
  const decoder = new StringDecoder("utf8");
  let rest = "";
  stream?.on("data", (chunk: Buffer) => {
    const parts = (rest + decoder.write(chunk)).split(/\r?\n/);
    rest = (parts.pop() ?? "").slice(-1000);
    for (const line of parts.slice(-limit)) if (line.trim() !== "") lines.push(line.slice(0, 1000));
    lines.splice(0, Math.max(0, lines.length - limit));
  });
  stream?.on("end", () => {
    if (rest.trim() !== "") lines.push(rest);
  });
  stream?.on("error", () => {});
  return lines;
}
