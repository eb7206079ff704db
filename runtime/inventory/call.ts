/** One call of one tool: a connection of its own, the result as it came, failures as kinds. */
import type { Failure } from "../core/contracts.ts";
import { carryResult, type RawResult } from "../core/raw-result.ts";
import { connectServer, isLostSession } from "./connect.ts";
import { failureOf } from "./failure.ts";
import { ServerFailure } from "./open.ts";
import type { ServerConfig } from "./server-config.ts";

export interface CallLimits {
  /** For connecting, in milliseconds. */
  connectMs: number;
  /** For the call itself, in milliseconds. */
  callMs: number;
  /** The largest result carried whole, in bytes. */
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Whether the call only reads: then it is made once more where the server had lost the session. Default false. */
  readOnly?: boolean | undefined;
}

/** What came of a call. A tool that answers with an error has failed, and its answer is carried all the same. */
export type CallOutcome = { ok: true; result: RawResult } | { ok: false; failure: Failure; result?: RawResult };

/** Calls; never throws for what a server does. The connection and its process are gone when it returns. */
export async function callOnce(
  config: ServerConfig,
  tool: string,
  args: Record<string, unknown>,
  { connectMs, callMs, maxBytes, signal, readOnly = false }: CallLimits,
): Promise<CallOutcome> {
  const call = async () => {
    const connection = await connectServer(config, { timeoutMs: connectMs, signal });
    try {
      return await connection.callTool(tool, args, { timeoutMs: callMs, signal });
    } finally {
      await connection.close();
    }
  };
  try {
    const answer = await call().catch((error: unknown) => {
      // Who knows how far a call got before its session was lost: only what changes nothing is made again.
      if (readOnly && isLostSession(error)) return call();
      throw error;
    });
    const result = carryResult(answer, maxBytes);
    return answer.isError === true ? { ok: false, failure: refusal(answer), result } : { ok: true, result };
  } catch (error) {
    return {
      ok: false,
      failure: error instanceof ServerFailure ? error.failure : failureOf(error, { phase: "tools/call" }),
    };
  }
}

/** The kind of an answer that is an error: what its text tells, else that the tool refused. */
function refusal({ content }: Record<string, unknown>): Failure {
  const texts = (Array.isArray(content) ? content : []).flatMap((block: unknown) => {
    const text = (block as { text?: unknown } | null)?.text;
    return typeof text === "string" ? [text.slice(0, 1000)] : [];
  });
  const failure = failureOf(new Error(texts[0] ?? "the tool answered with an error"), { phase: "tools/call" });
  return failure.kind === "protocol" ? { ...failure, kind: "refused" } : failure;
}
