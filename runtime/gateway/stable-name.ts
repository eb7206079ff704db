/** The name under which a client sees a tool: `mcp__<server>__<tool>`, or a short form of it that every host takes. */
import { createHash } from "node:crypto";
import { qualifiedName } from "../core/tool.ts";

/**
 * The longest name that is kept as it is. Model providers take names of up to 64 letters, digits, `_` and `-`; a host that
 * puts the gateway's own name before it shortens what is left by its own rule.
 */
export const MAX_STABLE_NAME = 64;

const HASH_LENGTH = 8;

/**
 * A tool's name for clients. One that is too long or holds other characters has these replaced by `_`, is cut, and ends in a
 * hash of the whole, so that it depends on this server and tool alone and no other tool can come to have it.
 */
export function stableName(server: string, tool: string): string {
  const name = qualifiedName(server, tool);
  if (/^[A-Za-z0-9_-]+$/.test(name) && name.length <= MAX_STABLE_NAME) return name;
  const hash = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, HASH_LENGTH);
  return `${name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_STABLE_NAME - HASH_LENGTH - 1)}_${hash}`;
}
