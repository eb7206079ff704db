import { nodeOs } from "./late-modules.ts";

/** The user's home folder, as `os.homedir()` gives it; where `HOME` says it, without loading that module. */
export function homeFolder(): string {
  const { HOME } = process.env;
  return process.platform !== "win32" && HOME ? HOME : nodeOs().homedir();
}
