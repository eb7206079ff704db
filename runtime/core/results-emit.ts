/** Writing the results fence. Apart from reading it, so that commands which only write one never load a Markdown parser. */
import { type Handoff, type Results, ResultsSchema } from "./contracts.ts";
import { PackError } from "./errors.ts";
import { issuesOf } from "./handler.ts";
import { formatHandoff } from "./handoff.ts";
import { assertPlainJson, inertJson } from "./json-text.ts";

/**
 * The whole message: the results fence, an empty line, the handoff. Throws `bad-results` or `bad-handoff` where a field
 * does not fit, and `unsafe-key`, `too-deep` or `not-json` where the raw result is not plain JSON.
 */
export function emitResults(payload: Results, handoff: Handoff): string {
  assertPlainJson(payload, "The results payload");
  return `\`\`\`mcp-results\n${inertJson(checkedResults(payload), 2)}\n\`\`\`\n\n\`\`\`handoff\n${formatHandoff(handoff)}\n\`\`\`\n`;
}

export function checkedResults(value: unknown): Results {
  const checked = ResultsSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new PackError("bad-results", `The results payload does not fit: ${issuesOf(checked.error)}`, {
    fix: "See the payload's fields in mcp-cli-discovery's SKILL.md",
    cause: checked.error,
  });
}
