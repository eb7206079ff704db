/** Reading a request's body: bounded in bytes and in time. */
import type { IncomingMessage } from "node:http";
import { REFUSALS, type Refusal } from "./http-answer.ts";

export interface BodyLimits {
  bytes: number;
  /** In milliseconds, from the first to the last byte. */
  timeMs: number;
}

/** The body as JSON, or why it is refused. Rejects where the client goes away meanwhile. */
export async function readJson(
  request: IncomingMessage,
  limits: BodyLimits,
): Promise<{ value: unknown } | { refusal: Refusal }> {
  // What is announced as too large is not read at all.
  if (Number(request.headers["content-length"] ?? 0) > limits.bytes) return { refusal: REFUSALS.tooLarge };
  const bytes = await readBytes(request, limits);
  if (!Buffer.isBuffer(bytes)) return { refusal: bytes };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { value: JSON.parse(text) };
  } catch {
    return { refusal: REFUSALS.parse };
  }
}

function readBytes(request: IncomingMessage, { bytes, timeMs }: BodyLimits): Promise<Buffer | Refusal> {
  return new Promise((done, fail) => {
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      request.off("data", take).off("end", end).off("error", broken).off("close", broken);
      settle();
    };
    const timer = setTimeout(() => finish(() => done(REFUSALS.tooSlow)), timeMs);
    const take = (part: Buffer) => {
      size += part.length;
      if (size > bytes) finish(() => done(REFUSALS.tooLarge));
      else parts.push(part);
    };
    const end = () => finish(() => done(Buffer.concat(parts)));
    const broken = () => finish(() => fail(new Error("The client went away")));
    request.on("data", take).on("end", end).on("error", broken).on("close", broken);
  });
}
