import { nodeUrl } from "./late-modules.ts";

/** A module's path by its `import.meta.url`. An address that is plain anyway is read without loading `node:url`. */
export function modulePath(url: string): string {
  const plain = process.platform === "win32" ? undefined : /^file:\/\/(\/[\w./@+-]*)$/.exec(url)?.[1];
  return plain ?? nodeUrl().fileURLToPath(url);
}
