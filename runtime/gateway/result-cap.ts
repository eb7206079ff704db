/**
 * What a server answers, made a result that every client takes: each part valid, the whole within bounds. What is left out
 * is said in the result itself.
 */
import { type CallToolResult, type ContentBlock, ContentBlockSchema } from "@modelcontextprotocol/sdk/types.js";
import { assertPlainJson, jsonText } from "../core/json-text.ts";
import type { Limits } from "./limits.ts";

type Caps = Pick<Limits, "resultBytes" | "mediaBytes">;

/** What one block costs beside its text, in bytes: a million empty ones are large as well. */
const BLOCK_BYTES = 64;

/**
 * The result within the caps. Text is cut between characters; media and structured content that are too large are dropped.
 * `promised` says that the tool declares an output schema: without the structured content, the call has then not given what
 * it promised, and the result is an error that carries the text.
 */
export function cappedResult(raw: Record<string, unknown>, caps: Caps, promised = false): CallToolResult {
  const notices: string[] = [];
  const content = cappedContent(Array.isArray(raw.content) ? raw.content : [], caps, notices);
  const structured = cappedStructure(raw.structuredContent, caps.resultBytes, notices);
  const meta = isPlain(raw._meta) && jsonText(raw._meta).length <= 4096 ? { _meta: raw._meta } : {};
  const lost = promised && structured === undefined && raw.structuredContent !== undefined;
  const isError = raw.isError === true || lost;
  return {
    ...meta,
    content: [...content, ...(notices.length === 0 ? [] : [text(`[gateway] ${notices.join(" ")}`)])],
    ...(structured === undefined ? {} : { structuredContent: structured }),
    ...(isError && { isError }),
  };
}

function cappedContent(blocks: readonly unknown[], caps: Caps, notices: string[]): ContentBlock[] {
  const kept: ContentBlock[] = [];
  let room = caps.resultBytes;
  let media = caps.mediaBytes;
  let cut = 0;
  let dropped = 0;
  for (const [at, block] of blocks.entries()) {
    if (room <= 0) {
      notices.push(`${blocks.length - at} more part(s) of the result are left out.`);
      break;
    }
    room -= BLOCK_BYTES;
    const valid = validBlock(block);
    const size = mediaBytes(valid);
    if (size !== null) {
      if (size > media) dropped += 1;
      else {
        media -= size;
        kept.push(valid);
      }
      continue;
    }
    const { whole, within } = textWithin(valid, room);
    if (!whole) cut += 1;
    room -= Buffer.byteLength(textOf(within));
    kept.push(within);
    if (!whole) room = 0;
  }
  if (cut > 0) notices.unshift(`The result was larger than ${caps.resultBytes} bytes and is cut; ask for less of it.`);
  if (dropped > 0) notices.push(`${dropped} image(s), sound(s) or file(s) over ${caps.mediaBytes} bytes are left out.`);
  return kept;
}

/** A block as the specification has it; anything else becomes its own JSON text. */
function validBlock(block: unknown): ContentBlock {
  const checked = ContentBlockSchema.safeParse(block);
  return checked.success && isPlain(checked.data) ? checked.data : text(jsonText(block));
}

function mediaBytes(block: ContentBlock): number | null {
  if (block.type === "image" || block.type === "audio") return block.data.length;
  if (block.type === "resource" && "blob" in block.resource) return block.resource.blob.length;
  return null;
}

function textOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource" && "text" in block.resource) return block.resource.text;
  return jsonText(block);
}

/** The block with as much of its text as fits into so many bytes. */
function textWithin(block: ContentBlock, bytes: number): { whole: boolean; within: ContentBlock } {
  const full = textOf(block);
  const cut = beginning(full, bytes);
  if (cut.length === full.length) return { whole: true, within: block };
  if (block.type === "text") return { whole: false, within: { ...block, text: cut } };
  if (block.type === "resource" && "text" in block.resource) {
    return { whole: false, within: { ...block, resource: { ...block.resource, text: cut } } };
  }
  return { whole: false, within: text(cut) };
}

/** As much of a text as fits into so many bytes of UTF-8; never half a character. */
export function beginning(value: string, bytes: number): string {
  // No UTF-16 code unit takes more than three bytes.
  if (value.length * 3 <= bytes) return value;
  const { read } = new TextEncoder().encodeInto(value, new Uint8Array(Math.max(0, bytes)));
  return value.slice(0, read);
}

function cappedStructure(value: unknown, bytes: number, notices: string[]): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value) || !isPlain(value)) {
    notices.push("The structured content is no plain JSON object and is left out.");
    return undefined;
  }
  if (Buffer.byteLength(jsonText(value)) <= bytes) return value as Record<string, unknown>;
  notices.push(`The structured content was larger than ${bytes} bytes and is left out.`);
  return undefined;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  try {
    assertPlainJson(value, "It");
    return true;
  } catch {
    return false;
  }
}

function text(value: string): ContentBlock {
  return { type: "text", text: value };
}
