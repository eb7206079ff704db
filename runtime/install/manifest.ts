/**
 * The manifest: what of a folder of skills was put there by this pack, and with which content. It is read as untrusted text,
 * since a cloned repository can bring one along; a path in it never leads out of its skill.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import "../core/schema-messages.ts";
import { PackError } from "../core/errors.ts";
import { problemOfName, problemOfPath } from "./names.ts";

export const MANIFEST = ".mcp-skill-pack.json";

const hashes = z.record(
  z.string().check(z.refine((path) => problemOfPath(path) === null, "is no path inside a skill")),
  z.string().check(z.regex(/^[0-9a-f]{64}$/, "is no hash")),
);
const EntrySchema = z.union([
  z.strictObject({
    /** Path to hash, as installed. */
    files: hashes,
    /** What a run was about to write; it stays where the run was ended half-way, and counts as ours as well. */
    pending: z.optional(hashes),
  }),
  z.strictObject({ link: z.string() }),
]);
const ManifestSchema = z.strictObject({
  version: z.literal(1),
  skills: z.record(
    z.string().check(z.refine((name) => problemOfName(name) === null, "is no skill's name")),
    EntrySchema,
  ),
  /** Folders that were made, relative to the target's base, outermost first. */
  made: z.array(z.string().check(z.refine((path) => problemOfPath(path) === null, "is no path inside the target"))),
});

export type ManifestEntry = z.output<typeof EntrySchema>;
export type Manifest = z.output<typeof ManifestSchema>;

export const EMPTY_MANIFEST: Manifest = { version: 1, skills: {}, made: [] };

/** The manifest of a folder of skills; an empty one where there is none. Throws `bad-manifest`. */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = join(folder, MANIFEST);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return structuredClone(EMPTY_MANIFEST);
    throw bad(file, error);
  }
  try {
    return ManifestSchema.parse(JSON.parse(text));
  } catch (error) {
    throw bad(file, error);
  }
}

/** Replaces the manifest as a whole, or removes it where nothing of ours is left. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const file = join(folder, MANIFEST);
  if (Object.keys(manifest.skills).length === 0) return rm(file, { force: true });
  const skills = Object.fromEntries(Object.entries(manifest.skills).sort(([a], [b]) => (a < b ? -1 : 1)));
  await writeFile(`${file}.new`, `${JSON.stringify({ ...manifest, skills }, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

function bad(file: string, cause: unknown): PackError {
  return new PackError("bad-manifest", "The list of what was installed cannot be read, so nothing here is touched", {
    file,
    fix: "Mend the file, or delete it: what it listed then counts as yours",
    cause,
  });
}
