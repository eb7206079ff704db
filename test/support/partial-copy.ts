/** The product in a folder of its own, with only some of its packages: what is not there cannot be loaded unnoticed. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { modulePath, ROOT, scriptCommand } from "./cli.ts";

export interface PartialCopy {
  folder: string;
  /** The environment of the commands: the copy is their home and holds their cache. */
  env: Record<string, string | undefined>;
  /** Runs the command line in the copy. */
  run(args: string[], stdin?: string): Promise<{ code: number | null; stdout: string; stderr: string }>;
  remove(): void;
}

/** `keeps` is asked for every entry of node_modules: packages and scopes. */
export function makePartialCopy(keeps: (entry: string) => boolean): PartialCopy {
  const folder = mkdtempSync(join(tmpdir(), "mcp-skills-partial-"));
  for (const part of ["runtime", "skills", "package.json"])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (!name.startsWith(".") && keeps(name))
      symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
  }
  const env = { ...process.env, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
  const main = modulePath("runtime/cli/main").replace(ROOT, `${folder}/`);
  return {
    folder,
    env,
    run(args, stdin = "") {
      const [program = "", ...first] = scriptCommand(main);
      return new Promise((done) => {
        const child = spawn(program, [...first, ...args], { cwd: folder, env });
        let stdout = "";
        let stderr = "";
        child.stdout.on("data", (chunk) => {
          stdout += chunk;
        });
        child.stderr.on("data", (chunk) => {
          stderr += chunk;
        });
        child.on("close", (code) => done({ code, stdout, stderr }));
        child.stdin.on("error", () => {});
        child.stdin.end(stdin);
      });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
