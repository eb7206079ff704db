/** Where the pack's own skills lie: beside the built command line's folder, or beside `runtime/` in the source. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The absolute path of the folder of skills that belongs to this command line. */
export function packFolder(): string {
  const places = ["../skills", "../../skills"].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return places.find((place) => existsSync(place)) ?? (places[1] as string);
}
