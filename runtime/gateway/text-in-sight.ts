/** What a server writes for a model, with everything in it that a person would not see made visible. */
import { suspicionOf } from "../../skills/using-mcp/judgements.ts";
import { printable } from "../core/errors.ts";

/** How deep a schema is walked; what lies deeper is passed as it is. */
const MAX_DEPTH = 32;

/** The text with what hides in it as `\u{…}`; text that hides nothing, emoji included, stays as it is. */
export function inSight(text: string): string {
  const kind = suspicionOf(text)?.kind;
  if (kind !== "invisible" && kind !== "overlong") return text;
  return text
    .split("\n")
    .map((line) => printable(line, Number.POSITIVE_INFINITY))
    .join("\n");
}

/** A schema or its like with {@link inSight} for each `title` and `description` in it; nothing else is touched. */
export function withTextsInSight(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((child) => withTextsInSight(child, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      typeof child === "string" && (key === "description" || key === "title")
        ? inSight(child)
        : withTextsInSight(child, depth + 1),
    ]),
  );
}
