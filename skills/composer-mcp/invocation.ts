/** The selection token `/mcp:<server>[:<tool>]`, both parts URI-encoded: one spelling for each server and tool. */
import { PackError, printable } from "../../runtime/core/errors.ts";

export interface Invocation {
  serverId: string;
  toolName?: string;
}

/** What every token starts with; exactly this, in lower case. */
export const INVOCATION_PREFIX = "/mcp:";

/** Controls, line separators, marks that turn the direction of writing, and lone surrogates. */
const REFUSED = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/u;

/** Whether a token can carry an id: not empty, well-formed, nothing in it that a reader cannot see move or break the line. */
export function isUsableId(id: unknown): id is string {
  return typeof id === "string" && id !== "" && !REFUSED.test(id);
}

/** The token of a server, or of one of its tools. Throws a `PackError` `malformed` for an id that no token can carry. */
export function formatInvocation(serverId: string, toolName?: string): string {
  const parts = toolName === undefined ? [serverId] : [serverId, toolName];
  return INVOCATION_PREFIX + parts.map(encodePart).join(":");
}

function encodePart(part: string): string {
  if (isUsableId(part)) return encodeURIComponent(part);
  throw new PackError("malformed", `No selection can name "${printable(String(part), 80)}"`, {
    fix: "Rename it: not empty, without controls, line breaks and bidirectional marks",
  });
}

/**
 * Reads a token strictly: split on the raw `:`, decoded once, and taken only as {@link formatInvocation} would have written
 * it. Nothing is trimmed, folded or looked up. Throws a `PackError` `malformed`.
 */
export function parseInvocation(token: string): Invocation {
  if (typeof token !== "string" || !token.startsWith(INVOCATION_PREFIX)) {
    throw malformed(String(token), `does not start with ${INVOCATION_PREFIX}`);
  }
  const parts = token.slice(INVOCATION_PREFIX.length).split(":", 3);
  if (parts.length > 2) throw malformed(token, "has more parts than a server and a tool");
  const [serverId = "", toolName] = parts.map((part) => decodePart(part, token));
  return toolName === undefined ? { serverId } : { serverId, toolName };
}

function decodePart(raw: string, token: string): string {
  if (raw === "") throw malformed(token, "has an empty part");
  let decoded: string;
  try {
    decoded = decodeURIComponent(raw);
  } catch {
    throw malformed(token, "is not valid percent-encoding");
  }
  if (!isUsableId(decoded)) throw malformed(token, "holds a control, a line break or a bidirectional mark");
  if (encodeURIComponent(decoded) !== raw) throw malformed(token, "is not spelled as the menu spells it");
  return decoded;
}

function malformed(token: string, problem: string): PackError {
  return new PackError("malformed", `"${printable(token, 80)}" ${problem}`, {
    fix: "Choose it from the menu again, with a space after it, or put it between backticks to write about it",
  });
}
