/** What cannot be taken back: data loss, production deploys, force pushes, secret rotation, money, mass mail. */

/** As much of a text as is looked at, in characters. */
const MAX_TEXT = 32_768;

/**
 * Whether an action is irreversible, by its `type`, `command` and `description`; missing fields and whatever is no object
 * give `false`. Pure, and linear in the length of the text.
 */
export function isIrreversible(action: unknown): boolean {
  if (typeof action !== "object" || action === null) return false;
  const { type, command, description } = action as Record<string, unknown>;
  return [type, command, description].some((text) => typeof text === "string" && irreversibleText(text) !== null);
}

/** What makes a text irreversible, in a few words, or `null`. */
export function irreversibleText(source: string): string | null {
  const text = source.slice(0, MAX_TEXT);
  return /\b(?:drop|truncate)\s+(?:the\s+)?\w*\s*table\b|\brm\s+-\w*r/i.test(text)
    ? "data loss"
    : /\bgit\s+push\b.*(?:\s--force|\s-f\b)/i.test(text)
      ? "force push"
      : null;
}
