/** Writing the results fence. Apart from reading it, so that commands which only write one never load a Markdown parser. */
import { type Handoff, type Results, ResultsSchema } from "./contracts.ts";
import { PackError } from "./errors.ts";
import { issuesOf } from "./handler.ts";
import { formatHandoff } from "./handoff.ts";
import { assertPlainJson, inertJson } from "./json-text.ts";

/** The longest message that is written or read, in UTF-16 code units. */
export const MAX_MESSAGE_LENGTH = 16 * 1024 * 1024;

/**
 * The whole message: the results fence, an empty line, the handoff. Throws `bad-results` or `bad-handoff` where a field
 * does not fit, `unsafe-key`, `too-deep` or `not-json` where the raw result is not plain JSON, and `too-large`.
 */
export function emitResults(payload: Results, handoff: Handoff): string {
  assertPlainJson(payload, "The results payload");
  const results = checkedResults(payload);
  const lines = formatHandoff(handoff);
  // Indentation can be most of what nests deep.
  for (const indent of [2, 0]) {
    const message = `\`\`\`mcp-results\n${inertJson(results, indent)}\n\`\`\`\n\n\`\`\`handoff\n${lines}\n\`\`\`\n`;
    if (message.length <= MAX_MESSAGE_LENGTH) return message;
  }
  throw new PackError("too-large", `The message is longer than ${MAX_MESSAGE_LENGTH} characters`, {
    fix: "Cut the raw result",
  });
}

export function checkedResults(value: unknown): Results {
  const checked = ResultsSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new PackError("bad-results", `The results payload does not fit: ${issuesOf(checked.error)}`, {
    fix: "See the payload's fields in mcp-cli-discovery's SKILL.md",
    cause: checked.error,
  });
}
