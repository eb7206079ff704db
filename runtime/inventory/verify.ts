/**
 * Whether a program is installed. On purpose only: nothing else in the pack looks. It is asked for its version by its exact
 * name, without a shell, with fixed arguments, a bare environment and within two seconds.
 */
import { isAbsolute } from "node:path";
import { printable } from "../core/errors.ts";
import { endChild, startProgram } from "./child.ts";

export interface Verified {
  name: string;
  /** `unknown`: not one of the programs that may be asked, so it was not started. */
  state: "found" | "absent" | "unknown";
  /** The first line that it printed, at most 200 characters; null where there is none. */
  version: string | null;
}

export const VERIFY_LIMIT_MS = 2000;
const MAX_OUTPUT = 4096;

/** Asks all at once; a program that does not answer in time is there all the same. In the order given, each name once. */
export function verifyPrograms(
  names: readonly string[],
  known: ReadonlySet<string>,
  limitMs = VERIFY_LIMIT_MS,
): Promise<Verified[]> {
  return Promise.all([...new Set(names)].map((name) => verifyProgram(name, known, limitMs)));
}

async function verifyProgram(name: string, known: ReadonlySet<string>, limitMs: number): Promise<Verified> {
  if (!known.has(name)) return { name, state: "unknown", version: null };
  const child = startProgram(name, ["--version"], bareEnvironment());
  let output = "";
  const ended = new Promise<"found" | "absent">((done) => {
    child.once("error", (error: NodeJS.ErrnoException) => done(error.code === "EACCES" ? "found" : "absent"));
    child.once("exit", () => setImmediate(() => done("found")));
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("error", () => {});
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString("latin1").slice(0, MAX_OUTPUT - output.length);
        if (output.length >= MAX_OUTPUT) done("found");
      });
    }
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"found">((done) => {
    timer = setTimeout(() => done("found"), limitMs);
  });
  const state = await Promise.race([ended, late]);
  clearTimeout(timer);
  await endChild(child, 0);
  const line = Buffer.from(output, "latin1")
    .toString("utf8")
    .split(/\r?\n/)
    .find((text) => text.trim() !== "");
  return { name, state, version: state === "found" && line !== undefined ? printable(line.trim()) : null };
}

/** The search path without relative folders, in which a project could put a program of that name; nothing of the user's. */
function bareEnvironment(): Record<string, string> {
  const separator = process.platform === "win32" ? ";" : ":";
  const path = (process.env.PATH ?? "").split(separator).filter((folder) => isAbsolute(folder));
  return { PATH: path.join(separator), LC_ALL: "C" };
}
