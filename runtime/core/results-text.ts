/**
 * The message as text, out of parts that our own code has built and the compiler has checked. Apart from `emitResults`, which
 * checks what a caller brings, so that a report of our own never waits for the schema library.
 */
import type { Handoff, Results } from "./contracts.ts";
import { PackError } from "./errors.ts";
import { assertPlainJson, inertJson } from "./json-text.ts";

/** The longest message that is written or read, in UTF-16 code units. */
export const MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;

/**
 * The results fence, an empty line, the handoff. Throws `unsafe-key`, `too-deep` or `not-json` where the raw result is not
 * plain JSON, and `too-large`.
 */
export function resultsText(results: Results, handoff: Handoff): string {
  assertPlainJson(results, "The results payload");
  const lines = handoffLines(handoff);
  // Indentation can be most of what nests deep.
  for (const indent of [2, 0]) {
    const message = `\`\`\`mcp-results\n${inertJson(results, indent)}\n\`\`\`\n\n\`\`\`handoff\n${lines}\n\`\`\`\n`;
    if (message.length <= MAX_MESSAGE_LENGTH) return message;
  }
  throw new PackError("too-large", `The message is longer than ${MAX_MESSAGE_LENGTH} characters`, {
    fix: "Cut the raw result",
  });
}

/** The handoff's four lines, without the fence around them. */
export function handoffLines({ status, task, notes, iteration_count }: Handoff): string {
  return [
    `status: ${status}`,
    `task: ${task}`,
    `notes: ${inertJson(notes)}`,
    `iteration_count: ${iteration_count}`,
  ].join("\n");
}
