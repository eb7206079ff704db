/** Whether a module was started, not imported: on every runtime, also where it was reached through a link. */
import { realpathSync } from "node:fs";
import { modulePath } from "./module-path.ts";

export function isMainModule(moduleUrl: string): boolean {
  const started = process.argv[1];
  return started !== undefined && realPath(started) === realPath(modulePath(moduleUrl));
}

/** The path itself where it cannot be looked at: it may not be there, or Deno may not read it. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
