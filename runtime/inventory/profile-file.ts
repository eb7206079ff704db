/** A user's own loading profile: a Markdown file with the headings of agi-mcp-discover's tables. */

import type { Profile } from "../../skills/agi-mcp-discover/profile.ts";
import { readProfile } from "../../skills/agi-mcp-discover/profile-tables.ts";
import { PackError } from "../core/errors.ts";
import { splitFrontmatter } from "../core/skill-text.ts";
import { readTables } from "../core/tables.ts";
import { readText } from "./read-text.ts";

/** Parsing a table costs many times its size, and a profile has a few dozen lines. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a profile; front matter, where there is some, is skipped. Throws a `PackError` with the file: `unreadable`,
 * `too-large`, and with the line what `readProfile` throws.
 */
export async function readProfileFile(file: string): Promise<Profile> {
  const source = readText(file);
  if (source === null) {
    throw new PackError("unreadable", "The profile does not exist", {
      file,
      fix: "Check the path given with --profile",
    });
  }
  if (source.length > MAX_BYTES) {
    throw new PackError("too-large", "The profile is larger than 1 MB", {
      file,
      fix: "Keep the tables and little else",
    });
  }
  const { body, bodyLine } = source.startsWith("---") ? splitFrontmatter(source, file) : { body: source, bodyLine: 1 };
  return readProfile(await readTables(body, file, bodyLine));
}
