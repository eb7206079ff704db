/** A call that did not run, as a result that the model sees and can act on (MCP specification 2025-11-25, "Error Handling"). */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { describeError } from "../core/errors.ts";
import { ServerFailure } from "../inventory/open.ts";

export function refusal(message: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text: message }] };
}

/** Anything thrown, as a refusal in which no secret and no place on this machine stands. */
export function refusalOf(error: unknown, what: string): CallToolResult {
  if (error instanceof ServerFailure) {
    const { message, fix } = error.failure;
    return refusal(`${what}: ${withoutPaths(message)}${fix === undefined ? "" : `. ${fix}`}`);
  }
  return refusal(`${what}: ${withoutPaths(describeError(error))}`);
}

/** Absolute paths of any system with their last part alone: `/home/me/x/server.js:3` → `…/server.js:3`. */
export function withoutPaths(text: string): string {
  return text
    .replace(/file:\/\/+/gi, "/")
    .replace(/(?<![\w.:/-])(?:~|\/[^\s/"'`:;,()<>|]+)(?:\/[^\s/"'`:;,()<>|]*)+/g, lastPart)
    .replace(/(?<![\w])[A-Za-z]:\\[^\s"'`:;,()<>|]*/g, lastPart)
    .replace(/\\\\[^\s"'`:;,()<>|]+/g, lastPart);
}

function lastPart(path: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== "");
  return `…/${parts.length > 1 ? parts.at(-1) : ""}`;
}
