import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
export const DIST = join(ROOT, "dist");
export const PLUGIN = join(ROOT, "plugin");
/** Where generated entry modules stand while they are built; inside the repository, to find its packages. */
export const CACHE = join(ROOT, ".cache/build");

export interface Built {
  name: string;
  bytes: number;
}
