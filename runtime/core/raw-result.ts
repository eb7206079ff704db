/** What a tool answered, as plain JSON that the results fence can carry whole, whatever came. */
import type { Query } from "./contracts.ts";
import { PackError } from "./errors.ts";
import { assertPlainJson, jsonText } from "./json-text.ts";
import { nodeCrypto } from "./late-modules.ts";

/** The largest result that is carried whole, in bytes of its JSON text. */
export const MAX_RESULT_BYTES = 256 * 1024;

export type RawResult = Query["raw_result"];

/**
 * The result itself where it is plain JSON within `maxBytes`: content blocks, images, resources and structured content stay
 * what they are. A larger one becomes `{ truncated: true, bytes, sha256, text }`: the length and hash of its whole JSON text
 * and the start of that text, cut between characters. One that no reader should take as an object (an unsafe key, deeper
 * than the fence allows, not JSON) becomes `{ json_text, reason }`.
 */
export function carryResult(result: unknown, maxBytes = MAX_RESULT_BYTES): RawResult {
  const text = jsonText(result);
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length > maxBytes) {
    return {
      truncated: true,
      bytes: bytes.length,
      sha256: nodeCrypto().createHash("sha256").update(bytes).digest("hex"),
      text: bytes.subarray(0, characterStart(bytes, maxBytes)).toString("utf8"),
    };
  }
  try {
    // In its place in the fence, since depth counts from there.
    assertPlainJson({ query: { raw_result: result } }, "The result");
    return result as RawResult;
  } catch (error) {
    if (!(error instanceof PackError)) throw error;
    return { json_text: text, reason: error.code };
  }
}

/** The largest index of at most `limit` at which a UTF-8 character starts. */
function characterStart(bytes: Uint8Array, limit: number): number {
  let at = limit;
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
