/** The skills that can be installed: self-contained folders, which the source becomes by `bun run build`. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { PackError } from "../core/errors.ts";
import { note } from "./io.ts";
import { packFolder } from "./pack-folder.ts";

/** The folder of built skills; in a checkout it is built where it is not there yet. `from` names another folder. */
export function builtSkills(from: string | undefined): string {
  if (from !== undefined) return resolve(from);
  const own = packFolder();
  if (isBuilt(own)) return own;
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const built = resolve(root, "dist/skills");
  if (isBuilt(built)) return built;
  if (process.versions.bun !== undefined && existsSync(resolve(root, "scripts/build.ts"))) {
    note("The skills are not built yet; building them");
    spawnSync(process.execPath, [resolve(root, "scripts/build.ts")], { cwd: root, stdio: ["ignore", 2, 2] });
    if (isBuilt(built)) return built;
  }
  throw new PackError("not-built", "The skills are not built, so they cannot be installed", {
    file: built,
    fix: "Run bun run build in the checkout, or name a folder of built skills with --from",
  });
}

function isBuilt(folder: string): boolean {
  return existsSync(resolve(folder, "using-mcp/scripts/using-mcp.mjs"));
}
