import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const DIST = join(ROOT, "dist");
export const PLUGIN = join(ROOT, "plugin");
/**
 * Where generated entry modules stand while they are built; inside the repository, to find its packages, and each process's
 * own, since several may build at once.
 */
export const ENTRIES = join(ROOT, ".cache/build", String(process.pid));
process.on("exit", () => rmSync(ENTRIES, { recursive: true, force: true }));

export interface Built {
  name: string;
  bytes: number;
}
