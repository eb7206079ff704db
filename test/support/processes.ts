/** Finds processes by the home folder in their environment, which children and grandchildren inherit. */
import { readdirSync, readFileSync } from "node:fs";

/**
 * The command lines of all running processes whose `HOME` is the given folder. It reads /proc, so on other systems than
 * Linux it finds none and the test that asks sees less.
 */
export function processesOf(home: string): string[] {
  const found: string[] = [];
  for (const id of listProcesses()) {
    try {
      if (!readFileSync(`/proc/${id}/environ`, "utf8").split("\0").includes(`HOME=${home}`)) continue;
      found.push(readFileSync(`/proc/${id}/cmdline`, "utf8").replaceAll("\0", " ").trim());
    } catch {
      // It ended while we looked, or it is not ours to look at.
    }
  }
  return found;
}

/** Whether a process runs; one that has ended and waits for its parent to take note does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function listProcesses(): string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
