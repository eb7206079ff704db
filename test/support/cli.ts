/** Runs the command line as a process of the runtime under test, the way a person would. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, or the copy of it in which Node runs the tests. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  stdin?: string | Uint8Array;
  env?: Record<string, string>;
}

/**
 * What servers in tests run with: Bun where it runs the tests, or where the check says that it is, since it starts twice as
 * fast as Node; else Node.
 */
export const SERVER_RUNTIME = process.env.MCP_SKILLS_TEST_SERVERS ?? ("Bun" in globalThis ? process.execPath : "node");

/** The program and first arguments that start the command line on this runtime. */
export function cliCommand(): string[] {
  return scriptCommand(modulePath("runtime/cli/main"));
}

/** The program and arguments that run a script file on this runtime. */
export function scriptCommand(file: string): string[] {
  const run = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];
  return [process.execPath, ...run, file];
}

/** A module's absolute path: `.ts` in the source, `.js` in the copy for Node. */
export function modulePath(name: string): string {
  return ["ts", "js"].map((extension) => `${ROOT}${name}.${extension}`).find((file) => existsSync(file)) ?? name;
}

/** A home without any host's files, so that nothing of this machine counts and nothing is left on it. */
const HOME = mkdtempSync(join(tmpdir(), "mcp-skills-home-"));
process.on("exit", () => rmSync(HOME, { recursive: true, force: true }));

const { XDG_CACHE_HOME: _cache, XDG_STATE_HOME: _state, XDG_CONFIG_HOME: _config, ...ENVIRONMENT } = process.env;

export function runCli(args: string[], options: CliOptions = {}): Promise<CliResult> {
  const [program = "", ...first] = cliCommand();
  return new Promise((done, fail) => {
    const child = spawn(program, [...first, ...args], {
      cwd: options.cwd ?? ROOT,
      env: { ...ENVIRONMENT, HOME, NO_COLOR: "1", ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", fail);
    child.on("close", (code) => done({ code: code ?? -1, stdout, stderr }));
    child.stdin.on("error", () => {});
    child.stdin.end(options.stdin ?? "");
  });
}
