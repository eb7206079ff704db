/**
 * Resources that a tool's result of this session linked to: the client reads them here, since it knows no other server. What
 * no result has named cannot be read.
 */
import {
  ErrorCode,
  McpError,
  type ReadResourceResult,
  ReadResourceResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { logRecord } from "../../skills/using-mcp/judgements.ts";
import { describeError } from "../core/errors.ts";
import { ServerFailure } from "../inventory/open.ts";
import type { RequestExtra } from "./feature.ts";
import type { Limits } from "./limits.ts";
import { withoutPaths } from "./refusal.ts";
import { beginning } from "./result-cap.ts";
import type { SessionState } from "./session-state.ts";

/** `undefined` where no result has named the address. Throws an `McpError` where its server does not give it. */
export async function readLinked(
  uri: string,
  session: SessionState,
  extra: RequestExtra,
): Promise<ReadResourceResult | undefined> {
  const server = session.links.serverOf(uri);
  if (server === undefined) return undefined;
  const reason = "a result of this session linked to it";
  const choice = { via: "mcp", server, tool: "resources/read", access: "read", decision: "allow", reason } as const;
  session.decided(logRecord(choice, session.clock.now()));
  try {
    const lease = await session.pool.lease(server, session.user, extra);
    try {
      return cappedContents(await lease.read(uri, extra.signal), session.limits);
    } finally {
      lease.release();
    }
  } catch (error) {
    const said = error instanceof ServerFailure ? error.failure.message : describeError(error);
    throw new McpError(ErrorCode.InternalError, withoutPaths(said));
  }
}

/** The contents within the caps; what is cut or left out is said in its place. */
function cappedContents(raw: unknown, { resultBytes, mediaBytes }: Limits): ReadResourceResult {
  const { contents } = ReadResourceResultSchema.parse(raw);
  let room = resultBytes;
  let media = mediaBytes;
  return {
    contents: contents.map((part) => {
      if ("blob" in part) {
        media -= part.blob.length;
        if (media >= 0) return part;
        const { blob: _, ...rest } = part;
        return { ...rest, mimeType: "text/plain", text: `[gateway] Left out: over ${mediaBytes} bytes.` };
      }
      const text = beginning(part.text, room);
      room -= Buffer.byteLength(text);
      const cut = text.length < part.text.length;
      return cut
        ? { ...part, text: `${text}\n[gateway] Cut: the resource is larger than ${resultBytes} bytes.` }
        : part;
    }),
  };
}
