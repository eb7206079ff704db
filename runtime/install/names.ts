/**
 * Names that every file system can hold and none can be led astray by. Checked before the first byte is written, on what is
 * installed and on what a manifest says was installed.
 */
import { PackError, printable } from "../core/errors.ts";

/** Windows keeps these names for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const REFUSED = /[<>:"|?*\\/\p{C}]/u;

/** Why one segment of a path cannot be used, or `null`. */
export function problemOfName(name: string): string | null {
  if (name === "" || name === "." || name === "..") return "leads out of its folder";
  if (REFUSED.test(name)) return "holds a character that not every file system takes";
  if (RESERVED.test(name)) return "is a name that Windows keeps for a device";
  if (/[. ]$/.test(name)) return "ends in a dot or a space, which Windows drops";
  if (Buffer.byteLength(name) > 255) return "is longer than 255 bytes";
  return null;
}

/** Why a relative path with `/` between its segments cannot be used, or `null`. */
export function problemOfPath(path: string): string | null {
  for (const segment of path.split("/")) {
    const problem = problemOfName(segment);
    if (problem !== null) return problem;
  }
  return null;
}

/**
 * Throws `unsafe-name` for the first path that cannot be used, and for two that are one file where case or the way of
 * composing letters does not count.
 */
export function checkPaths(paths: readonly string[], folder: string): void {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const problem = problemOfPath(path);
    if (problem !== null) throw unsafe(folder, `"${printable(path)}" ${problem}`);
    for (const part of ancestors(path)) {
      const folded = part.normalize("NFC").toLowerCase();
      const other = seen.get(folded);
      if (other !== undefined && other !== part) {
        throw unsafe(folder, `"${printable(part)}" and "${printable(other)}" are one file where case does not count`);
      }
      seen.set(folded, part);
    }
  }
}

function ancestors(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, at) => segments.slice(0, at + 1).join("/"));
}

function unsafe(file: string, message: string): PackError {
  return new PackError("unsafe-name", message, { file, fix: "Rename it, then run the same command again" });
}
