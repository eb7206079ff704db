/** Writing the results fence. Apart from reading it, so that commands which only write one never load a Markdown parser. */
import { type Handoff, type Results, ResultsSchema } from "./contracts.ts";
import { PackError } from "./errors.ts";
import { issuesOf } from "./handler.ts";
import { checkedHandoff } from "./handoff.ts";
import { assertPlainJson } from "./json-text.ts";
import { resultsText } from "./results-text.ts";

export { MAX_MESSAGE_LENGTH } from "./results-text.ts";

/**
 * The whole message: the results fence, an empty line, the handoff. Throws `bad-results` or `bad-handoff` where a field
 * does not fit, `unsafe-key`, `too-deep` or `not-json` where the raw result is not plain JSON, and `too-large`.
 */
export function emitResults(payload: Results, handoff: Handoff): string {
  assertPlainJson(payload, "The results payload");
  return resultsText(checkedResults(payload), checkedHandoff(handoff));
}

export function checkedResults(value: unknown): Results {
  const checked = ResultsSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new PackError("bad-results", `The results payload does not fit: ${issuesOf(checked.error)}`, {
    fix: "See the payload's fields in mcp-cli-discovery's SKILL.md",
    cause: checked.error,
  });
}
