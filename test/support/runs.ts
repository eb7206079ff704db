/** Messages and runs for the tests of the run store. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Handoff, Results } from "../../runtime/core/contracts.ts";
import { emitResults } from "../../runtime/core/results-emit.ts";
import { modulePath, ROOT, scriptCommand } from "./cli.ts";

export const AGENT = "agents/research-runner";

export function message(intent: string, count = 1, more: Partial<Results> = {}): string {
  const payload: Results = {
    mcps_detected: [],
    clis_detected: [],
    research_tools: [],
    graceful_degradation: true,
    skipped: [],
    query: { intent, tool: null, available: false, raw_result: null },
    ...more,
  };
  const handoff: Handoff = { status: "degraded", task: "mcp-query", notes: "none", iteration_count: count };
  return emitResults(payload, handoff);
}

/** The text between a fence's first and last line. */
export function bodyOf(text: string, lang: string): string {
  return new RegExp(`^\`\`\`${lang}\\n([^]*?)\\n\`\`\`$`, "m").exec(text)?.[1] ?? "";
}

/** A folder of runs that is removed afterwards. */
export async function inRuns<Result>(use: (folder: string) => Result | Promise<Result>): Promise<Result> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcp-skills-runs-")));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Everything in a folder, as relative paths. */
export function tree(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}

/** What a writer must never leave behind. */
export function leftovers(folder: string): string[] {
  return tree(folder).filter((name) => /\.draft-|\.lock/.test(name));
}

/** Program and arguments of `run-writer.mjs` on this runtime. */
export function writerCommand(task: string, run: string, ...rest: string[]): string[] {
  const script = scriptCommand(join(ROOT, "test/support/run-writer.mjs"));
  return [...script, pathToFileURL(modulePath("runtime/run/run-store")).href, task, run, ...rest];
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  lines: string[];
  stderr: string;
}

/** Starts a command; `onLine` sees each whole line of stdout at once, and may kill the process. */
export function start(command: string[], onLine: (line: string, kill: () => void) => void = () => {}): Promise<Ended> {
  const [program = "", ...args] = command;
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
    const lines: string[] = [];
    let open = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const parts = (open + text).split("\n");
      open = parts.pop() ?? "";
      for (const line of parts) {
        lines.push(line);
        onLine(line, () => child.kill("SIGKILL"));
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", fail);
    child.on("close", (code, signal) => done({ code, signal, lines, stderr }));
  });
}
