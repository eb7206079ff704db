/** `mcp-skills serve --port 0` as a process. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { cliCommand } from "./cli.ts";

export interface Serving {
  child: ChildProcess;
  /** The address once it listens; rejects with what was told on stderr where it ends before. */
  url: Promise<string>;
  exit: Promise<number | null>;
  /** Tells it to end, as a supervisor does, and waits until it has. */
  end(): Promise<number | null>;
}

/** Serves what a configuration file names, with a home folder of its own. */
export function serveOverHttp(home: string, config: string): Serving {
  const [program = "", ...first] = cliCommand();
  const child = spawn(program, [...first, "serve", "--config", config, "--port", "0"], {
    cwd: home,
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: join(home, "cache") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let told = "";
  const url = new Promise<string>((done, fail) => {
    child.stderr?.setEncoding("utf8").on("data", (part: string) => {
      told += part;
      const found = /listening on (\S+?),?\s/.exec(told)?.[1];
      if (found !== undefined) done(found);
    });
    child.once("exit", () => fail(new Error(told)));
  });
  const exit = new Promise<number | null>((done) => child.once("exit", done));
  return {
    child,
    url,
    exit,
    async end() {
      // Deno takes a child that it was told to kill for killed, whatever the child makes of the signal.
      process.kill(child.pid as number, "SIGTERM");
      return exit;
    },
  };
}
