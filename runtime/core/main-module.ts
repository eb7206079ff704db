/** Whether a module was started, not imported: on every runtime, also where it was reached through a link. */
import { realpathSync } from "node:fs";
import { modulePath } from "./module-path.ts";

export function isMainModule(moduleUrl: string): boolean {
  const started = process.argv[1];
  if (started === undefined) return false;
  try {
    return realpathSync(started) === realpathSync(modulePath(moduleUrl));
  } catch {
    return false;
  }
}
