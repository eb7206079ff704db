/** Lists the servers anew in a process of its own, after a command that answered from the cache. */
import { spawn } from "node:child_process";

/** Set for the refreshing process itself; a user may set it to have no background process at all. */
export const NO_BACKGROUND = "MCP_SKILLS_NO_BACKGROUND";

/** Starts `servers`' refresh detached; it ends by itself within the command's own limits. */
export function refreshInBackground(rawArgs: readonly string[]): void {
  const main = process.argv[1];
  if (main === undefined || (process.env[NO_BACKGROUND] ?? "") !== "") return;
  const deno = "Deno" in globalThis ? ["run", "--allow-all", "--no-check", "--quiet"] : [];
  const options = scopeOptions(rawArgs);
  const child = spawn(process.execPath, [...deno, main, "tools", "--refresh", "--quiet", "--json", ...options], {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, [NO_BACKGROUND]: "1" },
  });
  child.on("error", () => {});
  child.unref();
}

/** The options that say which servers are meant, with their values. */
function scopeOptions(rawArgs: readonly string[]): string[] {
  const kept: string[] = [];
  let open = false;
  for (const argument of rawArgs) {
    if (argument.startsWith("-")) open = /^--(?:config|host|only|timeout)\b/.test(argument);
    if (open) kept.push(argument);
  }
  return kept;
}
